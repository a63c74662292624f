// Thirty files as dealers have them, with what a person answers where the file leaves a question open.
import {
  book,
  csv1254,
  csvUtf8,
  EXCEL,
  type FileCar,
  type FileCell,
  fileCars,
  GOOGLE,
  grouped,
  LIBRE,
} from '../../support/dealer-files.ts';

/** The panel's form, as far as an answer changes it. */
export interface FormValues {
  readonly defaults: Readonly<Record<string, string>>;
  readonly value_map: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

export interface DealerFile {
  readonly name: string;
  readonly program: 'Excel' | 'LibreOffice' | 'Google' | 'Windows-1254' | 'portal' | 'by hand';
  readonly target?: 'customers';
  readonly bytes: Buffer;
  /** How many records it has. */
  readonly records: number;
  /** The one question that it leaves open, and its answer. */
  readonly asks?: 'missing' | 'words' | 'numbers' | 'currency';
  readonly answer?: (values: FormValues) => Partial<FormValues>;
  /** The first car's price and currency. */
  readonly price?: string;
}

const defaults = (fields: Readonly<Record<string, string>>) => (values: FormValues) => ({
  defaults: { ...values.defaults, ...fields },
});

const HEAD = ['Plaka', 'Marka', 'Model', 'Model Yılı', 'KM', 'Yakıt', 'Vites', 'Kasa Tipi', 'Renk', 'Fiyat (STG)'];
const line = (car: FileCar): FileCell[] => [
  car.plate,
  car.brand,
  car.model,
  car.year,
  car.km,
  car.fuel,
  car.gear,
  car.body,
  car.color,
  car.price,
];
/** With some cells written otherwise. */
const lines = (cars: readonly FileCar[], as: (car: FileCar) => Readonly<Record<number, FileCell>> = () => ({})): FileCell[][] =>
  cars.map((car) => Object.assign(line(car), as(car)) as FileCell[]);

const withPrice = (title: string): string[] => [...HEAD.slice(0, 9), title];
const total = (cars: readonly FileCar[]): number => cars.reduce((sum, { price }) => sum + price, 0);

const excel = (): DealerFile[] => {
  const [a, b, c, d, e, f, g] = ['EA', 'EB', 'EC', 'ED', 'EE', 'EF', 'EG'].map((letters) => fileCars(letters, 8)) as FileCar[][];
  const upper = HEAD.map((title) => title.toLocaleUpperCase('tr'));
  const days = [...HEAD, 'Geliş Tarihi', 'Şase No'];
  return [
    { name: 'a plain table', program: 'Excel', bytes: book([HEAD, ...lines(a!)]), records: 8, price: '9500.00 STG' },
    {
      name: 'headers in capitals, below a title and an empty row',
      program: 'Excel',
      bytes: book([['STOK LİSTESİ'], null, upper, ...lines(b!)], { merges: ['A1:J1'] }),
      records: 8,
      price: '9500.00 STG',
    },
    {
      name: 'a total below',
      program: 'Excel',
      bytes: book([
        HEAD,
        ...lines(c!),
        ['TOPLAM', null, null, null, null, null, null, null, null, { formula: 'SUM(J2:J9)', value: total(c!) }],
      ]),
      records: 8,
      price: '9500.00 STG',
    },
    {
      name: 'kilometres and years as texts',
      program: 'Excel',
      bytes: book([HEAD, ...lines(d!, ({ km, year }) => ({ 3: `${year} model`, 4: `${grouped(km)} km` }))]),
      records: 8,
      price: '9500.00 STG',
    },
    {
      name: 'the table on the second sheet, after a cover',
      program: 'Excel',
      bytes: book([HEAD, ...lines(e!)], { before: { Kapak: [['GALERİ ÖRNEK'], ['Lefkoşa']] } }),
      records: 8,
      price: '9500.00 STG',
    },
    {
      name: 'days and chassis numbers, and a failed formula in a column of the dealer',
      program: 'Excel',
      bytes: book([
        [...days, 'Kâr'],
        ...f!.map((car, at) => [...line(car), { day: car.day }, `WVWZZZ1KZ${1000 + at}`, '#SAYI!']),
      ]),
      records: 8,
      price: '9500.00 STG',
    },
    {
      name: 'prices in the account’s currency without a word',
      program: 'Excel',
      bytes: book([withPrice('Satış Fiyatı'), ...lines(g!)]),
      records: 8,
      asks: 'currency',
      price: '9500.00 STG',
    },
  ];
};

const libre = (): DealerFile[] => {
  const [a, b, c, d] = ['LA', 'LB', 'LC', 'LD'].map((letters) => fileCars(letters, 6)) as FileCar[][];
  const short = (car: FileCar) => ({ 6: car.gear === 'Manuel' ? 'Düz' : 'Oto.', 7: car.body === 'Hatchback' ? 'HB' : car.body });
  return [
    {
      name: 'padded with empty cells',
      program: 'LibreOffice',
      bytes: book([HEAD, ...lines(a!)], { dialect: LIBRE }),
      records: 6,
      price: '9500.00 STG',
    },
    {
      name: 'short words for gears and bodies',
      program: 'LibreOffice',
      bytes: book([HEAD, ...lines(b!, short)], { dialect: LIBRE }),
      records: 6,
      price: '9500.00 STG',
    },
    {
      name: 'prices with their sign',
      program: 'LibreOffice',
      bytes: book([withPrice('Fiyatı'), ...lines(c!, ({ price }) => ({ 9: `${grouped(price)} £` }))], { dialect: LIBRE }),
      records: 6,
      price: '9500.00 STG',
    },
    {
      name: 'a title of three rows and a date',
      program: 'LibreOffice',
      bytes: book([['ÖRNEK OTOMOTİV'], ['Araç Stok Listesi'], ['Tarih:', { day: '2026-11-18' }], null, HEAD, ...lines(d!)], {
        dialect: LIBRE,
        merges: ['A1:J1', 'A2:J2'],
      }),
      records: 6,
      price: '9500.00 STG',
    },
  ];
};

const google = (): DealerFile[] => {
  const [a, b, c, d] = ['GA', 'GB', 'GC', 'GD'].map((letters) => fileCars(letters, 6)) as FileCar[][];
  const english = ['Reg. No', 'Make', 'Model', 'Year', 'Mileage', 'Fuel', 'Gearbox', 'Body Type', 'Colour', 'Price (GBP)'];
  const words: Readonly<Record<string, string>> = {
    Dizel: 'Diesel',
    Benzin: 'Petrol',
    Otomatik: 'Automatic',
    Manuel: 'Manual',
    Sedan: 'Saloon',
  };
  const inEnglish = (car: FileCar) => ({ 5: words[car.fuel]!, 6: words[car.gear]!, 7: words[car.body] ?? car.body });
  return [
    {
      name: 'an English sheet',
      program: 'Google',
      bytes: book([english, ...lines(a!, inEnglish)], { dialect: GOOGLE }),
      records: 6,
      price: '9500.00 STG',
    },
    {
      name: 'an English sheet as CSV',
      program: 'Google',
      bytes: csvUtf8([
        english,
        ...lines(b!, (car) => ({ ...inEnglish(car), 4: grouped(car.km, ','), 9: `£${grouped(car.price, ',')}` })),
      ]),
      records: 6,
      price: '9500.00 STG',
    },
    {
      name: 'brand and model in one column',
      program: 'Google',
      bytes: book(
        [
          ['Plaka', 'Marka Model', ...HEAD.slice(3)],
          ...c!.map((car) => [car.plate, `${car.brand} ${car.model}`, ...line(car).slice(3)]),
        ],
        { dialect: GOOGLE },
      ),
      records: 6,
      price: '9500.00 STG',
    },
    {
      name: 'a currency beside each price, in its own column',
      program: 'Google',
      bytes: csvUtf8([[...withPrice('Fiyat'), 'Döviz'], ...d!.map((car) => [...line(car), 'Sterlin'])]),
      records: 6,
      price: '9500.00 STG',
    },
  ];
};

const windows = (): DealerFile[] => {
  const [a, b, c, d, e] = ['WA', 'WB', 'WC', 'WD', 'WE'].map((letters) => fileCars(letters, 7)) as FileCar[][];
  const people = [
    ['Müşteri Adı', 'Soyadı', 'Cep Tel.', 'E-Posta', 'Adres'],
    ['Ayşe', 'Yılmaz', '0533 861 10 01', 'ayse@ornek.com', 'Girne'],
    ['Şükrü', 'Işık', '0533 861 10 02', '', 'Lefkoşa'],
  ];
  return [
    { name: 'a plain table', program: 'Windows-1254', bytes: csv1254([HEAD, ...lines(a!)]), records: 7, price: '9500.00 STG' },
    {
      name: 'grouped numbers and a title',
      program: 'Windows-1254',
      bytes: csv1254([
        ['Araç Stok Listesi'],
        [],
        HEAD,
        ...lines(b!, ({ km, price }) => ({ 4: grouped(km), 9: `${grouped(price)},00` })),
      ]),
      records: 7,
      price: '9500.00 STG',
    },
    {
      name: 'prices in lira, and the total',
      program: 'Windows-1254',
      bytes: csv1254([
        withPrice('FİYATI'),
        ...lines(c!, ({ price }) => ({ 9: `${grouped(price * 55)} TL` })),
        ['', '', '', '', '', '', '', '', 'Genel Toplam', `${grouped(total(c!) * 55)} TL`],
      ]),
      records: 7,
      price: '522500.00 TL',
    },
    {
      name: 'days in words',
      program: 'Windows-1254',
      bytes: csv1254([[...HEAD, 'Geliş Tarihi'], ...d!.map((car) => [...line(car), '15 Ağustos 2026'])]),
      records: 7,
      price: '9500.00 STG',
    },
    { name: 'customers', program: 'Windows-1254', target: 'customers', bytes: csv1254(people), records: 2 },
    {
      name: 'a gear that only the dealer knows',
      program: 'Windows-1254',
      bytes: csv1254([HEAD, ...lines(e!, ({ gear }) => ({ 6: gear === 'Manuel' ? 'Manuel' : 'G-Tronic 9' }))]),
      records: 7,
      asks: 'words',
      answer: () => ({ value_map: { transmission: { 'G-Tronic 9': 'Otomatik' } } }),
      price: '9500.00 STG',
    },
  ];
};

const portals = (): DealerFile[] => {
  const [a, b, c, d] = ['PA', 'PB', 'PC', 'PD'].map((letters) => fileCars(letters, 9)) as FileCar[][];
  const head = [
    'İlan No',
    'İlan Başlığı',
    'Marka',
    'Seri',
    'Yıl',
    'Yakıt',
    'Vites',
    'KM',
    'Kasa Tipi',
    'Renk',
    'Fiyat',
    'Plaka',
    'İl',
  ];
  const ad = (car: FileCar, at: number, price: string): FileCell[] => [
    1_100_200_300 + 100 * car.plate.charCodeAt(1) + at,
    `SAHİBİNDEN ${car.brand}, ${car.model}`,
    car.brand,
    car.model,
    car.year,
    car.fuel === 'Benzin' ? 'Benzin & LPG' : car.fuel,
    car.gear,
    grouped(car.km),
    car.body,
    car.color,
    price,
    car.plate,
    'Lefkoşa',
  ];
  const ads = (cars: readonly FileCar[], price: (car: FileCar) => string) => [
    head,
    ...cars.map((car, at) => ad(car, at, price(car))),
  ];
  return [
    {
      name: 'semicolons and a byte order mark',
      program: 'portal',
      bytes: csvUtf8(
        ads(a!, ({ price }) => `${grouped(price * 55)} TL`),
        { separator: ';', mark: true },
      ),
      records: 9,
      price: '522500.00 TL',
    },
    {
      name: 'the separator in the first line',
      program: 'portal',
      bytes: csvUtf8(
        ads(b!, ({ price }) => `${grouped(price)} £`),
        { separator: ';', mark: true, head: 'sep=;\r\n' },
      ),
      records: 9,
      price: '9500.00 STG',
    },
    {
      name: 'tabs and amounts with kuruş',
      program: 'portal',
      bytes: csvUtf8(
        ads(c!, ({ price }) => `₺${grouped(price * 55)},00`),
        { separator: '\t' },
      ),
      records: 9,
      price: '522500.00 TL',
    },
    {
      name: 'a workbook of the portal',
      program: 'portal',
      bytes: book(
        ads(d!, ({ price }) => `${grouped(price)} GBP`),
        { dialect: { ...EXCEL, sheet: 'ilanlar', shared: false } },
      ),
      records: 9,
      price: '9500.00 STG',
    },
  ];
};

const byHand = (): DealerFile[] => {
  const [a, b, c, d, e] = ['HA', 'HB', 'HC', 'HD', 'HE'].map((letters) => fileCars(letters, 6)) as FileCar[][];
  const numbered = (cars: readonly FileCar[]) => lines(cars).map((cells, at) => [at + 1, ...cells]);
  const brands = d!.map((car) => ({ ...car, brand: 'Toyota' }));
  const noBody = HEAD.filter((title) => title !== 'Kasa Tipi');
  return [
    {
      name: 'numbered rows, more numbers than cars, and a note',
      program: 'by hand',
      bytes: book(
        [['GALERİMİZDEKİ ARAÇLAR'], ['S.No', ...HEAD], ...numbered(a!), [7], [8], [9], ['Fiyatlarımız pazarlığa açıktır.']],
        { merges: ['A1:K1'] },
      ),
      records: 6,
      price: '9500.00 STG',
    },
    {
      name: 'sections of cars',
      program: 'by hand',
      bytes: book([HEAD, ['DİZEL ARAÇLAR'], ...lines(b!.slice(0, 3)), ['BENZİNLİ ARAÇLAR'], ...lines(b!.slice(3))], {
        merges: ['A2:J2', 'A6:J6'],
      }),
      records: 6,
      price: '9500.00 STG',
    },
    {
      name: 'a header in two rows with prices in two currencies',
      program: 'by hand',
      bytes: book(
        [
          [...HEAD.slice(0, 9), 'Fiyat', null],
          [...HEAD.slice(0, 9).map(() => null), 'STG', 'Eski'],
          ...lines(c!).map((cells, at) => [...cells, 100 + at]),
        ],
        {
          merges: [
            'J1:K1',
            ...HEAD.slice(0, 9).map((_, at) => `${String.fromCharCode(65 + at)}1:${String.fromCharCode(65 + at)}2`),
          ],
        },
      ),
      records: 6,
      price: '9500.00 STG',
    },
    {
      name: 'a brand merged over its cars',
      program: 'by hand',
      bytes: book(
        [['Stok'], HEAD, ...lines(brands).map((cells, at) => (at === 0 ? cells : Object.assign([...cells], { 1: null })))],
        { dialect: LIBRE, merges: ['B3:B8'] },
      ),
      records: 6,
      price: '9500.00 STG',
    },
    {
      name: 'no bodies, sums without a label, the price of two habits',
      program: 'by hand',
      bytes: book([
        noBody,
        ...lines(e!, ({ price, km }) => ({
          4: `${grouped(km)}`,
          9: price % 1000 === 0 ? `${grouped(price)} £` : `£${grouped(price, ',')}`,
        })).map((cells) => cells.filter((_, at) => at !== 7)),
        [null, null, null, null, null, null, null, null, total(e!)],
      ]),
      records: 6,
      asks: 'missing',
      answer: defaults({ body_type: 'Diğer' }),
      price: '9500.00 STG',
    },
    {
      name: 'customers with their names in one column',
      program: 'by hand',
      target: 'customers',
      bytes: book(
        [
          ['MÜŞTERİ LİSTESİ'],
          null,
          ['Sıra', 'Adı Soyadı', 'Telefon', 'T.C. Kimlik No', 'Doğum T.'],
          [1, 'Mehmet Ali Kaya', '5338611101', '12345678901', { day: '1985-04-23' }],
          [2, 'Ece Su', '0533 861 11 02', null, '15.8.90'],
        ],
        { merges: ['A1:E1'] },
      ),
      records: 2,
    },
  ];
};

export const dealerFiles = (): DealerFile[] => [excel, libre, google, windows, portals, byHand].flatMap((files) => files());
