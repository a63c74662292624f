// Guesses which column of a file is which of our fields, by the headers that dealers, portals and programs use. A guess only fills in
// a form, where the person sees it beside the column's values and can change it.
import { foldWord } from '../formats/fold-text.ts';

/** Usual headers, folded and without spaces and marks, the most certain first. Our own field names count too. */
const NAMES: Readonly<Record<string, string>> = {
  // Vehicles
  plate:
    'plaka plakano plakasi aracplakasi aracplaka plakanumarasi plk plakalar licenseplate registration regno reg numberplate plate tescilplakasi plakatescil plakanosu ruhsatplaka registrationno vehiclereg',
  brand: 'marka markasi aracmarkasi aracmarka markaadi make manufacturer uretici brand ureticifirma otomarka mrk',
  model:
    'model modeladi modeli aracmodeli aracmodel seri serimodel serisi modelserisi modeltipi modelitipi modeliserisi modelkodu tipi tip araccinsi cinsi modelname modelleri',
  model_year:
    'modelyili modelyil yil yili uretimyili uretimyil imalatyili year modelyear yearofmanufacture imalyili modelsene sene aracyili yas yilmodel yilimodeli ureryili myil mdlyili modelyear regyear',
  km: 'km kilometre kilometresi kmsi aracinkmsi aracinkilometresi mileage odometer yaptigikm guncelkm gostergekm kmsayaci katettigikm kmdurumu kms kilometer kilometers gosterge kmbilgisi aractakikm toplamkm kmkm sonkm',
  fuel_type:
    'yakit yakittipi yakitturu yakitcinsi yakiti yakitsekli fuel fueltype yakitsistemi yakitcesidi motortipi motorturu yktipi kullandigiyakit petroldiesel',
  transmission:
    'vites vitestipi vitesturu vitesi sanziman sanzimantipi sanzimanturu gearbox gear transmission vitessekli vitesdurumu viteskutusu gears',
  body_type:
    'kasatipi kasa kasaturu kasasi govdetipi govde karoser karoseri karoseritipi bodytype body kasasekli govdeturu bodystyle arackasasi arackasatipi aractipi aracturu aracsinifi segment sinif vehicletype',
  color: 'renk rengi aracrengi aracinrengi disrenk colour color renkkodu govderengi exteriorcolour exteriorcolor renkler',
  city: 'sehir sehri il ili konum bolge city location kaza ilce bulunduguil bulundugusehir bulunduguyer ilkonum ililce adresil lokasyon yer stokyeri',
  price:
    'fiyat fiyati satisfiyati ilanfiyati listefiyati etiketfiyati etiket price saleprice tutar fiyattl fiyatstg satisfiyat istenenfiyat istenen satisbedeli bedel pesinfiyat pesinfiyati pesinsatisfiyati guncelfiyat aracfiyati sonfiyat sellingprice askingprice retailprice satilikfiyati perakendefiyat sf satistutari vitrinfiyati kdvdahilfiyat internetfiyati',
  currency:
    'parabirimi doviz dovizcinsi dovizturu kur birim currency fiyatbirimi fiyatdovizi fiyatparabirimi pb parabirim dovizkodu satisdovizi cur ccy parabrm fiyatdoviz',
  trim: 'paket paketi donanim donanimpaketi versiyon versiyonu motordonanim trim version variant donanimi donanimtipi donanimseviyesi modelpaketi paketdonanim aracpaketi trimlevel donanimmotor altmodel',
  description:
    'aciklama aciklamasi aciklamalar ilanaciklamasi aracaciklamasi detay description details ilandetayi aracdetayi aracnotu notlar not notes note remarks comments ilanbasligi ilanmetni ekbilgi diger ozellik',
  branch_id: 'subeid branchid',
  stock_date:
    'stoktarihi stokgiristarihi giristarihi alistarihi alimtarihi gelistarihi stockdate dateinstock stogagiris stogagiristarihi galeriyegelis galeriyegelistarihi aracingelistarihi alinmatarihi alindigitarih kayittarihi girist tarih satinalmatarihi gelisgunu purchasedate datein arrivaldate stokgiris alist',
  source:
    'kaynak alimsekli temin teminsekli edinim edinimsekli alissekli nasilalindi alimturu gelissekli acquiredby stokturu stoktipi sahiplik',
  external_ref:
    'stokno stokkodu stoknumarasi ilanno ilannumarasi aracid arackodu aracno aracnumarasi referans referansno refno musterino musterikodu musteriid carikodu carino carihesapkodu hesapkodu kayitno dosyano id ref reference externalid sku stockno stockid stocknumber listingid listingno portalno barkod ilanid',
  purchase_price:
    'alisfiyati alisfiyat alisbedeli alisfiyatitl alimfiyati alimbedeli maliyet maliyeti purchaseprice cost costprice alis alistutari gelisfiyati alimtutari maliyetfiyati satinalmafiyati satinalmabedeli buyingprice af',
  purchase_currency: 'alisparabirimi alisdovizi alisdovizcinsi purchasecurrency alispb maliyetparabirimi maliyetdovizi',
  customs_fee:
    'gumruk gumrukmasrafi gumrukbedeli gumrukvergisi gumrukucreti customs customsfee gumruktutari gumrukleme duty importduty gumrukmasraflari',
  other_costs:
    'digermasraflar masraf masraflar masrafi masraftutari othercosts expenses digergiderler gider giderler ekmasraf ekmasraflar toplammasraf aracmasrafi yapilanmasraf digermasraf',
  chassis_no:
    'sasi sasino saseno sase sasinumarasi sasenumarasi sasisi vin vinno vinnumber chassis chassisno chassisnumber framenumber sasinosu sasenosu sassino sasino17 aracsasino vinsasi',
  engine_no: 'motorno motornumarasi engineno enginenumber motorseri motorserino motornosu motorn',
  engine_cc:
    'motorhacmi motorhacim motorhacmicc motorhacmicm3 motorhacmi cc hacim hacmi silindirhacmi enginesize enginecc enginecapacity motorcc capacity motorkapasitesi silindirhacim motorboyutu litre cm3 engine motor motorgucuhacmi cubiccapacity',
  power_hp:
    'motorgucu motorgucuhp motorgucubg beygir beygirgucu hp bg power guc gucu powerhp motorgucuhpbg horsepower maksimumguc bhp gucuhp gucbg',
  drive:
    'cekis cekisi cekistipi cekisturu ceker drive drivetrain drivetype ondenarkadancekis tahrik cekissistemi aktarma wheeldrive',
  steering:
    'direksiyon direksiyonu direksiyonyonu direksiyontarafi direksiyonyeri steering steeringside driveside sagsoldireksiyon direksiyonsagsol handdrive',
  doors: 'kapi kapisayisi kapiadedi doors door numberofdoors kapilar noofdoors',
  seats:
    'koltuk koltuksayisi koltukadedi seats oturmayeri kisisayisi yolcukapasitesi oturmakapasitesi numberofseats seatcount kisikapasitesi',
  owners:
    'sahipsayisi kacinciel kacincisahip oncekisahip oncekisahipsayisi elsayisi sahip owners previousowners numberofowners kullanicisayisi kacsahip sahipadedi formerkeepers kacincisahibi',
  inspection_until:
    'muayene muayenetarihi muayenebitis muayenebitistarihi muayenegecerlilik tuvturk tuvturktarihi muayenesi inspection inspectionuntil mot motexpiry motdate motuntil seyrusefer seyrusefertarihi vize vizetarihi muayenegecerliliktarihi muayenesonu',
  equipment:
    'donanimlar donanimlistesi ozellikler ozellikleri aksesuar aksesuarlar equipment features extras ekstralar ekstra opsiyonlar options ekdonanim techizat',
  warranty:
    'garanti garantisi garantidurumu garantibitis garantisuresi warranty guarantee garantibilgisi garantivarmi warrantyuntil',
  // Customers
  first_name: 'ad adi isim ismi musteriadi musteriisim firstname name givenname forename onad adadi musterininadi',
  last_name: 'soyad soyadi soyisim soyismi musterisoyadi lastname surname familyname musterisoyad soyadisoyad musterininsoyadi',
  phone:
    'telefon tel telefonu telefonno telno telefonnumarasi cep ceptel cepno ceptelefonu ceptelefon ceptelefonno gsm gsmno gsmnumarasi mobil phone mobile mobileno mobilephone phonenumber phoneno iletisim iletisimno irtibat irtibatno irtibattel musteritelefonu whatsapp numara telefon1 tel1 ceptel1 contactno',
  email: 'eposta epostaadresi epostasi email emailadresi emailadres mail mailadresi eposta1 mail1 elektronikposta emailaddress',
  risk_level: 'risk riskseviyesi riskdurumu risklevel riskgrubu riskduzeyi riskpuani',
  kind: 'musteritipi musterituru kayitturu customertype customerkind caritipi carituru tur turu gercektuzel sahissirket',
  company_name:
    'unvan unvani sirket sirketadi sirketismi firma firmaadi firmaunvani sirketunvani ticariunvan ticariunvani company companyname cariunvan cariunvani kurumadi isyeri firmaismi',
  tax_office: 'vergidairesi vergidairesiadi vergidadi vdairesi vd taxoffice bagliolduguvergidairesi',
  tax_no: 'vergino verginumarasi vkn vergikimlikno vergikimliknumarasi taxno taxnumber taxid vatno vkntckn verginosu',
  notice_given_on: 'kvkktarihi aydinlatmatarihi noticegivenon kvkk kvkkonaytarihi kvkkonay aydinlatma',
  reminder_opt_out: 'hatirlatmaistemiyor reminderoptout smsistemiyor mesajistemiyor aranmakistemiyor',
  note: 'not notlar note notes aciklama aciklamalar yorum musterinotu remarks comments dusunceler notu',
  id_no:
    'kimlikno tckimlikno tckn tcno tckimlik kimliknumarasi tckimliknumarasi kimlik tc pasaportno pasaport idno identitynumber idnumber passport passportno vatandaslikno nufusno kktckimlikno kimlikkartino kimliknosu ykn',
  address:
    'adres adresi acikadres evadresi address ikametgah ikametadresi ikamet isadresi musteriadresi tebligatadresi homeaddress fulladdress',
  monthly_income: 'gelir geliri ayliggelir aylikgelir aylikgeliri maas maasi income monthlyincome aylikkazanc netmaas salary',
  birth_date: 'dogumtarihi dogumgunu dogum dogumt birthdate dateofbirth dob birthday dtarihi dogtar',
};

