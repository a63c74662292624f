// The headers of dealers' files, and the field that each is.
import { describe, expect, test } from 'vitest';
import { guessColumns, isKnownHead } from '../../../src/domain/imports/column-names.ts';

const VEHICLES: Readonly<Record<string, string>> = {
  plate: 'Plaka|PLAKA|Plaka No|Plaka Nosu|Araç Plakası|PLK.|Plaka Numarası|Tescil Plakası|Reg. No|Number Plate|Plakası',
  brand: 'Marka|MARKASI|Araç Markası|Marka Adı|Make|Manufacturer|Üretici|Brand',
  model: 'Model|MODELİ|Modeli / Tipi|Model / Tip|Model Adı|Araç Modeli|Seri|Seri / Model|Serisi|Model-Tipi|Tipi',
  model_year: 'Model Yılı|MODEL YILI|Yıl|Yılı|Üretim Yılı|İmalat Yılı|Year|Model Year|Mdl. Yılı|Sene|Year of Manufacture',
  km: 'KM|Km|KM.si|Km.|Kilometre|KİLOMETRESİ|Kilometresi|Güncel KM|Gösterge KM|Mileage|Odometer|Yaptığı KM|Km Sayacı|KM (bin)|Aracın Kilometresi',
  fuel_type: 'Yakıt|YAKIT TİPİ|Yakıt Türü|Yakıt Cinsi|Yakıtı|Fuel|Fuel Type|Motor Tipi',
  transmission: 'Vites|VİTES TİPİ|Vites Türü|Şanzıman|Şanzıman Tipi|Vitesi|Gearbox|Transmission',
  body_type: 'Kasa|Kasa Tipi|KASA TİPİ|Kasa Türü|Gövde Tipi|Karoser|Karoseri|Body Type|Body|Kasası|Araç Tipi',
  color: 'Renk|RENGİ|Rengi|Araç Rengi|Dış Renk|Colour|Color',
  city: 'Şehir|İl|ŞEHİR|Konum|İlçe|Bölge|City|Bulunduğu Şehir|Lokasyon|Bulunduğu İl',
  price:
    'Fiyat|FİYATI|Fiyat (TL)|Fiyat (STG)|Fiyat £|Satış Fiyatı|SATIŞ FİYATI|Satış Fiyatı (TL)|İlan Fiyatı|Liste Fiyatı|Etiket Fiyatı|Peşin Fiyat|İstenen Fiyat|Satış Bedeli|Price|Price (GBP)|Sale Price|Fiyat TL|Fiyat STG|Asking Price|Son Fiyat',
  currency: 'Para Birimi|PARA BİRİMİ|Döviz|Döviz Cinsi|Döviz Türü|Currency|PB|Fiyat Para Birimi',
  trim: 'Paket|PAKETİ|Donanım|Donanım Paketi|Versiyon|Trim|Motor / Donanım|Alt Model',
  description: 'Açıklama|AÇIKLAMA|İlan Açıklaması|Açıklamalar|Description|Notlar|Remarks',
  stock_date:
    'Geliş Tarihi|GELİŞ TARİHİ|Stok Tarihi|Stok Giriş Tarihi|Giriş Tarihi|Alış Tarihi|Alım Tarihi|Galeriye Geliş|Date In|Stoğa Giriş|Kayıt Tarihi',
  external_ref: 'Stok No|STOK KODU|İlan No|Araç No|Araç Kodu|Referans|Ref. No|ID|Stock No|İlan Numarası|Dosya No',
  purchase_price: 'Alış Fiyatı|ALIŞ|Alış Bedeli|Maliyet|Maliyeti|Alım Fiyatı|Cost|Alış Fiyatı (TL)|Purchase Price|Geliş Fiyatı',
  customs_fee: 'Gümrük|Gümrük Masrafı|Gümrük Vergisi|Customs',
  other_costs: 'Masraf|Masraflar|Diğer Masraflar|Ek Masraf|Expenses',
  chassis_no: 'Şase No|ŞASİ NO|Şasi|Şasi Numarası|VIN|Vin No|Chassis No|Şase|Chassis Number',
  engine_no: 'Motor No|MOTOR NO|Motor Numarası|Engine No|Motor Seri No',
  engine_cc: 'Motor Hacmi|MOTOR HACMİ|Motor Hacmi (cc)|Silindir Hacmi|CC|Motor Hacim|Engine Size|Hacim',
  power_hp: 'Motor Gücü|Beygir|HP|Beygir Gücü|Motor Gücü (HP)|Power|BG|Güç',
  drive: 'Çekiş|ÇEKİŞ|Çekiş Tipi|Çekişi|Drivetrain|Drive',
  steering: 'Direksiyon|Direksiyon Yönü|Direksiyon Tarafı|Steering|Sağ/Sol Direksiyon',
  doors: 'Kapı|Kapı Sayısı|Doors|Kapı Adedi',
  seats: 'Koltuk|Koltuk Sayısı|Seats|Yolcu Kapasitesi',
  owners: 'Sahip Sayısı|Kaçıncı El|Önceki Sahip Sayısı|Previous Owners',
  inspection_until: 'Muayene|Muayene Tarihi|MUAYENE BİTİŞ|TÜVTÜRK|MOT Expiry|Seyrüsefer',
  equipment: 'Özellikler|Donanımlar|Aksesuarlar|Extras|Ekstralar',
  warranty: 'Garanti|Garantisi|Garanti Süresi|Warranty',
};

