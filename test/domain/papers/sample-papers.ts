// Papers for tests: `usual` as a dealer has them, `longest` and `emptiest` at the limits of the fields.

import {
  type Country,
  type DepositReceipt,
  type Paper,
  type PaperCode,
  type PaperHead,
  type PaperInstallment,
  type PaperNote,
  type PaperSale,
  type PaperVehicle,
  type Party,
  type Receipt,
  type RefundReceipt,
  type SaleContract,
  TEMPLATE_VERSION,
} from '../../../src/domain/papers/paper.ts';
import type { Currency } from '../../../src/kit/money.ts';

export type Fullness = 'usual' | 'longest' | 'emptiest';

const by = <T>(fullness: Fullness, usual: T, longest: T, emptiest: T): T =>
  fullness === 'usual' ? usual : fullness === 'longest' ? longest : emptiest;

/** A JPEG of one grey area. */
export const LOGO = Buffer.from(
  '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAMCAgICAgMCAgIDAwMDBAYEBAQEBAgGBgUGCQgKCgkICQkKDA8MCgsOCwkJDRENDg8QEBEQCgwSExIQEw8QEBD/yQALCAABAAEBAREA/8wABgAQEAX/2gAIAQEAAD8A0s8g/9k=',
  'base64',
);

const ALPHABET = 'Çağrı ĞÜŞİÖÇ ğüşıöç Iğdırlıoğlu Müftüşağı';
const LONG_NAME = `${ALPHABET} Abdurrahman Gazi Süleymaniyeoğlu Şehriban Küçükçekmeceli Otomotiv İnşaat Turizm Gıda Sanayi ve Dış Ticaret Limited Şirketi`;
const LONG_WORD = 'Uzunsözcük'.repeat(12);
const LONG_ADDRESS = `Şehit Üsteğmen Mustafa Kâmil Örgüoğlu Bulvarı, Çınarlı İş Merkezi B Blok Kat 7 Daire 42\nGöçmenköy Mahallesi, Dereboyu, Lefkoşa ${LONG_WORD}`;

const head = (fullness: Fullness): PaperHead =>
  by<PaperHead>(
    fullness,
    {
      legal_name: 'Akdeniz Oto Ticaret Ltd.',
      name: 'Akdeniz Oto',
      address: 'Dereboyu Cad. 12',
      city: 'Lefkoşa',
      phone: '+905331234567',
      email: 'bilgi@akdenizoto.example',
      tax_office: 'Lefkoşa Vergi Dairesi',
      tax_no: '1234567890',
      logo: null,
    },
    {
      legal_name: LONG_NAME,
      name: LONG_NAME.slice(0, 120),
      address: LONG_ADDRESS,
      city: 'Gazimağusa',
      phone: '+905331234567',
      email: `${'uzun'.repeat(16)}@galeri.example`,
      tax_office: 'Büyük Mükellefler Vergi Dairesi Başkanlığı',
      tax_no: '9876543210',
      logo: LOGO,
    },
    { legal_name: null, name: 'A', address: null, city: null, phone: null, email: null, logo: null },
  );

const person = (fullness: Fullness, name: string): Party =>
  by<Party>(
    fullness,
    {
      kind: 'Bireysel',
      name,
      representative: null,
      id_no: '12345678901',
      tax_office: null,
      tax_no: null,
      address: 'Atatürk Cad. 5/3, Girne',
      phone: '+905421112233',
    },
    {
      kind: 'Kurumsal',
      name: LONG_NAME,
      representative: `${ALPHABET} ${ALPHABET}`,
      id_no: null,
      tax_office: 'Büyük Mükellefler Vergi Dairesi Başkanlığı',
      tax_no: '1234567890',
      address: LONG_ADDRESS,
      phone: '+905421112233',
    },
    {
      kind: 'Bireysel',
      name: 'O Ü',
      representative: null,
      id_no: null,
      tax_office: null,
      tax_no: null,
      address: null,
      phone: null,
    },
  );