/** One column with two of our fields in it: "Renault Clio 1.5 dCi", "Ayşe Yılmaz". */
const TOGETHER: readonly { readonly fields: readonly [string, string]; readonly names: readonly string[] }[] = [
  {
    fields: ['brand', 'model'],
    names:
      'markamodel markamodeli markavemodel markavemodeli markamodeltipi markamodelpaket arac araclar aracadi aracbilgisi aracmarkamodel markaseri makemodel makeandmodel vehicle car aracmarkamodeli markasimodeli modelmarka markamodelversiyon aracinmarkasimodeli otomobil'.split(
        ' ',
      ),
  },
  {
    fields: ['first_name', 'last_name'],
    names:
      'adsoyad adisoyadi advesoyad adivesoyadi adsoyadi adisoyad musteri musteriadisoyadi musteriadsoyad isimsoyisim isimsoyad adsoyisim fullname customer customername musteriler musteriismi alici aliciadisoyadi namesurname yetkili cariadi cari hesapadi nameandsurname'.split(
        ' ',
      ),
  },
];

const LISTS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(NAMES).map(([field, names]) => [field, [...new Set(names.split(' ').map(foldWord))]]),
);

/** Every spelling of a field. */
export const spellingsOf = (field: string): readonly string[] => LISTS.get(field) ?? [];

