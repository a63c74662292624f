// Satış sözleşmesi. For a consumer in Türkiye who pays by installments it contains everything that the law requires, in at least
// 12 points (Taksitle Satış Yönetmeliği 5–6).
import { amountInWords } from '../../formats/amount-in-words.ts';
import type { Pdf, Runs } from '../../formats/pdf.ts';
import type { Column } from '../../formats/table-columns.ts';
import type { PaperInstallment, PaperSale, PaperVehicle, Party, SaleContract } from '../paper.ts';
import { amount, day, figure, installmentLabel, percent, phoneOf, vehicleName } from '../paper-words.ts';
import type { Template } from '../template.ts';
import {
  A4,
  BODY,
  ending,
  type Fact,
  facts,
  letterhead,
  numbered,
  ownClauses,
  paragraph,
  partyFacts,
  remark,
  section,
  title,
} from './paper-layout.ts';

const CONSUMER_SIZE = 12;

/** A buyer who is protected by the law on installment sales. */
export const isProtected = ({ country, customer, sale }: Pick<SaleContract, 'country' | 'customer' | 'sale'>): boolean =>
  country === 'TR' && sale.payment_type === 'Taksitli' && customer.kind === 'Bireysel';

export const vehicleFacts = (vehicle: PaperVehicle): Fact[] => [
  ['Marka', vehicle.brand],
  ['Model', vehicle.model],
  ['Model yılı', vehicle.model_year === null ? null : String(vehicle.model_year)],
  ['Plaka', vehicle.plate],
  ['Renk', vehicle.color],
  ['Kilometre', vehicle.km === null ? null : figure(BigInt(vehicle.km) * 100n).slice(0, -3)],
  ['Yakıt', vehicle.fuel_type],
  ['Vites', vehicle.transmission],
  ['Şasi no', null],
  ['Motor no', null],
];

export const sellerFacts = ({ head }: Pick<SaleContract, 'head'>): Fact[] => [
  ['Unvan', head.legal_name],
  ['Telefon', phoneOf(head)],
  ['Adres', [head.address, head.city].filter(Boolean).join(', ') || null],
  ['E-posta', head.email],
  ...taxFacts(head),
];

function taxFacts({ tax_office = null, tax_no = null }: SaleContract['head']): Fact[] {
  return tax_office === null && tax_no === null ? [] : [['Vergi dairesi / no', [tax_office, tax_no].filter(Boolean).join(' / ')]];
}

/** A longer plan is set in two columns. */
const ONE_COLUMN = 12;

interface PlanStyle {
  readonly size: number;
  /** The height of what follows, if the last installments must be on its page. */
  readonly below?: number;
}

export function planTable(
  pdf: Pdf,
  installments: readonly PaperInstallment[],
  { currency }: PaperSale,
  { size, below = 0 }: PlanStyle,
): void {
  const columns = [
    { title: 'No', share: 2 },
    { title: 'Vade', share: 2 },
    { title: `Tutar (${currency})`, share: 2.4, align: 'right' as const },
  ];
  const total = installments.reduce((sum, installment) => sum + installment.amount, 0n);
  const rows = installments.map((installment) => [
    installmentLabel(installment, installments),
    day(installment.due_date),
    figure(installment.amount),
  ]);
  const totals = [['Toplam', '', figure(total)]];
  if (installments.filter(({ seq }) => seq > 0).length <= ONE_COLUMN) pdf.table(columns, rows, { size, totals, below });
  else twoColumns(pdf, columns, rows, { size, totals, below });
}

const COLUMN_GAP = 22;
/** The heading and the total of a half. */
const aroundOf = (size: number): number => size * 3.4 + 8;

/** The left half is read first. A plan longer than a page has both halves on each page. */
function twoColumns(
  pdf: Pdf,
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  { size, totals, below }: Required<PlanStyle> & { readonly totals: readonly (readonly string[])[] },
): void {
  const width = (pdf.width - COLUMN_GAP) / 2;
  const heights = pdf.rowHeights(columns, rows, size, width);
  let from = 0;
  while (from < rows.length) {
    const room = pdf.floor - pdf.y - aroundOf(size);
    const fits = halfThatFits(heights.slice(from), room);
    const isAll = from + fits * 2 >= rows.length;
    const isWithBelow = !isAll || halfThatFits(heights.slice(from), room - below) === fits;
    const each = Math.max(1, isAll ? fits - (isWithBelow ? 0 : KEPT_ROWS) : Math.min(fits, halfLeaving(rows.length - from)));
    const isLast = isAll && each === fits;
    const top = pdf.y;
    pdf.table(columns, rows.slice(from, from + each), { size, at: { x: pdf.left, width } });
    const bottom = pdf.y;
    pdf.y = top;
    const right = { x: pdf.left + width + COLUMN_GAP, width };
    pdf.table(columns, rows.slice(from + each, from + each * 2), { size, at: right, ...(isLast ? { totals } : {}) });
    pdf.y = Math.max(bottom, pdf.y);
    from += each * 2;
    if (!isLast) pdf.newPage();
  }
}