const CUSTOMERS: Readonly<Record<string, string>> = {
  first_name: 'Ad|ADI|Adı|İsim|Müşteri Adı|First Name|İsmi',
  last_name: 'Soyad|SOYADI|Soyadı|Soyisim|Müşteri Soyadı|Surname|Last Name',
  phone:
    'Telefon|TELEFON|Tel|Tel.|Tel No|Cep|Cep Tel|Cep Tel.|Cep Telefonu|GSM|Gsm No|Telefon No|İrtibat|Phone|Mobile|İletişim No',
  email: 'E-posta|E-Posta Adresi|Email|E-mail|Mail|MAİL ADRESİ',
  id_no: 'Kimlik No|T.C. Kimlik No|TC Kimlik No|TCKN|TC No|T.C. No|Kimlik Numarası|Pasaport No|KKTC Kimlik No',
  tax_no: 'Vergi No|VKN|Vergi Numarası|Vergi Kimlik No',
  tax_office: 'Vergi Dairesi|V.D.|V. Dairesi|Vergi D. Adı|Tax Office',
  company_name: 'Firma|Firma Adı|Şirket|Ünvan|UNVANI|Ticari Ünvan|Cari Ünvan|Company',
  address: 'Adres|ADRESİ|Açık Adres|Ev Adresi|İkametgah|Address',
  birth_date: 'Doğum Tarihi|DOĞUM TARİHİ|Doğum T.|D. Tarihi|Date of Birth|Doğum Günü',
  monthly_income: 'Aylık Gelir|Gelir|Maaş|Aylık Geliri|Income',
  note: 'Not|Notlar|NOT|Açıklama|Note',
  external_ref: 'Müşteri No|Cari Kodu|Cari Hesap Kodu|Müşteri Kodu',
  kind: 'Müşteri Tipi|Cari Türü|Müşteri Türü|Şahıs/Şirket',
};

const headersOf = (lists: Readonly<Record<string, string>>) =>
  Object.entries(lists).flatMap(([field, headers]) => headers.split('|').map((header) => [header, field] as const));

describe('a header', () => {
  test('the lists have at least 150 of them', () => {
    expect(headersOf(VEHICLES).length + headersOf(CUSTOMERS).length).toBeGreaterThanOrEqual(150);
  });

  const fieldFor = (lists: Readonly<Record<string, string>>, header: string) =>
    Object.keys(guessColumns(Object.keys(lists), [header]));

  test.each(headersOf(VEHICLES))('of cars, %j is %s', (header, field) => {
    expect(fieldFor(VEHICLES, header)).toEqual([field]);
  });

  test.each(headersOf(CUSTOMERS))('of customers, %j is %s', (header, field) => {
    expect(fieldFor(CUSTOMERS, header)).toEqual([field]);
  });

  test.each(['Marka Model', 'Marka / Model', 'MARKA-MODEL', 'Araç', 'Marka ve Modeli'])(
    '%j is brand and model together',
    (header) => {
      expect(guessColumns(['plate', 'brand', 'model', 'trim'], ['Plaka', header])).toEqual({
        plate: 'Plaka',
        brand: header,
        model: header,
      });
    },
  );

  test.each(['Ad Soyad', 'Adı Soyadı', 'AD-SOYAD', 'Müşteri', 'İsim Soyisim', 'Müşteri Adı Soyadı', 'Full Name'])(
    '%j is the first and the last name',
    (header) => {
      expect(guessColumns(['first_name', 'last_name', 'phone'], [header])).toEqual({ first_name: header, last_name: header });
    },
  );

  test.each(['Sıra No', 'Tramer', 'Boya / Değişen', 'Durumu', 'Anahtar', '', '???', '34 ABC 12', '1.250.000'])(
    '%j is no field',
    (header) => {
      expect(guessColumns(Object.keys(VEHICLES), [header])).toEqual({});
    },
  );

  test('is distinguished from the data below it', () => {
    expect(['Plaka', 'KM.si', 'Fiyat (STG)', 'Sıra No', 'Modeli / Tipi'].map(isKnownHead)).toEqual([
      true,
      true,
      true,
      true,
      true,
    ]);
    expect(['34 ABC 12', 'Volkswagen', '84.000', 'Dizel', 'ARALIK 2025 STOK LİSTESİ'].map(isKnownHead)).toEqual([
      false,
      false,
      false,
      false,
      false,
    ]);
  });
});
