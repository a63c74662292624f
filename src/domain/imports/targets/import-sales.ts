// Open sales of a dealer's previous system: each line becomes a sale with its plan and payments, through the same writes as any
// sale, in its own transaction. A line that was imported before changes nothing; one that differs from the imported sale is
// refused.
import type { Clock } from '../../../kit/clock.ts';
import { Failure, messageOf } from '../../../kit/errors.ts';
import { own, sql } from '../../../kit/sql.ts';
import type { Work } from '../../../kit/work.ts';
import { lockCustomersByRefIdNoOrPhone, type StoredCustomer } from '../../customers/customer.ts';
import { type FieldError, fieldContext, missingFields } from '../../records/fields.ts';
import { holdSeries } from '../../records/number-series.ts';
import { foldName } from '../../records/person-fields.ts';
import { collect } from '../../sales/collection-writes.ts';
import { createSale } from '../../sales/sale-writes.ts';
import { IMPORTED_VEHICLE_FIELDS, lockVehiclesByRefOrPlate, newVehicle, type StoredVehicle } from '../../stock/vehicle.ts';
import { createVehicle, returnToStock } from '../../stock/vehicle-writes.ts';
import { idNoIndexes } from '../../vault/sealed-fields.ts';
import { type Actor, audit } from '../../writes/audit.ts';
import type { Writer } from '../../writes/write.ts';
import type { SourceRow } from '../feed-row.ts';
import { type ImportAccount, onlyMatch, present, type RowFault, RowRefusal } from '../import-target.ts';
import { decideCustomer } from './import-customers.ts';
import { type ImportSummary, importInBatches, type RowResult, tryAgain } from './import-rows.ts';
import { matchVehicle } from './import-vehicles.ts';
import { readSaleLine, type SaleLine } from './sale-line.ts';

export interface SalesImport {
  readonly writer: Writer;
  readonly account: ImportAccount;
  readonly rows: AsyncIterable<SourceRow>;
  readonly clock: Clock;
  readonly actor: Actor;
  /** Nothing is stored: the result that each line would have. */
  readonly dryRun: boolean;
  readonly progress?: (done: number) => void;
}

export function importSales(job: SalesImport): Promise<ImportSummary> {
  const seen = new Map<string, string>();
  return importInBatches(job.rows, 1, job.progress, async ([row]) => [await importLine(job, row!, seen)]);
}

/** Thrown to roll a dry run back. */
class RowRollback extends Error {
  readonly outcome: Outcome;
  constructor(outcome: Outcome) {
    super('undone');
    this.outcome = outcome;
  }
}
type Outcome = 'created' | 'unchanged';

async function importLine(job: SalesImport, row: SourceRow, seen: Map<string, string>): Promise<RowResult> {
  if ('problem' in row) return { errors: [row.problem] };
  const { account, actor, clock, dryRun, writer } = job;
  const now = clock.now();
  const read = readSaleLine(row.cells, fieldContext(now, account.timezone));
  if ('errors' in read) return read;
  const { line, digest } = read;
  const before = dryRun ? judgeBySeen(seen, line, digest) : null;
  if (before !== null) return before;
  try {
    const outcome = await tryAgain(() =>
      writer.write({ dataSet: account.id, account, actor, now }, async (work) => {
        const done = await importSale(work, account, line, digest);
        if (dryRun) throw new RowRollback(done);
        return done;
      }),
    );
    return { outcome };
  } catch (error) {
    if (error instanceof RowRollback) {
      for (const [claim] of claimsOf(line)) seen.set(claim, digest);
      return { outcome: error.outcome };
    }
    if (error instanceof RowRefusal) return { errors: error.errors };
    if (error instanceof Failure) return { errors: faultsOf(error, NAMES) };
    throw error;
  }
}