const vehicle = (fullness: Fullness): PaperVehicle =>
  by<PaperVehicle>(
    fullness,
    {
      brand: 'Volkswagen',
      model: 'Golf',
      model_year: 2018,
      plate: 'LV 812',
      color: 'Beyaz',
      km: 84_500,
      fuel_type: 'Benzin',
      transmission: 'Otomatik',
    },
    {
      brand: 'Mercedes-Benz',
      model: `Sprinter 519 CDI ${LONG_WORD.slice(0, 60)}`,
      model_year: 2024,
      plate: '34 ÇĞÜ 9999',
      color: 'Şampanya gümüş metalik',
      km: 1_234_567,
      fuel_type: 'Benzin + LPG',
      transmission: 'Yarı otomatik',
    },
    { brand: 'Fiat', model: 'Uno', model_year: null, plate: null, color: null, km: null, fuel_type: null, transmission: null },
  );

const dayAfter = (months: number): string => {
  const month = 1 + months;
  return `${2026 + Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}-15`;
};

function installments(count: number, each: bigint, down: bigint): PaperInstallment[] {
  const first: PaperInstallment[] =
    down > 0n ? [{ seq: 0, kind: 'Peşinat', due_date: '2026-01-15', amount: down, paid: down, discounted: 0n }] : [];
  return [
    ...first,
    ...Array.from(
      { length: count },
      (_, index): PaperInstallment => ({
        seq: index + 1,
        kind: index % 6 === 5 ? 'Ara Ödeme' : 'Taksit',
        due_date: dayAfter(index),
        amount: each,
        paid: 0n,
        discounted: 0n,
      }),
    ),
  ];
}

function sale(fullness: Fullness, payment: 'Peşin' | 'Taksitli' = 'Taksitli'): PaperSale {
  const count = payment === 'Peşin' ? 0 : by(fullness, 12, 120, 1);
  const each = by(fullness, 94_166n, 83_333_333_33n, 1n);
  const down = payment === 'Peşin' ? 1_425_000n : by(fullness, 400_000n, 99_999_999_99n, 0n);
  const financed = each * BigInt(count);
  const currency: Currency = by<Currency>(fullness, 'STG', 'TL', 'TL');
  const charge = payment === 'Peşin' ? 0n : by(fullness, 105_000n, 55_555_555_55n, 0n);
  const trade = by(fullness, 0n, 12_345_678_90n, 0n);
  return {
    sale_no: 'S-2026-00001',
    sale_date: '2026-01-15',
    currency,
    currency_exemption: by(
      fullness,
      null,
      'Alıcı yurt dışında yerleşiktir; döviz cinsinden sözleşme Karar m. 8 uyarınca serbesttir.',
      null,
    ),
    payment_type: payment,
    sale_price: down + financed - charge + trade,
    trade_in_amount: trade,
    trade_in_vehicle: by(fullness, null, vehicle('longest'), null),
    down_payment: down,
    finance_charge: charge,
    total_receivable: down + financed,
    financed_amount: financed,
    collected_amount: down,
    discounted_amount: 0n,
    yearly_rate: payment === 'Peşin' ? null : by<number | null>(fullness, 1840, 99_999, null),
    late_rate_yearly: by<number | null>(fullness, 2000, 20_000, null),
    delivery_due_on: by<string | null>(fullness, '2026-01-20', '2026-01-20', null),
    delivered_at: null,
    rows: installments(count, each, down),
  };
}

const CLAUSES = Array.from(
  { length: 28 },
  (_, index) => `Ek madde ${index + 1}: ${ALPHABET} hükümleri saklıdır; taraflar bunu kabul eder.`,
).join('\n');

const base = (fullness: Fullness, country: Country) => ({
  version: TEMPLATE_VERSION,
  country,
  language: 'tr' as const,
  created_at: new Date('2026-01-15T09:30:00Z'),
  day: '2026-01-15',
  head: head(fullness),
  clauses: by(fullness, null, CLAUSES, null),
  verification: by(fullness, VERIFICATION, VERIFICATION, null),
});