/** The rows of each half that move to the next page with what follows. */
const KEPT_ROWS = 2;
/** So many rows of each half are on the last page of a plan, which would otherwise begin with one alone. */
const LAST_ROWS = 3;

/** The rows of each half with which the next page still has its own. */
const halfLeaving = (count: number): number => Math.floor(count / 2) - LAST_ROWS;

/** How many rows each half can have; at least one. */
function halfThatFits(heights: readonly number[], room: number): number {
  const sum = (some: readonly number[]) => some.reduce((all, one) => all + one, 0);
  let each = Math.ceil(heights.length / 2);
  while (each > 1 && Math.max(sum(heights.slice(0, each)), sum(heights.slice(each, each * 2))) > room) each -= 1;
  return each;
}

/** Papers stored with an earlier version keep their text. */
const wordsOf = ({ version, sale }: SaleContract): Fact[] =>
  version < 2 ? [] : [['Yazıyla', `Yalnız ${amountInWords(sale.total_receivable, sale.currency)}`]];

function priceFacts({ sale }: SaleContract): Fact[] {
  const money = (minor: bigint) => amount(minor, sale.currency);
  const list: Fact[] = [['Peşin satış bedeli', money(sale.sale_price)]];
  if (sale.trade_in_amount > 0n) list.push(['Takas bedeli', money(sale.trade_in_amount)]);
  if (sale.payment_type === 'Peşin') return [...list, ['Ödenecek tutar', money(sale.total_receivable)]];
  return [
    ...list,
    ['Vade farkı', money(sale.finance_charge)],
    ['Taksitli satış bedeli', money(sale.sale_price + sale.finance_charge)],
    ['Peşinat', money(sale.down_payment)],
    ['Taksitle ödenecek', money(sale.financed_amount)],
    ['Ödenecek toplam', money(sale.total_receivable)],
    ['Yıllık faiz oranı', sale.yearly_rate === null ? null : percent(sale.yearly_rate)],
    ['Yıllık gecikme faizi', sale.late_rate_yearly === null ? null : percent(sale.late_rate_yearly)],
  ];
}

function delivery({ delivered_at, delivery_due_on }: PaperSale): string {
  if (delivered_at !== null) return `Araç ${day(delivered_at)} günü alıcıya teslim edilmiştir.`;
  return delivery_due_on === null
    ? 'Araç ......................... günü alıcıya teslim edilir.'
    : `Araç en geç ${day(delivery_due_on)} günü alıcıya teslim edilir.`;
}

const b = (bold: string) => ({ bold });

const WITHDRAWAL: Runs = [
  b('Cayma hakkı. '),
  'Alıcı, yedi gün içinde herhangi bir gerekçe göstermeksizin ve cezai şart ödemeksizin bu sözleşmeden cayma hakkına sahiptir (6502 sayılı Kanun m. 18). Cayma bildiriminin bu süre içinde satıcıya yöneltilmiş olması yeterlidir. Araç bu süre içinde teslim edilmişse alıcı onu ancak olağan bir gözden geçirmenin gerektirdiği ölçüde kullanabilir; aksi takdirde cayma hakkını kullanamaz.',
];
const EARLY: Runs = [
  b('Erken ödeme. '),
  'Alıcı, borçlandığı toplam miktarı önceden ödeyebileceği gibi bir taksit miktarından az olmamak şartıyla bir veya birden fazla taksidi de önceden ödeyebilir. Her iki durumda da satıcı, ödenen miktara göre gerekli tüm faiz ve komisyon indirimini yapar (6502 sayılı Kanun m. 20).',
];
const DEFAULT_OF_CONSUMER: Runs = [
  b('Temerrüt. '),
  'Satıcı, kalan borcun tümünün ifasını talep etme hakkını saklı tutar. Bu hak ancak satıcının bütün edimlerini ifa etmiş olması, alıcının da kalan borcun en az onda birini oluşturan ve birbirini izleyen en az iki taksidi veya kalan borcun en az dörtte birini oluşturan bir taksidi ödemede temerrüde düşmesi hâlinde ve alıcıya en az otuz gün süre verilerek muacceliyet uyarısında bulunulduktan sonra kullanılabilir; muaccel kılınan taksitlerin hesabında faiz, komisyon ve benzeri masraflar dikkate alınmaz (6502 sayılı Kanun m. 19).',
];