/** Values that only one line of a file may have, with their field. */
const claimsOf = ({ external_ref, sale_no, vehicle, collections = [] }: SaleLine): [claim: string, field: string][] => [
  [`external_ref ${external_ref}`, 'external_ref'],
  ...present([sale_no]).map((number): [string, string] => [`sale_no ${number}`, 'sale_no']),
  ...present([vehicle.external_ref ?? vehicle.plate]).map((car): [string, string] => [`vehicle ${car}`, 'vehicle']),
  ...collections.flatMap(({ receipt_no }, index): [string, string][] =>
    receipt_no === undefined ? [] : [[`receipt_no ${receipt_no}`, `collections[${index}].receipt_no`]],
  ),
];

/** A dry run rolls every line back, so the database does not know the values of earlier lines. */
function judgeBySeen(seen: ReadonlyMap<string, string>, line: SaleLine, digest: string): RowResult | null {
  const taken = claimsOf(line).find(([claim]) => seen.has(claim));
  if (taken === undefined) return null;
  if (seen.get(`external_ref ${line.external_ref}`) === digest) return { outcome: 'unchanged' };
  const message = { en: `An earlier line has the same ${taken[1]}`, tr: `Önceki bir satır aynı ${taken[1]} değerini taşıyor` };
  return { errors: [{ field: taken[1], code: 'not_allowed', message }] };
}

async function importSale(work: Work, account: ImportAccount, line: SaleLine, digest: string): Promise<Outcome> {
  const { db } = work;
  const { external_ref } = line;
  const cars = await lockVehiclesByRefOrPlate(db, present([line.vehicle.external_ref]), present([line.vehicle.plate]));
  const people = await findPeople(work, line.customer);
  const [known] = await db.rows<{ imported_as: string | null; customer_id: string }>(
    sql`select imported_as, customer_id from ${own('sales')} where external_ref = ${external_ref}`,
  );
  if (known !== undefined) {
    const isSamePerson = people.length === 0 || people.some(({ id }) => id === known.customer_id);
    if (known.imported_as !== digest || !isSamePerson) throw new RowRefusal([DIFFERS]);
    return 'unchanged';
  }
  const vehicle_id = await carOf(work, line, cars);
  const customer_id = await buyerOf(work, account, line, people);
  await holdSeries(work, ['S', 'T']);
  const { customer: _, vehicle: __, collections = [], installments = [], trade_in_amount, sale_no, ...terms } = line;
  const sale = await createSale(
    work,
    {
      ...terms,
      vehicle_id,
      customer_id,
      ...(trade_in_amount === undefined ? {} : { trade_in: { amount: trade_in_amount } }),
      ...(installments.length === 0 ? {} : { installments }),
    },
    { sale_no, imported_as: digest },
  );
  await collectAll(work, sale.id, line, collections);
  await audit(db, work.actor, 'sales.imported', sale.id, { accountId: account.id, after: { external_ref } });
  return 'created';
}

/** On their own days, oldest first. */
async function collectAll(
  work: Work,
  sale_id: string,
  line: SaleLine,
  paid: NonNullable<SaleLine['collections']>,
): Promise<void> {
  const inOrder = [...paid.entries()].sort(([, one], [, other]) => (one.collected_on! < other.collected_on! ? -1 : 1));
  for (const [index, { collected_on, amount, currency = line.currency, receipt_no, ...rest }] of inOrder) {
    try {
      await collect(work, { ...rest, sale_id, amount: amount!, currency, collected_on: collected_on! }, receipt_no);
      // A number that is taken is refused only when the statements are sent; here its sale is known.
      if (receipt_no !== undefined) await work.db.exec(sql`select`);
    } catch (error) {
      if (error instanceof Failure) throw new RowRefusal(faultsOf(error, {}, `collections[${index}]`));
      throw error;
    }
  }
}

const DIFFERS: RowFault = {
  field: 'external_ref',
  code: 'external_ref_in_use',
  message: {
    en: 'A sale with this external_ref already exists with different data; it was not changed',
    tr: 'Bu external_ref ile başka içerikte bir satış zaten var; olduğu gibi kalır',
  },
};

