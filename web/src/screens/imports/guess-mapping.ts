// Guesses which column of a file is which of our fields, by usual column names. A guess only fills in the form, where the person
// sees it beside the column's values and can change it.
import { fold } from '../../fold.ts';
import { fieldsOf, type OurField, specOf, type Target } from './fields.ts';

/** Our field → the file's column. */
export type Mapping = Readonly<Partial<Record<OurField, string>>>;

/** Usual column names, folded and without spaces, the most certain first. Our own field names count too. */
const NAMES: Readonly<Record<OurField, readonly string[]>> = {
  plate: ['plaka', 'plakano', 'aracplakasi', 'plakanumarasi', 'licenseplate', 'registration', 'numberplate'],
  brand: ['marka', 'aracmarkasi', 'markaadi', 'make', 'manufacturer', 'uretici'],
  model: ['model', 'modeladi', 'aracmodeli', 'seri', 'serimodel'],
  model_year: ['modelyili', 'yil', 'yili', 'uretimyili', 'imalatyili', 'year', 'modelyear', 'yearofmanufacture'],
  km: ['km', 'kilometre', 'kilometresi', 'mileage', 'odometer', 'yaptigikm', 'guncelkm'],
  fuel_type: ['yakit', 'yakittipi', 'yakitturu', 'yakitcinsi', 'fuel', 'fueltype'],
  transmission: ['vites', 'vitestipi', 'vitesturu', 'sanziman', 'sanzimantipi', 'gearbox', 'gear', 'transmission'],
  body_type: ['kasatipi', 'kasa', 'kasaturu', 'govdetipi', 'govde', 'karoser', 'bodytype', 'body', 'karoseri'],
  color: ['renk', 'rengi', 'aracrengi', 'colour', 'color'],
  city: ['sehir', 'il', 'konum', 'bolge', 'city', 'location', 'kaza', 'ilce'],
  price: ['fiyat', 'fiyati', 'satisfiyati', 'ilanfiyati', 'listefiyati', 'etiketfiyati', 'price', 'saleprice', 'tutar'],
  currency: ['parabirimi', 'doviz', 'dovizcinsi', 'dovizturu', 'kur', 'birim', 'currency', 'fiyatbirimi'],
  trim: ['paket', 'donanim', 'donanimpaketi', 'versiyon', 'motordonanim', 'trim', 'version', 'variant'],
  description: ['aciklama', 'ilanaciklamasi', 'aracaciklamasi', 'detay', 'description', 'details'],
  engine_cc: ['motorhacmi', 'hacim', 'motorhacim', 'silindirhacmi', 'cc', 'enginesize', 'enginecc', 'enginecapacity'],
  power_hp: ['motorgucu', 'beygir', 'beygirgucu', 'guc', 'hp', 'bg', 'ps', 'power', 'horsepower'],
  drive: ['cekis', 'cekistipi', 'cekisturu', 'drive', 'drivetrain', 'drivetype'],
  steering: ['direksiyon', 'direksiyonyonu', 'direksiyontarafi', 'steering', 'steeringside', 'handdrive'],
  doors: ['kapisayisi', 'kapi', 'kapiadedi', 'doors', 'numberofdoors'],
  seats: ['koltuksayisi', 'koltuk', 'koltukadedi', 'seats', 'numberofseats'],
  owners: ['sahipsayisi', 'kacincisahip', 'kacincisahibinden', 'owners', 'previousowners', 'numberofowners'],
  inspection_until: ['muayene', 'muayenetarihi', 'muayenebitis', 'muayenebitistarihi', 'inspectionuntil', 'mot', 'motexpiry'],
  equipment: ['donanimlar', 'donanimlistesi', 'ozellikler', 'ekstralar', 'aksesuarlar', 'equipment', 'features', 'extras'],
  warranty: ['garanti', 'garantisuresi', 'garantidurumu', 'warranty', 'guarantee'],
  branch_id: ['subeid', 'branchid'],
  stock_date: ['stoktarihi', 'stokgiristarihi', 'giristarihi', 'alistarihi', 'stockdate', 'dateinstock'],
  source: ['kaynak', 'alimsekli', 'temin', 'teminsekli', 'edinim'],
  external_ref: [
    'stokno',
    'stokkodu',
    'ilanno',
    'ilannumarasi',
    'aracid',
    'arackodu',
    'aracno',
    'referans',
    'referansno',
    'refno',
    'musterino',
    'musterikodu',
    'musteriid',
    'carikodu',
    'carino',
    'kayitno',
    'id',
    'ref',
    'reference',
    'externalid',
    'sku',
  ],
  purchase_price: ['alisfiyati', 'alisbedeli', 'maliyet', 'purchaseprice', 'cost', 'alis'],
  purchase_currency: ['alisparabirimi', 'alisdovizi', 'purchasecurrency'],
  customs_fee: ['gumruk', 'gumrukmasrafi', 'gumrukbedeli', 'customs', 'customsfee'],
  other_costs: ['digermasraflar', 'masraf', 'masraflar', 'othercosts', 'expenses'],
  chassis_no: ['sasi', 'sasino', 'saseno', 'sase', 'sasinumarasi', 'vin', 'vinno', 'chassis', 'chassisno'],
  engine_no: ['motorno', 'motornumarasi', 'engineno', 'enginenumber'],
  first_name: ['ad', 'adi', 'isim', 'ismi', 'musteriadi', 'firstname', 'name', 'givenname'],
  last_name: ['soyad', 'soyadi', 'soyisim', 'soyismi', 'musterisoyadi', 'lastname', 'surname', 'familyname'],
  phone: ['telefon', 'tel', 'telefonno', 'telno', 'cep', 'ceptel', 'ceptelefonu', 'gsm', 'gsmno', 'mobil', 'phone', 'mobile'],
  email: ['eposta', 'epostaadresi', 'email', 'emailadresi', 'mail', 'mailadresi'],
  risk_level: ['risk', 'riskseviyesi', 'riskdurumu', 'risklevel'],
  kind: ['musteritipi', 'musterituru', 'kayitturu', 'customertype', 'customerkind'],
  company_name: [
    'unvan',
    'unvani',
    'sirket',
    'sirketadi',
    'firma',
    'firmaadi',
    'sirketunvani',
    'ticariunvan',
    'company',
    'companyname',
  ],
  tax_office: ['vergidairesi', 'vd', 'taxoffice'],
  tax_no: ['vergino', 'verginumarasi', 'vkn', 'vergikimlikno', 'taxno', 'taxnumber', 'taxid'],
  notice_given_on: ['kvkktarihi', 'aydinlatmatarihi', 'noticegivenon'],
  reminder_opt_out: ['hatirlatmaistemiyor', 'reminderoptout'],
  note: ['not', 'notlar', 'note', 'notes', 'aciklama', 'yorum'],
  id_no: ['kimlikno', 'tckimlikno', 'tckn', 'tcno', 'tckimlik', 'kimliknumarasi', 'pasaportno', 'idno', 'identitynumber'],
  address: ['adres', 'adresi', 'acikadres', 'evadresi', 'address'],
  monthly_income: ['gelir', 'ayliggelir', 'aylikgelir', 'maas', 'income', 'monthlyincome'],
  birth_date: ['dogumtarihi', 'dogumgunu', 'birthdate', 'dateofbirth', 'dob'],
};