const VERIFICATION = { code: '7Q4MZK2W9TB3X5HN6RCD8PVFJY', url: 'https://galeri.example/dogrula/7Q4MZK2W9TB3X5HN6RCD8PVFJY' };

const ofSale = (fullness: Fullness, country: Country, payment?: 'Peşin' | 'Taksitli') => ({
  ...base(fullness, country),
  customer: person(fullness, 'Ayşe Güneş'),
  guarantors: by(
    fullness,
    [person('usual', 'Mehmet Öztürk')],
    Array.from({ length: 5 }, () => person('longest', '')),
    [person('emptiest', '')],
  ),
  vehicle: vehicle(fullness),
  sale: sale(fullness, payment),
  document_version: 1,
  note: by(fullness, null, `${ALPHABET} `.repeat(10), null),
  evidence: null,
});

function note(fullness: Fullness, index: number, isCopy: boolean): PaperNote {
  return {
    note_no: `N-2026-${String(index + 1).padStart(5, '0')}`,
    payee_name: by(fullness, 'Akdeniz Oto Ticaret Ltd.', LONG_NAME.slice(0, 200), 'A'),
    amount: by(fullness, 94_166n, 99_999_999_999_999n, 1n),
    currency: by<Currency>(fullness, 'STG', 'TL', 'EUR'),
    issue_date: '2026-01-15',
    issue_place: by(fullness, 'Lefkoşa', 'Şanlıurfa Eyyübiye Göçmenköy', 'X'),
    due_date: dayAfter(index),
    payment_place: by(fullness, 'Lefkoşa', 'Şanlıurfa Eyyübiye Göçmenköy', 'X'),
    maker: person(fullness, 'Ayşe Güneş'),
    guarantors: by(
      fullness,
      [person('usual', 'Mehmet Öztürk')],
      Array.from({ length: 4 }, () => person('longest', '')),
      [],
    ),
    is_copy: isCopy,
  };
}

const receiptInstallment = (seq: number, each: bigint, of: number) => ({
  seq,
  label: seq === 0 ? 'Peşinat' : `${seq}/${of}`,
  due_date: dayAfter(seq),
  amount: each,
});

const receiptBase = (fullness: Fullness, country: Country, size: '80mm' | 'A5') => ({
  ...base(fullness, country),
  size,
  receipt_no: 'T-2026-00007',
  payer: by(fullness, 'Ayşe Güneş', LONG_NAME, 'O Ü'),
  branch: by(fullness, 'Merkez', 'Gazimağusa Yeniboğaziçi Şubesi', 'Merkez'),
  collected_by: by<string | null>(fullness, 'Deniz Kaya', ALPHABET, null),
  amount: by(fullness, 6_000_000n, 99_999_999_999_999n, 1n),
  currency: 'TL' as Currency,
  method: by(fullness, 'Nakit', 'Çek', 'Nakit'),
  reference: by<string | null>(fullness, null, 'R'.repeat(200), null),
  instrument: by(
    fullness,
    null,
    { bank: 'Türkiye Cumhuriyeti Ziraat Bankası Girne Şubesi', number: '0123456789', due_on: '2026-06-30' },
    null,
  ),
  vehicle: by(fullness, vehicle('usual'), vehicle('longest'), null),
  note: by<string | null>(fullness, null, `${ALPHABET} `.repeat(30), null),
  is_reversed: fullness === 'longest',
});