function clausesOf(paper: SaleContract): Runs[] {
  const { sale } = paper;
  const inInstallments = sale.payment_type === 'Taksitli';
  const late = sale.late_rate_yearly === null ? 'yasal' : `yıllık ${percent(sale.late_rate_yearly)}`;
  const list: Runs[] = [
    [
      b('Konu. '),
      `Satıcı, yukarıda nitelikleri yazılı aracı alıcıya satmayı ve teslim etmeyi, alıcı bedelini ${inInstallments ? 'ödeme planındaki günlerde' : 'peşin olarak'} ödemeyi kabul eder.`,
    ],
    [b('Teslim. '), delivery(sale)],
    [
      b('Mülkiyet. '),
      paper.country === 'TR'
        ? 'Aracın mülkiyeti, noterde yapılacak devir ile alıcıya geçer.'
        : 'Aracın mülkiyeti, yetkili makamda yapılacak koçan devri ile alıcıya geçer.',
    ],
  ];
  if (sale.trade_in_amount > 0n)
    list.push([
      b('Takas. '),
      `Alıcı, ${sale.trade_in_vehicle === null ? 'takas aracını' : `${vehicleName(sale.trade_in_vehicle)} aracını`} ${amount(sale.trade_in_amount, sale.currency)} bedelle satıcıya devreder; bu tutar satış bedelinden düşülmüştür.`,
    ]);
  if (isProtected(paper)) list.push(WITHDRAWAL, EARLY, DEFAULT_OF_CONSUMER);
  else if (inInstallments)
    list.push([
      b('Temerrüt. '),
      'Vadesinde ödenmeyen taksitler için satıcının kanundan doğan hakları saklıdır. Alıcı borcunu vadesinden önce ödeyebilir.',
    ]);
  if (inInstallments)
    list.push([
      b('Gecikme faizi. '),
      `Vadesinde ödenmeyen taksitler için, gecikilen günlere ${late} oranında basit gecikme faizi istenebilir; faize faiz yürütülmez.`,
    ]);
  if (sale.currency_exemption !== null) list.push([b('Para birimi. '), sale.currency_exemption]);
  list.push([b('Ayıp. '), 'Alıcının ayıptan doğan yasal hakları saklıdır.']);
  list.push([b('Nüshalar. '), 'Bu sözleşme iki nüsha düzenlenmiş, bir nüshası alıcıya verilmiştir.']);
  return list;
}

const guarantorFacts = (guarantor: Party, index: number): Fact[] => {
  const [name, ...rest] = partyFacts(guarantor);
  return [[`${index + 1}. kefil`, name![1]], ...rest];
};

function draw(pdf: Pdf, paper: SaleContract): void {
  const { sale, customer, guarantors, vehicle, country } = paper;
  const size = isProtected(paper) ? CONSUMER_SIZE : BODY;
  letterhead(
    pdf,
    paper.head,
    [
      ['Satış no', sale.sale_no],
      ['Tarih', day(sale.sale_date)],
    ],
    size === BODY ? {} : { size, isShort: true },
  );
  title(pdf, sale.payment_type === 'Taksitli' ? 'TAKSİTLE ARAÇ SATIŞ SÖZLEŞMESİ' : 'ARAÇ SATIŞ SÖZLEŞMESİ');
  section(pdf, 'Satıcı', size);
  facts(pdf, sellerFacts(paper), { size });
  section(pdf, 'Alıcı', size);
  facts(pdf, partyFacts(customer), { size });
  if (guarantors.length > 0) {
    section(pdf, 'Kefil', size);
    guarantors.forEach((guarantor, index) => {
      facts(pdf, guarantorFacts(guarantor, index), { size });
    });
    paragraph(pdf, 'Kefilin sorumluluğu, ayrıca imzalanan kefaletname ile doğar.', size);
  }
  section(pdf, 'Araç', size);
  facts(pdf, vehicleFacts(vehicle), { size });
  section(pdf, 'Bedel', size);
  facts(pdf, priceFacts(paper), { size });
  facts(pdf, wordsOf(paper), { size, columns: 1 });
  if (sale.payment_type === 'Taksitli') {
    section(pdf, 'Ödeme planı', size);
    planTable(pdf, sale.rows, sale, { size: Math.max(size, 8.5) });
  }
  section(pdf, 'Hükümler', size);
  const signers = [
    { role: 'Satıcı', name: paper.head.legal_name },
    { role: 'Alıcı', name: customer.name },
    ...guarantors.map(({ name }) => ({ role: 'Kefil', name })),
  ];
  const texts = [...numbered(clausesOf(paper)), ...remark(paper.note), ...ownClauses(paper.clauses)];
  ending(pdf, texts, { signers, country, size });
}

export const contractTemplate: Template<SaleContract> = { name: 'Satış sözleşmesi', size: () => A4, hasFooter: true, draw };
