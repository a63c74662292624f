// Brands and models of both markets, suggested while typing beside the dealer's own stock: a dealer's first car has no stock to learn from.
import { fold } from '../../fold.ts';

// biome-ignore format: a table
const MODELS: Readonly<Record<string, string>> = {
  'Alfa Romeo': 'Giulia,Giulietta,Stelvio,Tonale',
  Audi: 'A1,A3,A4,A5,A6,Q2,Q3,Q5,Q7,Q8',
  BMW: '116i,118i,218i,316i,318i,320d,320i,420i,520d,520i,X1,X3,X5',
  BYD: 'Atto 3,Dolphin,Han,Seal U',
  Chery: 'Omoda 5,Tiggo 7 Pro,Tiggo 8 Pro',
  Citroën: 'Berlingo,C-Elysée,C3,C4,C4 X,C5 Aircross',
  Dacia: 'Dokker,Duster,Jogger,Lodgy,Logan,Sandero',
  Fiat: '500,Doblo,Egea,Egea Cross,Fiorino,Linea,Panda,Punto',
  Ford: 'B-Max,C-Max,EcoSport,Fiesta,Focus,Kuga,Mondeo,Puma,Ranger,Tourneo Courier,Transit,Transit Custom',
  Honda: 'Accord,City,Civic,CR-V,Fit,HR-V,Jazz,Vezel',
  Hyundai: 'Accent,Accent Blue,Bayon,Elantra,i10,i20,i30,Kona,Tucson',
  Isuzu: 'D-Max',
  Jeep: 'Avenger,Compass,Grand Cherokee,Renegade,Wrangler',
  Kia: 'Ceed,Picanto,Rio,Sorento,Sportage,Stonic',
  'Land Rover': 'Defender,Discovery,Discovery Sport,Range Rover,Range Rover Evoque,Range Rover Sport',
  Lexus: 'CT 200h,IS 250,NX 300h,RX 450h',
  Mazda: '2,3,6,Axela,CX-3,CX-5,Demio,MX-5',
  'Mercedes-Benz': 'A 180,A 200,B 180,C 180,C 200,C 200 Coupe,CLA 180,CLA 200,E 200,E 220 d,E 250,GLA 200,GLC 220 d,S 350,Sprinter,Vito',
  MG: 'HS,MG4,ZS',
  Mini: 'Clubman,Cooper,Countryman',
  Mitsubishi: 'ASX,Colt,L200,Lancer,Outlander,Pajero',
  Nissan: 'Juke,March,Micra,Navara,Note,Qashqai,Serena,X-Trail',
  Opel: 'Astra,Combo,Corsa,Crossland,Grandland,Insignia,Mokka,Vectra,Zafira',
  Peugeot: '2008,206,207,208,3008,301,307,308,408,5008,508,Partner,Rifter',
  Porsche: '911,Cayenne,Macan,Panamera',
  Renault: 'Austral,Captur,Clio,Fluence,Kadjar,Kangoo,Koleos,Laguna,Megane,Scenic,Symbol,Taliant,Trafic',
  Seat: 'Arona,Ateca,Ibiza,Leon,Toledo',
  Škoda: 'Fabia,Kamiq,Karoq,Kodiaq,Octavia,Rapid,Scala,Superb',
  Subaru: 'Forester,Impreza,Legacy,XV',
  Suzuki: 'Alto,Jimny,S-Cross,Swift,Vitara',
  Tesla: 'Model 3,Model S,Model Y',
  Tofaş: 'Doğan,Kartal,Murat,Şahin',
  Togg: 'T10F,T10X',
  Toyota: 'Aqua,Auris,Avensis,C-HR,Corolla,Corolla Cross,Hilux,Land Cruiser,Passo,Prius,RAV4,Vitz,Yaris',
  Volkswagen: 'Amarok,Arteon,Beetle,Caddy,Crafter,Golf,Jetta,Passat,Polo,Scirocco,T-Roc,Tiguan,Touareg,Touran,Transporter',
  Volvo: 'S40,S60,S90,V40,XC40,XC60,XC90',
};

/** The dealer's own words first, then those of the list, each once. */
const together = (own: readonly string[], listed: readonly string[]): string[] => {
  const known = new Set(own.map(fold));
  return [...own, ...listed.filter((word) => !known.has(fold(word)))];
};

export const brandsWith = (own: readonly string[]): string[] => together(own, Object.keys(MODELS));

export function modelsWith(own: readonly string[], brand: string): string[] {
  const folded = fold(brand.trim());
  const [, models = ''] = Object.entries(MODELS).find(([name]) => fold(name) === folded) ?? [];
  return together(own, models === '' ? [] : models.split(','));
}
