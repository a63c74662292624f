// Names of the demonstration's dealers, cars and customers, as they are common in the two markets.
import type { Country } from '../domain/accounts/accounts.ts';
import type { BODY_TYPES, FUEL_TYPES } from '../domain/stock/stock-states.ts';

type Body = (typeof BODY_TYPES)[number];
type Fuel = (typeof FUEL_TYPES)[number];

export interface DemoModel {
  readonly brand: string;
  readonly model: string;
  readonly body: Body;
  readonly fuels: readonly Fuel[];
  readonly years: readonly [first: number, last: number];
  /** New, in pounds sterling, before the taxes of either market. */
  readonly price: number;
  readonly trims: readonly string[];
  /** Null if both markets have it: Japanese home-market cars reach Northern Cyprus, Turkey's own models mostly stay there. */
  readonly country: Country | null;
}

type Row = readonly [string, string, Body, string, number, number, number, string, Country?];

// biome-ignore format: a table
const MODELS: readonly Row[] = [
  ['Audi', 'A3', 'Hatchback', 'Benzin,Dizel', 2013, 2025, 29000, 'Attraction,Ambition,S line'],
  ['Audi', 'A4', 'Sedan', 'Benzin,Dizel', 2012, 2024, 38000, 'Dynamic,Design,S line'],
  ['Audi', 'Q3', 'SUV', 'Benzin,Dizel', 2013, 2025, 36000, 'Advanced,S line'],
  ['BMW', '118i', 'Hatchback', 'Benzin', 2012, 2025, 30000, 'Joy,Sport Line,M Sport'],
  ['BMW', '320i', 'Sedan', 'Benzin', 2012, 2025, 40000, 'Luxury Line,Sport Line,M Sport'],
  ['BMW', '520d', 'Sedan', 'Dizel', 2011, 2023, 48000, 'Premium,Luxury Line,M Sport'],
  ['BMW', 'X1', 'SUV', 'Benzin,Dizel', 2013, 2025, 36000, 'xLine,M Sport'],
  ['BMW', '420i Cabrio', 'Cabrio', 'Benzin', 2014, 2024, 46000, 'Luxury Line,M Sport'],
  ['Chery', 'Tiggo 7 Pro', 'SUV', 'Benzin', 2023, 2026, 27000, 'Comfort,Luxury', 'TR'],
  ['Citroën', 'C-Elysée', 'Sedan', 'Dizel,Benzin', 2013, 2022, 14500, 'Live,Feel,Shine', 'TR'],
  ['Citroën', 'C3', 'Hatchback', 'Benzin,Dizel', 2012, 2025, 16500, 'Live,Feel,Shine'],
  ['Citroën', 'Berlingo', 'Minivan', 'Dizel', 2012, 2025, 20500, 'Live,Feel,Shine'],
  ['Dacia', 'Duster', 'SUV', 'Benzin,Dizel,LPG', 2012, 2025, 18500, 'Ambiance,Laureate,Prestige'],
  ['Dacia', 'Sandero', 'Hatchback', 'Benzin,LPG', 2013, 2025, 13500, 'Ambiance,Stepway', 'TR'],
  ['Fiat', 'Egea', 'Sedan', 'Dizel,Benzin', 2015, 2025, 14500, 'Easy,Urban,Lounge', 'TR'],
  ['Fiat', 'Egea Cross', 'SUV', 'Benzin,Hibrit', 2021, 2025, 18500, 'Street,Urban,Lounge', 'TR'],
  ['Fiat', 'Linea', 'Sedan', 'Dizel,Benzin+LPG', 2010, 2016, 12000, 'Actual,Active,Emotion', 'TR'],
  ['Fiat', 'Doblo', 'Minivan', 'Dizel', 2010, 2022, 16500, 'Easy,Safeline,Premio', 'TR'],
  ['Fiat', 'Fiorino', 'Panelvan', 'Dizel', 2010, 2023, 12500, 'Pop,Safeline', 'TR'],
  ['Fiat', '500', 'Hatchback', 'Benzin,Hibrit', 2012, 2024, 15500, 'Pop,Lounge', 'KKTC'],
  ['Ford', 'Fiesta', 'Hatchback', 'Benzin,Dizel', 2011, 2023, 16000, 'Trend,Titanium,ST-Line'],
  ['Ford', 'Focus', 'Hatchback', 'Benzin,Dizel', 2011, 2025, 22000, 'Trend X,Titanium,ST-Line'],
  ['Ford', 'Kuga', 'SUV', 'Benzin,Dizel,Hibrit', 2013, 2025, 29500, 'Style,Titanium,ST-Line'],
  ['Ford', 'Tourneo Courier', 'Minivan', 'Dizel', 2014, 2025, 17500, 'Deluxe,Titanium', 'TR'],
  ['Ford', 'Transit Custom', 'Panelvan', 'Dizel', 2013, 2025, 27000, 'Trend,Deluxe'],
  ['Ford', 'Ranger', 'Pick-up', 'Dizel', 2012, 2025, 31000, 'XLT,Wildtrak'],
  ['Honda', 'Civic', 'Sedan', 'Benzin,Benzin+LPG', 2012, 2025, 24500, 'Elegance,Executive,Premium', 'TR'],
  ['Honda', 'Fit', 'Hatchback', 'Hibrit,Benzin', 2010, 2021, 15000, 'G,L,F Package', 'KKTC'],
  ['Honda', 'CR-V', 'SUV', 'Benzin,Hibrit', 2012, 2025, 33000, 'Executive,Executive+'],
  ['Hyundai', 'Accent Blue', 'Sedan', 'Dizel,Benzin', 2011, 2018, 13500, 'Mode,Mode Plus', 'TR'],
  ['Hyundai', 'i10', 'Hatchback', 'Benzin', 2011, 2025, 13000, 'Jump,Style,Elite'],
  ['Hyundai', 'i20', 'Hatchback', 'Benzin,Dizel', 2012, 2025, 16000, 'Jump,Style,Elite'],
  ['Hyundai', 'Tucson', 'SUV', 'Dizel,Benzin,Hibrit', 2015, 2025, 28500, 'Style,Elite,Elite Plus'],
  ['Isuzu', 'D-Max', 'Pick-up', 'Dizel', 2013, 2025, 27500, 'Q-Sport,V-Cross'],
  ['Kia', 'Picanto', 'Hatchback', 'Benzin', 2012, 2025, 13000, 'Live,Feel'],
  ['Kia', 'Sportage', 'SUV', 'Benzin,Dizel,Hibrit', 2012, 2025, 28500, 'Elegance,Prestige'],
  ['Land Rover', 'Range Rover Evoque', 'SUV', 'Dizel,Benzin', 2012, 2024, 45000, 'Pure,SE,HSE Dynamic'],
  ['Mazda', 'Demio', 'Hatchback', 'Benzin,Dizel', 2010, 2019, 14000, '13C,13S,XD Touring', 'KKTC'],
  ['Mazda', 'Axela', 'Sedan', 'Benzin,Hibrit', 2013, 2019, 19000, '15C,15S,20S', 'KKTC'],
  ['Mazda', 'CX-5', 'SUV', 'Dizel,Benzin', 2013, 2024, 29000, '20S,XD,L Package', 'KKTC'],
  ['Mercedes-Benz', 'A 180', 'Hatchback', 'Benzin,Dizel', 2013, 2025, 30000, 'Style,Urban,AMG'],
  ['Mercedes-Benz', 'C 180', 'Sedan', 'Benzin', 2011, 2023, 39000, 'Fascination,Avantgarde,AMG'],
  ['Mercedes-Benz', 'C 200 Coupe', 'Coupe', 'Benzin', 2016, 2023, 43000, 'Avantgarde,AMG'],
  ['Mercedes-Benz', 'E 220 d', 'Sedan', 'Dizel', 2012, 2024, 50000, 'Elite,Avantgarde,AMG'],
  ['Mercedes-Benz', 'Vito', 'Minivan', 'Dizel', 2014, 2024, 38000, 'Base,Select,Tourer'],
  ['Mini', 'Cooper', 'Hatchback', 'Benzin', 2012, 2025, 24000, 'Classic,Signature,John Cooper Works'],
  ['Mitsubishi', 'L200', 'Pick-up', 'Dizel', 2012, 2024, 28500, 'Invite,Intense,Instyle'],
  ['Nissan', 'March', 'Hatchback', 'Benzin', 2011, 2021, 11500, 'S,X,Bolero', 'KKTC'],
  ['Nissan', 'Note', 'Hatchback', 'Benzin,Hibrit', 2012, 2022, 14500, 'X,Medalist,e-Power X', 'KKTC'],
  ['Nissan', 'Juke', 'SUV', 'Benzin', 2012, 2025, 20000, 'Visia,Tekna,Platinum'],
  ['Nissan', 'Qashqai', 'SUV', 'Benzin,Dizel', 2012, 2025, 26500, 'Visia,Tekna,Sky Pack'],
  ['Opel', 'Astra', 'Hatchback', 'Benzin,Dizel', 2012, 2025, 22000, 'Enjoy,Dynamic,Elegance'],
  ['Opel', 'Corsa', 'Hatchback', 'Benzin,Dizel', 2012, 2025, 16500, 'Essentia,Enjoy,Elegance'],
  ['Opel', 'Insignia', 'Sedan', 'Dizel,Benzin', 2012, 2022, 27500, 'Edition,Cosmo,Excellence', 'TR'],
  ['Peugeot', '208', 'Hatchback', 'Benzin,Dizel,Elektrik', 2012, 2025, 18000, 'Access,Active,Allure'],
  ['Peugeot', '301', 'Sedan', 'Dizel,Benzin', 2012, 2021, 14000, 'Access,Active,Allure', 'TR'],
  ['Peugeot', '3008', 'SUV', 'Dizel,Benzin', 2016, 2025, 30000, 'Active,Allure,GT'],
  ['Renault', 'Clio', 'Hatchback', 'Benzin,Dizel', 2012, 2025, 16000, 'Joy,Touch,Icon'],
  ['Renault', 'Megane', 'Sedan', 'Dizel,Benzin', 2012, 2025, 20500, 'Joy,Touch,Icon', 'TR'],
  ['Renault', 'Symbol', 'Sedan', 'Dizel,Benzin', 2010, 2020, 12000, 'Joy,Touch', 'TR'],
  ['Renault', 'Captur', 'SUV', 'Benzin,Dizel', 2013, 2025, 20500, 'Touch,Icon'],
  ['Seat', 'Ibiza', 'Hatchback', 'Benzin,Dizel', 2012, 2024, 16500, 'Reference,Style,FR', 'TR'],
  ['Seat', 'Leon', 'Hatchback', 'Benzin,Dizel', 2013, 2025, 21500, 'Style,Xcellence,FR', 'TR'],
  ['Škoda', 'Octavia', 'Sedan', 'Benzin,Dizel', 2012, 2025, 23500, 'Ambition,Style,Elite'],
  ['Škoda', 'Superb Combi', 'Station Wagon', 'Dizel,Benzin', 2012, 2024, 31000, 'Elegance,Prestige,L&K'],
  ['Suzuki', 'Jimny', 'SUV', 'Benzin', 2012, 2024, 19500, 'JX,GLX'],
  ['Suzuki', 'Swift', 'Hatchback', 'Benzin,Hibrit', 2012, 2025, 15000, 'XG,RS,GL Techno'],
  ['Tesla', 'Model Y', 'SUV', 'Elektrik', 2022, 2026, 41000, 'RWD,Long Range,Performance'],
  ['Togg', 'T10X', 'SUV', 'Elektrik', 2023, 2026, 33000, 'V1 Standart,V1 Uzun,V2 Uzun', 'TR'],
  ['Toyota', 'Corolla', 'Sedan', 'Benzin,Hibrit,Dizel', 2011, 2025, 22000, 'Touch,Flame,Passion', 'TR'],
  ['Toyota', 'Auris', 'Hatchback', 'Hibrit,Benzin', 2012, 2018, 20000, 'Active,Icon,Excel', 'KKTC'],
  ['Toyota', 'Vitz', 'Hatchback', 'Benzin,Hibrit', 2011, 2020, 13500, 'F,Jewela,U', 'KKTC'],
  ['Toyota', 'C-HR', 'SUV', 'Hibrit,Benzin', 2017, 2025, 27000, 'Flame,Passion,Diamond'],
  ['Toyota', 'Hilux', 'Pick-up', 'Dizel', 2012, 2025, 30500, 'Active,Adventure,Invincible'],
  ['Volkswagen', 'Polo', 'Hatchback', 'Benzin,Dizel', 2011, 2025, 18000, 'Trendline,Comfortline,Highline'],
  ['Volkswagen', 'Golf', 'Hatchback', 'Benzin,Dizel', 2010, 2025, 24000, 'Trendline,Comfortline,Highline'],
  ['Volkswagen', 'Passat', 'Sedan', 'Dizel,Benzin', 2011, 2023, 29500, 'Comfortline,Highline,Elegance'],
  ['Volkswagen', 'Tiguan', 'SUV', 'Benzin,Dizel', 2012, 2025, 31000, 'Trend&Fun,Comfortline,R-Line'],
  ['Volkswagen', 'Caddy', 'Minivan', 'Dizel', 2011, 2025, 23500, 'Trendline,Comfortline,Life'],
  ['Volkswagen', 'Transporter', 'Panelvan', 'Dizel', 2011, 2024, 30000, 'City Van,Camlı Van'],
  ['Volvo', 'XC40', 'SUV', 'Benzin,Hibrit', 2018, 2025, 36500, 'Momentum,Inscription,R-Design'],
];