const receipt = (fullness: Fullness, country: Country, size: '80mm' | 'A5'): Receipt => ({
  ...receiptBase(fullness, country, size),
  code: 'makbuz',
  sale_no: 'S-2026-00001',
  sale_currency: 'STG',
  rate: by(fullness, RATE, RATE, null),
  late_interest: by(fullness, 0n, 1_022_47n, 0n),
  discount: by(fullness, 0n, 37_032_28n, 0n),
  filled: by(
    fullness,
    [receiptInstallment(2, 88_332n, 12), receiptInstallment(3, 4_691n, 12)],
    Array.from({ length: 40 }, (_, index) => receiptInstallment(index + 30, 83_333_333_33n, 120)),
    [],
  ),
  remaining: by(fullness, 936_977n, 99_999_999_999_999n, 0n),
  open_earlier: by(
    fullness,
    [receiptInstallment(1, 14_068n, 12)],
    Array.from({ length: 30 }, (_, index) => receiptInstallment(index, 83_333_333_33n, 120)),
    [],
  ),
});

const RATE = {
  pair: 'STG-TL',
  rate: '64.500000',
  rate_date: '2026-03-13',
  source: 'KKTCMB',
  applied: 93_023n,
  sale_currency: 'STG' as Currency,
};

const depositReceipt = (fullness: Fullness, country: Country, size: '80mm' | 'A5'): DepositReceipt => ({
  ...receiptBase(fullness, country, size),
  code: 'kapora_makbuzu',
  reserved_until: by<string | null>(fullness, '2026-01-20', '2026-01-20', null),
});

const refundReceipt = (fullness: Fullness, country: Country, size: '80mm' | 'A5'): RefundReceipt => ({
  ...receiptBase(fullness, country, size),
  code: 'iade_makbuzu',
  sale_no: by<string | null>(fullness, 'S-2026-00001', 'S-2026-00001', null),
  rate: by(fullness, RATE, RATE, null),
  of_receipt_no: by<string | null>(fullness, null, 'T-2026-00003', null),
});

function statement(fullness: Fullness) {
  const count = by(fullness, 14, 120, 0);
  const each = by(fullness, 94_166n, 83_333_333_33n, 0n);
  const opening = by(fullness, 400_000n, -99_999_999_99n, 0n);
  const lines = Array.from({ length: count }, (_, index) => ({
    day: dayAfter(index),
    sale_no: 'S-2026-00001',
    what:
      index % 2 === 0 ? `Taksit ${index + 1}/12` : by(fullness, 'Tahsilat T-2026-00007', `Tahsilat T-2026-00007 ${ALPHABET}`, ''),
    debit: index % 2 === 0 ? each : 0n,
    credit: index % 2 === 0 ? 0n : each,
    balance: opening + (index % 2 === 0 ? each : 0n),
  }));
  return {
    customer: person(fullness, 'Ayşe Güneş'),
    currency: by<Currency>(fullness, 'STG', 'TL', 'EUR'),
    from: '2026-01-01',
    to: '2026-12-31',
    opening,
    closing: lines.at(-1)?.balance ?? opening,
    lines,
    not_due: by(fullness, 565_000n, 99_999_999_999_999n, 0n),
    open_deposit: by(fullness, 50_000n, 99_999_999_999_999n, 0n),
    late_interest: by(fullness, 1_234n, 99_999_999_999_999n, 0n),
    aging: {
      not_due: 565_000n,
      d1_30: each,
      d31_60: 0n,
      d61_90: by(fullness, 0n, 99_999_999_999_999n, 0n),
      d91: by(fullness, 0n, 99_999_999_999_999n, 0n),
    },
  };
}

