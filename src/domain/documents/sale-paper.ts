// The content of a sale's document, compiled from the sale: the parties with their sealed data, the car, the money, the plan.
import type { Db } from '../../kit/db.ts';
import { own, type Sql, sql } from '../../kit/sql.ts';
import type { Work } from '../../kit/work.ts';
import type { Paper, PaperHead, PaperInstallment, PaperNote, PaperSale, PaperVehicle, Party } from '../papers/paper.ts';
import { PAPER_HEAD, specimenOf } from '../papers/paper-account.ts';
import { readPaperSettings } from '../papers/paper-settings.ts';
import type { Columns } from '../records/record.ts';
import type { LockedSale } from '../sales/sale-money.ts';
import { openField } from '../vault/sealed-fields.ts';
import type { Country, Template } from './document-templates.ts';

export interface Dealer extends PaperHead {
  readonly country: Country;
  readonly document_valid_days: number;
  /** In a world: papers are specimens, and mail stays there. */
  readonly is_sandbox: boolean;
}

export const readPaperDealer = (db: Db): Promise<Dealer> =>
  db.one<Dealer>(
    sql`select ${PAPER_HEAD}, country, document_valid_days, world_id is not null as is_sandbox
    from ${own('accounts')}`,
  );

/** A person as stored, with the sealed fields. */
export interface StoredPerson extends Columns {
  readonly id: string;
  readonly kind: 'Bireysel' | 'Kurumsal';
  readonly first_name: string;
  readonly last_name: string;
  readonly company_name: string | null;
  readonly email: string | null;
  readonly phone: string;
}

const CUSTOMER = sql`id, kind, first_name, last_name, company_name, tax_office, email, phone, id_no_encrypted, tax_no_encrypted, address_encrypted`;
const GUARANTOR = sql`id, 'Bireysel' as kind, first_name, last_name, null as company_name, null as tax_office, email, phone, id_no_encrypted,
  null::bytea as tax_no_encrypted, address_encrypted`;

/** Includes deleted people, because they were party to the agreement. */
export const readCustomer = (db: Db, id: string): Promise<StoredPerson> =>
  db.one<StoredPerson>(sql`select ${CUSTOMER} from ${own('customers')} where id = ${id}`);

/** In the order in which the sale names them. */
export const readGuarantors = (db: Db, ids: readonly string[]): Promise<StoredPerson[]> =>
  db.rows<StoredPerson>(
    sql`select ${GUARANTOR} from ${own('guarantors')} where id = any(${ids}::uuid[]) order by array_position(${ids}::uuid[], id)`,
  );

export const personName = ({ kind, company_name, first_name, last_name }: StoredPerson): string =>
  kind === 'Kurumsal' && company_name !== null ? company_name : `${first_name} ${last_name}`;

/** The data that fills a document. */
type Filling = Pick<Work, 'db' | 'keys' | 'now' | 'today'>;

function partyOf({ keys }: Filling, table: 'customers' | 'guarantors', person: StoredPerson): Party {
  const { kind, first_name, last_name, phone } = person;
  const sealed = (name: string) => openField(keys, table, person, name);
  return {
    kind,
    name: personName(person),
    representative: kind === 'Kurumsal' ? `${first_name} ${last_name}` : null,
    id_no: sealed('id_no'),
    tax_office: (person.tax_office as string | null) ?? null,
    tax_no: table === 'customers' ? sealed('tax_no') : null,
    address: sealed('address'),
    phone,
  };
}

const VEHICLE = sql`brand, model, model_year, plate, color, km, fuel_type, transmission`;

const readVehicle = (db: Db, id: string): Promise<PaperVehicle> =>
  db.one<PaperVehicle>(sql`select ${VEHICLE} from ${own('vehicles')} where id = ${id}`);

/** The terms of the sale as they are stored. */
type Terms = Omit<PaperSale, 'trade_in_vehicle' | 'rows'>;

const TERMS = sql`sale_no, sale_date, currency, currency_exemption, payment_type, sale_price_minor as sale_price,
  trade_in_amount_minor as trade_in_amount, down_payment_minor as down_payment, finance_charge_minor as finance_charge,
  total_receivable_minor as total_receivable, financed_amount_minor as financed_amount, collected_amount_minor as collected_amount,
  discounted_amount_minor as discounted_amount, yearly_rate_minor as yearly_rate, late_rate_yearly_minor as late_rate_yearly,
  delivery_due_on, delivered_at`;

export const readTerms = (db: Db, saleId: string): Promise<Terms> =>
  db.one<Terms>(sql`select ${TERMS} from ${own('sales')} where id = ${saleId}`);