export const DEMO_MODELS: readonly DemoModel[] = MODELS.map(
  ([brand, model, body, fuels, first, last, price, trims, country]) => ({
    brand,
    model,
    body,
    fuels: fuels.split(',') as Fuel[],
    years: [first, last] as const,
    price,
    trims: trims.split(','),
    country: country ?? null,
  }),
);

const words = (text: string): string[] => text.split(',').map((word) => word.trim());

/** White, black and grey are what most cars are. */
export const DEMO_COLORS = words(
  `Beyaz, Beyaz, Beyaz, Beyaz, Siyah, Siyah, Siyah, Gri, Gri, Gri, Gümüş, Gümüş, Füme, Füme, Lacivert, Mavi, Mavi, Kırmızı, Kırmızı,
   Bordo, Kahverengi, Bej, Turuncu, Yeşil`,
);

export interface DemoCity {
  readonly name: string;
  /** The number Turkish plates of the province begin with. */
  readonly code: string | null;
  readonly streets: readonly string[];
}

const city = (name: string, code: string | null, streets: string): DemoCity => ({ name, code, streets: words(streets) });

export const DEMO_CITIES: Readonly<Record<Country, readonly DemoCity[]>> = {
  KKTC: [
    city('Girne', null, 'Ziya Rızkı Caddesi, Bedrettin Demirel Caddesi, Naci Talat Caddesi, Karaoğlanoğlu Caddesi'),
    city('Gazimağusa', null, 'Salamis Yolu, İsmet İnönü Bulvarı, Gazi Mustafa Kemal Bulvarı, Larnaka Yolu'),
    city('Lefkoşa', null, 'Mehmet Akif Caddesi, Bedrettin Demirel Caddesi, Şht. Mustafa Ahmet Ruso Caddesi, Kemal Aşık Caddesi'),
    city('İskele', null, 'Atatürk Caddesi, Boğaz Yolu, Cengiz Topel Caddesi'),
    city('Güzelyurt', null, 'Ecevit Caddesi, Piyale Paşa Caddesi, Kutlu Adalı Sokak'),
  ],
  TR: [
    city('İstanbul', '34', 'Bağdat Caddesi, Barbaros Bulvarı, E-5 Yan Yol, Sanayi Caddesi'),
    city('Ankara', '06', 'Atatürk Bulvarı, Eskişehir Yolu, İvedik Caddesi, Turan Güneş Bulvarı'),
    city('İzmir', '35', 'Mithatpaşa Caddesi, Anadolu Caddesi, Ankara Asfaltı, Yeşillik Caddesi'),
    city('Bursa', '16', 'Fatih Sultan Mehmet Bulvarı, İzmir Yolu, Ankara Yolu'),
    city('Antalya', '07', 'Aspendos Bulvarı, Işıklar Caddesi, Gazi Bulvarı'),
    city('Adana', '01', 'Turhan Cemal Beriker Bulvarı, Ziyapaşa Bulvarı, Kasım Gülek Bulvarı'),
    city('Konya', '42', 'Ankara Yolu, Yeni İstanbul Caddesi'),
    city('Gaziantep', '27', 'İpek Yolu, Fevzi Çakmak Bulvarı'),
    city('Mersin', '33', 'Gazi Mustafa Kemal Bulvarı, Adnan Menderes Bulvarı'),
    city('Samsun', '55', 'Atatürk Bulvarı, 100. Yıl Bulvarı'),
  ],
};