const unknown = (field: 'customer' | 'vehicle'): RowRefusal =>
  new RowRefusal([
    {
      field,
      code: 'unknown_reference',
      message: {
        en: `${field} does not refer to a record of this account, and the row has too little data to create one`,
        tr: `${field} bu hesabın bir kaydını göstermiyor; yeni kayıt için de yeterli bilgi yok`,
      },
    },
  ]);

/** A car that was recorded as sold before is set back to stock within the write, and is sold by this sale. */
async function carOf(work: Work, { vehicle: car, sale_price, sale_date, currency }: SaleLine, found: readonly StoredVehicle[]) {
  const known = named('vehicle', () => matchVehicle(found, car));
  if (known !== null) {
    if (known.status === 'Satıldı' && known.sold_via === 'Harici') await returnToStock(work, known);
    return known.id;
  }
  if (car.brand === undefined) throw unknown('vehicle');
  const values = { price: sale_price, currency, ...car };
  const missing = missingFields(IMPORTED_VEHICLE_FIELDS, values);
  if (missing.length > 0) throw new RowRefusal(within('vehicle', missing));
  const made = newVehicle(values, {}, { currency, today: sale_date, now: work.now });
  await createVehicle(work, made);
  return made.id;
}

function findPeople({ db, keys }: Work, { external_ref, id_no, phone }: SaleLine['customer']): Promise<StoredCustomer[]> {
  return lockCustomersByRefIdNoOrPhone(db, {
    refs: present([external_ref]),
    idNoIndexes: present([id_no]).flatMap((number) => idNoIndexes(keys, 'customers', number)),
    phones: present([phone]),
  });
}

/** By reference, else by identity number, else by phone together with a given name, because families share a phone. */
async function buyerOf(work: Work, { country }: ImportAccount, { customer }: SaleLine, people: readonly StoredCustomer[]) {
  const { external_ref, id_no, phone, first_name, last_name } = customer;
  const indexes = id_no ? idNoIndexes(work.keys, 'customers', id_no) : [];
  const nameOf = (one: { first_name?: string | undefined; last_name?: string | undefined }) =>
    foldName(`${one.first_name} ${one.last_name}`);
  const isNamed = first_name !== undefined && last_name !== undefined;
  const found =
    (external_ref
      ? onlyMatch(
          people.filter((one) => one.external_ref === external_ref),
          'customer.external_ref',
        )
      : null) ??
    onlyMatch(
      people.filter((one) => indexes.some((index) => one.id_no_index?.equals(index))),
      'customer.id_no',
    ) ??
    onlyMatch(
      people.filter((one) => one.phone === phone && (!isNamed || nameOf(one) === nameOf(customer))),
      'customer.phone',
    );
  if (found !== null) return found.id;
  if (first_name === undefined && last_name === undefined) throw unknown('customer');
  const decision = named('customer', () => decideCustomer({ keys: work.keys, country }, null, customer, { now: work.now }));
  if (decision.outcome === 'unchanged') throw unknown('customer');
  await decision.write(work);
  return decision.stored.id;
}

function named<T>(part: string, decide: () => T): T {
  try {
    return decide();
  } catch (error) {
    throw error instanceof RowRefusal ? new RowRefusal(within(part, error.errors)) : error;
  }
}

const within = (part: string, faults: readonly RowFault[]): RowFault[] =>
  faults.map((fault) => ({ ...fault, field: fault.field === null ? part : `${part}.${fault.field}` }));

/** The domain's field names as the line's. */
const NAMES: Readonly<Record<string, string>> = {
  'trade_in.amount': 'trade_in_amount',
  vehicle_id: 'vehicle',
  customer_id: 'customer',
};

function faultsOf({ code, facts }: Failure, names: Readonly<Record<string, string>>, part?: string): RowFault[] {
  const details = (facts.details ?? []) as readonly FieldError[];
  const faults: readonly RowFault[] =
    details.length > 0
      ? details
      : [{ field: null, code, message: { en: messageOf(code, facts, 'en'), tr: messageOf(code, facts, 'tr') } }];
  if (part !== undefined) return within(part, faults);
  return faults.map((fault) => ({ ...fault, field: fault.field === null ? null : (names[fault.field] ?? fault.field) }));
}