/**
 * A column name for comparison, in its possible readings: "Fiyat (TL)" is fiyattl and fiyat, "arac.plaka" is aracplaka and plaka,
 * "KM.si" is kmsi.
 */
export function columnWords(column: string): readonly string[] {
  const text = column.slice(0, 200);
  const bare = text.replace(/[([{].*/s, '');
  const last = bare.split(/[./]/).filter(Boolean).at(-1) ?? bare;
  return [...new Set([foldWord(bare), foldWord(text), foldWord(last)])].filter((word) => word !== '');
}

/** Shorter names must match completely, because "il" is part of "kilometre". */
const MIN_PART_LENGTH = 4;

const fieldWord = (field: string): string => field.replaceAll('_', '');

function wordLikeness(names: readonly string[], own: string | null, word: string): number {
  if (word === own) return 1000;
  const whole = names.indexOf(word);
  if (whole >= 0) return 900 - whole;
  const parts = names
    .filter((name) => name.length >= MIN_PART_LENGTH && word.includes(name))
    .map((name) => name.length / word.length);
  return parts.length === 0 ? 0 : 100 * Math.max(...parts);
}

/** The first reading counts most. */
const READING_COST = 40;

/** How likely the column is this field; 0 means not at all. */
const likeness = (field: string, words: readonly string[]): number =>
  Math.max(0, ...words.map((word, place) => wordLikeness(spellingsOf(field), fieldWord(field), word) - place * READING_COST));

/** The field that a header names with certainty, or null. */
export function fieldOfHeader(fields: readonly string[], column: string): string | null {
  const words = columnWords(column).slice(0, 2);
  return (
    fields.find((field) => words.includes(fieldWord(field)) || words.some((word) => spellingsOf(field).includes(word))) ?? null
  );
}

/** By the whole name: of "Marka / Model", the last part alone is a model. */
const isOfBoth = (names: readonly string[], words: readonly string[]): boolean =>
  words.slice(0, 2).some((word) => names.includes(word));

/** Field → column. */
export type GuessedColumns = Readonly<Record<string, string>>;

/** About half of the column's name must be a known name. */
const MIN_SCORE = 40;

/** Takes the most likely pairs first; a column is used once, or for two fields that it holds together. */
export function guessColumns(fields: readonly string[], columns: readonly string[]): GuessedColumns {
  const words = new Map(columns.map((column) => [column, columnWords(column)]));
  const pairs = fields.flatMap((field) =>
    columns.map((column) => ({ field, column, score: likeness(field, words.get(column)!) })),
  );
  const found: Record<string, string> = {};
  const used = new Set<string>();
  const both = TOGETHER.filter((one) => one.fields.every((field) => fields.includes(field))).map((one) => ({
    ...one,
    column: columns.find((column) => isOfBoth(one.names, words.get(column)!)),
  }));
  const take = (least: number) => {
    for (const { field, column, score } of pairs.toSorted((one, other) => other.score - one.score)) {
      const isShared = least === WHOLE_SCORE && both.some((one) => one.column === column);
      if (score < least || found[field] !== undefined || used.has(column) || isShared) continue;
      found[field] = column;
      used.add(column);
    }
  };
  take(WHOLE_SCORE);
  for (const { fields: two, column } of both) {
    if (column === undefined || used.has(column) || two.every((field) => found[field] !== undefined)) continue;
    // A column of both fields beside one of a single field: "Marka Model" and "Marka".
    for (const field of two) if (found[field] === undefined) found[field] = column;
    used.add(column);
  }
  take(MIN_SCORE);
  return found;
}

/** The score of a whole name. */
const WHOLE_SCORE = 500;

const KNOWN: ReadonlySet<string> = new Set([
  ...[...LISTS].flatMap(([field, names]) => [fieldWord(field), ...names]),
  ...TOGETHER.flatMap(({ names }) => names),
  ...'sirano sira sno no tramer boya degisen durum durumu hasar ekspertiz ruhsat anahtar lastik takas kredi vade taksit pesinat foto resim kar karzarar sn'.split(
    ' ',
  ),
]);

/** Whether the cell is a header of any list that dealers keep. */
export const isKnownHead = (cell: string): boolean => cell.length <= 80 && columnWords(cell).some((word) => KNOWN.has(word));