/** The names of the first three dealers; the others are combined from the lists below. */
export const DEMO_DEALERS: readonly { readonly name: string; readonly country: Country; readonly city: string }[] = [
  { name: 'Beşparmak Oto Galeri', country: 'KKTC', city: 'Girne' },
  { name: 'Boğaz Otomotiv', country: 'TR', city: 'İstanbul' },
  { name: 'Surlariçi Motors', country: 'KKTC', city: 'Gazimağusa' },
];
export const DEALER_NAMES = words(
  'Akasya, Çınar, Deniz, Doruk, Ece, Fener, Güneş, Harman, Işık, Kartal, Kaya, Lale, Mercan, Nar, Oba, Palmiye, Rüzgâr, Selvi, Şafak, Tepe, Umut, Ülkü, Yakamoz, Zeytin',
);
export const DEALER_KINDS = words('Otomotiv, Oto Galeri, Motors, Oto Market, Araç Merkezi, Oto Center');

export const FIRST_NAMES = words(
  `Ahmet, Ali, Arda, Barış, Berk, Burak, Can, Cem, Cemal, Deniz, Doğukan, Emre, Erhan, Fatih, Ferhat, Gökhan, Halil, Hasan, Hüseyin,
   İbrahim, İsmail, Kemal, Kerem, Levent, Mehmet, Mert, Murat, Mustafa, Oğuz, Okan, Onur, Orhan, Osman, Ömer, Özgür, Ramazan, Salih,
   Selim, Serkan, Süleyman, Şükrü, Tolga, Tuncay, Uğur, Umut, Volkan, Yasin, Yusuf, Aslı, Ayşe, Ayşegül, Beste, Buse, Büşra, Canan,
   Ceren, Çiğdem, Derya, Dilek, Ebru, Ece, Elif, Emine, Esra, Fatma, Gamze, Gizem, Gül, Gülşen, Hatice, Havva, Işıl, İpek, Kübra,
   Leyla, Melis, Meltem, Merve, Nazlı, Nergis, Nuray, Özge, Özlem, Pelin, Pınar, Seda, Selin, Sevgi, Sibel, Songül, Şebnem, Tuğba,
   Tülay, Yasemin, Yeliz, Zehra, Zeynep`,
);
export const LAST_NAMES = words(
  `Acar, Akbulut, Akın, Aksoy, Aktaş, Arslan, Aslan, Avcı, Aydın, Bayraktar, Bilgin, Bozkurt, Bulut, Can, Ceylan, Coşkun, Çakır,
   Çelik, Çetin, Çiftçi, Dağlı, Demir, Demirci, Deniz, Doğan, Duman, Ekinci, Erbil, Erdem, Erdoğan, Ergün, Eroğlu, Ertuğrul, Gazioğlu,
   Güler, Gültekin, Gündüz, Güneş, Güngör, Gürsoy, Işık, İnce, Kaplan, Kara, Karaca, Karakaş, Karataş, Kavaz, Kaya, Keser, Kılıç,
   Kırmızı, Koç, Korkmaz, Köse, Kurt, Kuş, Mavi, Oral, Öncü, Öz, Özbek, Özcan, Özdemir, Özer, Özgürgün, Özkan, Öztürk, Polat, Sarı,
   Sert, Sezer, Şahin, Şen, Şimşek, Taş, Tekin, Toprak, Tuna, Tunç, Turan, Türk, Uçar, Uysal, Uzun, Ünal, Ünsal, Yalçın, Yaman, Yavuz,
   Yıldırım, Yıldız, Yılmaz, Yorgancı, Yüksel, Zorlu`,
);

export const DESCRIPTIONS = words(
  `Tek elden düzenli bakımlı, Değişensiz ve boyasız, İki parça lokal boya, Yetkili servis bakımlı, Cam tavan ve geri görüş kamerası,
   İçi dışı temiz, Masrafsız, Takas olur, Muayenesi yeni, Lastikleri yeni, Hatasız ve orijinal, Kış lastikleri ile birlikte,
   Japonya'dan yeni geldi, Aile aracı`,
);
/** Suffixes of a company that is named after a family. */
export const COMPANY_TRADES: readonly string[] = [
  ...['İnşaat Ltd.', 'Turizm Ltd.', 'Gıda San. ve Tic. Ltd. Şti.', 'Lojistik A.Ş.', 'Tekstil Ltd. Şti.', 'Rent a Car Ltd.'],
];

export const CUSTOMER_NOTES = words(
  'Akşam aranmak istiyor, Takas düşünüyor, SUV bakıyor, Eski müşteri, Arkadaş tavsiyesi ile geldi, Kefil getirecek, WhatsApp tercih ediyor',
);