const aboutCar = (fullness: Fullness) => ({
  words: by<'tr' | 'en'>(fullness, 'tr', 'en', 'tr'),
  contact_url: by<string | null>(fullness, 'https://wa.me/905331234567?text=Volkswagen', null, null),
  car: {
    brand: by(fullness, 'Volkswagen', 'Mercedes-Benz', 'Fiat'),
    model: by(fullness, 'Golf', `Sprinter 519 CDI ${LONG_WORD.slice(0, 40)}`, 'Uno'),
    trim: by<string | null>(fullness, '1.4 TSI Comfortline', null, null),
    model_year: 2018,
    km: 84_500,
    fuel_type: 'Benzin',
    transmission: 'Otomatik',
    body_type: 'Hatchback',
    color: 'Beyaz',
    price: 1_450_000n,
    currency: 'STG' as Currency,
    engine_cc: by<number | null>(fullness, 1395, 10_000, null),
    power_hp: by<number | null>(fullness, 125, 3_000, null),
    drive: by<string | null>(fullness, 'Önden', '4x4', null),
    steering: by<string | null>(fullness, 'Sağ', 'Sağ', null),
    doors: by<number | null>(fullness, 5, 6, null),
    seats: by<number | null>(fullness, 5, 60, null),
    owners: by<number | null>(fullness, 2, 20, null),
    inspection_until: by<string | null>(fullness, '2027-05-04', '2027-05-04', null),
    warranty: by<string | null>(fullness, '6 ay ya da 10.000 km', LONG_WORD.slice(0, 200), null),
    equipment: by<readonly string[]>(
      fullness,
      ['Klima', 'Cam tavan', 'Geri görüş kamerası'],
      Array.from({ length: 14 }, (_, index) => `${index} ${LONG_WORD}`.slice(0, 40)),
      [],
    ),
    condition: by(
      fullness,
      { painted: ['Sol Ön Çamurluk'], locally_painted: ['Arka Tampon'], replaced: [], tramer: '12.000,00 TL' },
      {
        painted: ['Motor Kaputu', 'Tavan', 'Bagaj Kapağı', 'Ön Tampon'],
        locally_painted: ['Sol Arka Çamurluk', 'Sağ Arka Çamurluk', 'Sol Arka Kapı'],
        replaced: ['Sağ Ön Kapı', 'Sol Ön Kapı'],
        tramer: null,
      },
      null,
    ),
  },
});

const METHODS = ['Nakit', 'Havale/EFT', 'Kredi Kartı', 'Çek', 'Senet', 'Güvenli Ödeme', 'Diğer'];