/** A column name for comparison: "Model Yılı *" → modelyili, "Fiyat (TL)" → fiyat, "@plaka" → plaka, "arac.plaka" → plaka. */
export function columnWord(column: string): string {
  const last = column.split(/[./]/).filter(Boolean).at(-1) ?? column;
  return fold(last.replace(/[([{].*/s, '')).replace(/[^a-z0-9]/g, '');
}

/** Shorter names must match completely, because "il" is part of "kilometre". */
const MIN_PART_LENGTH = 4;

/** How likely the column is this field; 0 means not at all. */
function likeness(field: OurField, word: string): number {
  if (word === '') return 0;
  if (word === field.replaceAll('_', '')) return 1000;
  const names = NAMES[field];
  const whole = names.indexOf(word);
  if (whole >= 0) return 900 - whole;
  const parts = names
    .filter((name) => name.length >= MIN_PART_LENGTH && word.includes(name))
    .map((name) => name.length / word.length);
  return parts.length === 0 ? 0 : 100 * Math.max(...parts);
}

/** Takes the most likely pairs first; each column is used for one field. */
export function guessMapping(target: Target, columns: readonly string[]): Mapping {
  const pairs = fieldsOf(target).flatMap((field) =>
    columns.map((column) => ({ field, column, score: likeness(field, columnWord(column)) })),
  );
  const found: Partial<Record<OurField, string>> = {};
  const used = new Set<string>();
  for (const { field, column, score } of pairs.toSorted((one, other) => other.score - one.score)) {
    if (score < MIN_SCORE || found[field] !== undefined || used.has(column)) continue;
    found[field] = column;
    used.add(column);
  }
  return found;
}

/** About half of the column's name must be a known name. */
const MIN_SCORE = 40;

/** Keeps chosen columns that the file still has, and guesses the rest. */
export function keepMapping(target: Target, chosen: Mapping, columns: readonly string[]): Mapping {
  const kept = Object.fromEntries(Object.entries(chosen).filter(([, column]) => columns.includes(column!)));
  const free = columns.filter((column) => !Object.values(kept).includes(column));
  const guessed = Object.entries(guessMapping(target, free)).filter(([field]) => !(field in kept));
  return inOrder(target, { ...Object.fromEntries(guessed), ...kept });
}

/** Sorted by our fields, so that equal mappings are equal texts. */
export const inOrder = <T>(target: Target, byField: Readonly<Record<string, T>>): Record<string, T> =>
  Object.fromEntries(
    fieldsOf(target)
      .filter((field) => byField[field] !== undefined)
      .map((field) => [field, byField[field]!]),
  );

/** Required fields without a column or a default. */
export const missingIn = (target: Target, mapping: Mapping, defaults: Readonly<Record<string, string>>): OurField[] =>
  fieldsOf(target).filter((field) => specOf(target, field)?.required && !mapping[field] && !defaults[field]);