/** Installments that a restructuring reduced to zero are not printed. */
const paperInstallments = (installments: LockedSale['installments']): PaperInstallment[] =>
  installments
    .filter(({ status }) => status !== 'Yapılandırıldı')
    .map(({ seq, kind, due_date, amount, paid_amount, discounted_amount }) => ({
      seq,
      kind: kind as PaperInstallment['kind'],
      due_date,
      amount,
      paid: paid_amount,
      discounted: discounted_amount,
    }));

async function saleOf({ db }: Filling, { sale, installments }: LockedSale): Promise<PaperSale> {
  const terms = await readTerms(db, sale.id);
  const tradeIn = sale.trade_in_vehicle_id === null ? null : await readVehicle(db, sale.trade_in_vehicle_id);
  return { ...terms, trade_in_vehicle: tradeIn, rows: paperInstallments(installments) };
}

const headOf = ({ name, legal_name, address, city, phone, email, tax_office, tax_no, logo }: Dealer): PaperHead => ({
  legal_name,
  name,
  address,
  city,
  phone,
  email,
  tax_office: tax_office ?? null,
  tax_no: tax_no ?? null,
  logo,
});

export interface PaperOf {
  readonly dealer: Dealer;
  readonly template: Template;
  readonly locked: LockedSale;
  readonly version: number;
  readonly note: string | null;
}

/** Everything but the verification code, which is generated with the file. */
export async function fillPaper(work: Filling, { dealer, template, locked, version, note }: PaperOf): Promise<Paper> {
  const { db, now, today } = work;
  const { sale } = locked;
  const { code } = template;
  const customer = partyOf(work, 'customers', await readCustomer(db, sale.customer_id));
  const base = {
    version: template.version,
    country: dealer.country,
    language: 'tr' as const,
    created_at: now,
    day: today,
    head: headOf(dealer),
    clauses: code === 'senet' ? null : (await readPaperSettings(db))[code],
    verification: null,
    ...specimenOf(dealer.is_sandbox),
  };
  const own = { document_version: version, evidence: null };
  if (code === 'kvkk_aydinlatma') return { ...base, ...own, code, customer, sale_no: sale.sale_no };
  if (code === 'senet') return { ...base, code, notes: await notesOf(work, sale.id, customer) };
  const people = (await readGuarantors(db, sale.guarantor_ids)).map((one) => partyOf(work, 'guarantors', one));
  const common = {
    ...base,
    ...own,
    customer,
    guarantors: people,
    note,
    vehicle: await readVehicle(db, sale.vehicle_id),
    sale: await saleOf(work, locked),
  };
  if (code === 'odeme_plani') return { ...common, code, is_restructured: sale.restructured_at !== null };
  if (code === 'ibraname') return { ...common, code, completed_on: await completedOn(db, sale.id, today) };
  return { ...common, code } as Paper;
}

/** The day of the last payment. */
export async function completedOn(db: Db, saleId: string, today: string): Promise<string> {
  const { day } = await db.one<{ day: string | null }>(sql`select max(collected_on) as day from ${own('collections')}
    where sale_id = ${saleId} and status = 'Geçerli' and type in ('Tahsilat', 'İndirim')`);
  return day ?? today;
}

/** Neither cancelled nor returned. */
export const LIVE_NOTES: Sql = sql`status not in ('İptal', 'İade Edildi')`;

interface StoredNote extends Pick<PaperNote, 'note_no' | 'payee_name' | 'amount' | 'currency'> {
  readonly issue_date: string;
  readonly issue_place: string;
  readonly due_date: string;
  readonly payment_place: string;
  readonly guarantor_ids: readonly string[];
}

/** The sale's live notes, always as copies: the original is printed from the note itself. */
async function notesOf(work: Filling, saleId: string, maker: Party): Promise<PaperNote[]> {
  const { db } = work;
  const notes =
    await db.rows<StoredNote>(sql`select note_no, payee_name, amount_minor as amount, currency, issue_date, issue_place, due_date,
      payment_place, guarantor_ids from ${own('promissory_notes')} where sale_id = ${saleId} and ${LIVE_NOTES} order by due_date, note_no`);
  const people = await readGuarantors(db, [...new Set(notes.flatMap(({ guarantor_ids }) => guarantor_ids))]);
  const parties = new Map(people.map((one) => [one.id, partyOf(work, 'guarantors', one)]));
  return notes.map(({ guarantor_ids, ...note }) => ({
    ...note,
    maker,
    is_copy: true,
    guarantors: guarantor_ids.flatMap((id) => parties.get(id) ?? []),
  }));
}