/** A paper of every template, filled as requested. */
export const SAMPLES: { readonly [Code in PaperCode]: (fullness: Fullness, country: Country) => Extract<Paper, { code: Code }> } =
  {
    satis_sozlesmesi: (fullness, country) => ({ ...ofSale(fullness, country), code: 'satis_sozlesmesi' }),
    odeme_plani: (fullness, country) => ({
      ...ofSale(fullness, country),
      code: 'odeme_plani',
      is_restructured: fullness === 'longest',
    }),
    kefaletname: (fullness, country) => ({ ...ofSale(fullness, country), code: 'kefaletname' }),
    teslim_tutanagi: (fullness, country) => ({ ...ofSale(fullness, country), code: 'teslim_tutanagi' }),
    ibraname: (fullness, country) => ({ ...ofSale(fullness, country), code: 'ibraname', completed_on: '2027-01-15' }),
    kvkk_aydinlatma: (fullness, country) => ({
      ...base(fullness, country),
      code: 'kvkk_aydinlatma',
      customer: person(fullness, 'Ayşe Güneş'),
      sale_no: by<string | null>(fullness, 'S-2026-00001', 'S-2026-00001', null),
      document_version: 1,
      evidence: by(
        fullness,
        null,
        {
          document_id: '0198f0c2-1111-7222-8333-444455556666',
          sha256: 'ab'.repeat(32),
          consent: 'Belgeyi okudum, anladım ve onaylıyorum.',
          signers: Array.from({ length: 6 }, () => ({
            role: 'Müşteri',
            name: LONG_NAME,
            signed_at: '15.01.2026 12:30:05',
            method: `Şahit huzurunda, yerinde imza. Şahit: ${LONG_NAME}`,
            codes: [
              '15.01.2026 12:20:05: e-posta ile a•••@example.com adresine gönderildi; panelde gösterilmedi',
              `15.01.2026 12:29:05: çalışana gösterildi: ${LONG_NAME} (15.01.2026 12:29:30) (onay bu kodla verildi)`,
            ],
            address: '2001:db8:85a3::8a2e:370:7334',
            user_agent: `Mozilla/5.0 ${'(Macintosh; Intel Mac OS X) '.repeat(8)}`,
          })),
        },
        null,
      ),
    }),
    senet: (fullness, country) => ({
      ...base(fullness, country),
      code: 'senet',
      notes: Array.from({ length: by(fullness, 4, 4, 1) }, (_, index) => note(fullness, index, fullness === 'longest')),
    }),
    senet_bordrosu: (fullness, country) => ({
      ...base(fullness, country),
      code: 'senet_bordrosu',
      handed_to: by<string | null>(fullness, 'İş Bankası Girne Şubesi', LONG_NAME, null),
      purpose: by(fullness, 'Tahsile' as const, 'Avukata' as const, null),
      notes: Array.from({ length: by(fullness, 12, 120, 1) }, (_, index) => {
        const { note_no, maker, due_date, payment_place, amount, currency } = note(fullness, index, false);
        return {
          note_no,
          maker: maker.name,
          sale_no: 'S-2026-00001',
          due_date,
          payment_place,
          amount,
          currency: fullness === 'longest' && index % 2 === 0 ? 'EUR' : currency,
        };
      }),
    }),
    makbuz: (fullness, country) => receipt(fullness, country, 'A5'),
    kapora_makbuzu: (fullness, country) => depositReceipt(fullness, country, 'A5'),
    iade_makbuzu: (fullness, country) => refundReceipt(fullness, country, 'A5'),
    hesap_ekstresi: (fullness, country) => ({
      ...base(fullness, country),
      code: 'hesap_ekstresi',
      statements: by(fullness, [statement('usual'), statement('usual')], [statement('longest')], [statement('emptiest')]),
    }),
    ihtar_mektubu: (fullness, country) => {
      const { customer, guarantors } = ofSale(fullness, country);
      const late = by(fullness, 2, 60, 1);
      return {
        ...base(fullness, country),
        code: 'ihtar_mektubu',
        customer,
        guarantors: guarantors.slice(0, 2),
        vehicle: vehicle(fullness),
        sale_no: 'S-2026-00001',
        sale_date: '2026-01-15',
        currency: by<Currency>(fullness, 'STG', 'TL', 'EUR'),
        late_rate_yearly: by<number | null>(fullness, 2000, 20_000, null),
        rows: Array.from({ length: late }, (_, index) => ({
          label: `${index + 1}/${by(fullness, 12, 120, 1)}`,
          due_date: dayAfter(index),
          days_overdue: 400 - index,
          remaining: by(fullness, 94_166n, 83_333_333_33n, 1n),
          late_interest: by(fullness, 1_548n, 83_333_333_33n, 0n),
        })),
        deadline: '2026-06-30',
      };
    },
    kasa_kapanisi: (fullness, country) => ({
      ...base(fullness, country),
      code: 'kasa_kapanisi',
      branch: by(fullness, 'Merkez', 'Gazimağusa Yeniboğaziçi Şubesi', 'Merkez'),
      closed_through_before: by<string | null>(fullness, '2026-01-14', '2026-01-01', null),
      closed_by: by(fullness, 'Deniz Kaya', ALPHABET, 'A'),
      closed_at: '15.01.2026 18:30',
      reason: by<string | null>(fullness, 'Bozuk para eksiği', `${ALPHABET} `.repeat(11).trim(), null),
      reopened: by(fullness, null, { by: ALPHABET, at: '16.01.2026 09:00', reason: `${ALPHABET} `.repeat(11).trim() }, null),
      lines: by(
        fullness,
        [
          {
            currency: 'STG',
            method: 'Nakit',
            count: 3,
            moved: { opening: 250_000n, cash_in: 1_100_000n, cash_out: 100_000n },
            expected: 1_250_000n,
            counted: 1_249_500n,
          },
          {
            currency: 'TL',
            method: 'Havale/EFT',
            count: 1,
            moved: { opening: 0n, cash_in: 0n, cash_out: 0n },
            expected: 6_000_000n,
            counted: 6_000_000n,
          },
          {
            currency: 'TL',
            method: 'Nakit',
            count: 1,
            moved: { opening: 0n, cash_in: 0n, cash_out: 0n },
            expected: -2_000_000n,
            counted: -2_000_000n,
          },
        ],
        (['TL', 'STG', 'USD', 'EUR'] as const).flatMap((currency) =>
          METHODS.map((method) => ({
            currency,
            method,
            count: 1234,
            moved: { opening: 99_999_999_999_999n, cash_in: 99_999_999_999_999n, cash_out: 99_999_999_999_999n },
            expected: 99_999_999_999_999n,
            counted: -99_999_999_999_999n,
          })),
        ),
        [],
      ),
    }),
    rapor: (fullness, country) => ({
      ...base(fullness, country),
      code: 'rapor',
      title: by(fullness, 'Satışlar', ALPHABET, 'A'),
      span: by(fullness, { from: '2026-01-01', to: '2026-01-31' }, { from: '2025-01-01', to: '2025-12-31' }, null),
      is_confidential: fullness === 'longest',
      tables: by(
        fullness,
        [
          {
            title: 'Gruplara göre',
            columns: [
              { title: 'Ay', isText: true },
              { title: 'Satış tutarı', isText: false },
            ],
            rows: [['2026-01', '14.321,00']],
          },
        ],
        [
          {
            title: ALPHABET,
            columns: Array.from({ length: 9 }, (_, index) => ({ title: `Sütun ${index}`, isText: index < 2 })),
            rows: Array.from({ length: 80 }, () => Array.from({ length: 9 }, () => '999.999.999.999,99')),
          },
        ],
        [{ title: 'Süreye göre', columns: [], rows: [] }],
      ),
    }),
    vitrin_etiketi: (fullness, country) => ({
      ...base(fullness, country),
      ...aboutCar(fullness),
      clauses: null,
      verification: null,
      code: 'vitrin_etiketi',
      size: fullness === 'longest' ? 'A5' : 'A4',
    }),
    teklif: (fullness, country) => ({
      ...base(fullness, country),
      ...aboutCar(fullness),
      clauses: null,
      verification: null,
      code: 'teklif',
      customer: by<string | null>(fullness, 'Ayşe Güneş', ALPHABET, null),
      price: 1_425_000n,
      down_payment: by(fullness, 400_000n, 99_999_999_99n, 0n),
      finance_charge: by(fullness, 105_000n, 55_555_555_55n, 0n),
      rows: Array.from({ length: by(fullness, 12, 48, 0) }, (_, index) => ({ due_date: dayAfter(index), amount: 94_166n })),
      valid_until: '2026-01-31',
    }),
  };

/** A contract of a sale in so many installments. */
export function contractOf(country: Country, count: number): SaleContract {
  const paper = SAMPLES.satis_sozlesmesi('usual', country);
  const rows = installments(count, 94_166n, 400_000n).map((row) => (row.seq === 0 ? row : { ...row, kind: 'Taksit' as const }));
  const financed = 94_166n * BigInt(count);
  const terms = { rows, financed_amount: financed, total_receivable: 400_000n + financed };
  return { ...paper, sale: { ...paper.sale, ...terms } };
}

export const planOf = (country: Country, count: number): Paper => ({
  ...contractOf(country, count),
  code: 'odeme_plani',
  is_restructured: false,
});

export const onRoll = <P extends Receipt | DepositReceipt | RefundReceipt>(paper: P): P => ({ ...paper, size: '80mm' });
export const cashContract = (country: Country) => ({ ...ofSale('usual', country, 'Peşin'), code: 'satis_sozlesmesi' as const });
