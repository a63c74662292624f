// The demonstration's showroom, its bank accounts, and people who asked about a car: some of each open stage, one that was lost, and
// one with an offer. The same at every load.
import { sealEntry, sealPerson } from '../domain/enquiries/enquiry.ts';
import type { EnquirySource, EnquiryStage } from '../domain/enquiries/enquiry-states.ts';
import { writtenSum } from '../domain/formats/written.ts';
import { foldName } from '../domain/records/person-fields.ts';
import { insertRecords } from '../domain/records/record.ts';
import type { Secrets } from '../domain/vault/secrets.ts';
import { sealingKeys } from '../domain/vault/vault.ts';
import type { Database, Db } from '../kit/db.ts';
import { own, sql } from '../kit/sql.ts';
import type { SealingKeys } from '../kit/work.ts';
import type { DemoDealer } from './demo-dealer.ts';
import { idOf, randomOf } from './demo-random.ts';
import { FIRST_NAMES, LAST_NAMES } from './demo-words.ts';

const DAY = 86_400_000;

interface Asked {
  readonly source: EnquirySource;
  readonly stage: EnquiryStage;
  readonly daysAgo: number;
  readonly message: string;
  readonly lost?: string;
}

const ASKED: readonly Asked[] = [
  { source: 'Vitrin', stage: 'Yeni', daysAgo: 0, message: 'Hafta sonu görmeye gelebilir miyim?' },
  { source: 'Telefon', stage: 'Yeni', daysAgo: 1, message: 'Taksit imkânını sordu.' },
  { source: 'Vitrin', stage: 'Görüşüldü', daysAgo: 3, message: 'Takas düşünür müsünüz?' },
  { source: 'Walk-in', stage: 'Test sürüşü', daysAgo: 5, message: 'Eşiyle geldi, beğendi.' },
  { source: 'Telefon', stage: 'Teklif', daysAgo: 8, message: 'Peşin fiyat istedi.' },
  { source: 'Vitrin', stage: 'Kaybedildi', daysAgo: 20, message: 'Son fiyat nedir?', lost: 'Başka yerden aldı' },
];

/** Only letters and digits of the name; `fold` has the Turkish letters. */
const slugOf = (name: string): string =>
  foldName(name)
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replace(/^-|-$/g, '');

export async function loadDemoShowrooms(
  database: Database,
  secrets: Secrets,
  dealers: readonly DemoDealer[],
  now: Date,
): Promise<void> {
  for (const dealer of dealers)
    await database.inTenant(dealer.id, 'write', (db) =>
      loadShowroom(db, sealingKeys(secrets, dealer.id), dealer, slugOf(dealer.name), now),
    );
}

/** Of a bank that does not exist, with valid check digits. */
const IBANS = ['TR050009900000000000000001', 'TR750009900000000000000002'] as const;

const bankAccountsOf = ({ scope, name, country }: DemoDealer, now: Date) =>
  (['TL', country === 'KKTC' ? 'STG' : 'EUR'] as const).map((currency, place) => ({
    id: idOf('bank account', scope, currency),
    bank: 'Örnek Bank',
    holder: name,
    iban: IBANS[place]!,
    currency,
    created_at: now,
  }));

/** An address that another dealer has stays theirs; the showroom is then off. */
export async function loadShowroom(db: Db, keys: SealingKeys, dealer: DemoDealer, slug: string, now: Date): Promise<void> {
  if ((await db.rows(sql`select from ${own('showrooms')}`)).length > 0) return;
  const isFree = (await insertRecords(db, 'showroom_slugs', [{ slug }])) > 0;
  const choices = { shows_plate: false, shows_sold: true, created_at: now, updated_at: now };
  await insertRecords(db, 'bank_accounts', bankAccountsOf(dealer, now));
  await insertRecords(db, 'showrooms', [{ is_on: isFree, slug: isFree ? slug : null, ...choices }]);
  const cars = await db.rows<{ vehicle_id: string }>(
    sql`select vehicle_id from ${own('listings')} where status = 'Yayında' order by id limit ${ASKED.length}`,
  );
  if (cars.length === 0) return;
  const asked = ASKED.map((one, place) =>
    enquiryOf(keys, dealer, one, { place, vehicle_id: cars[place % cars.length]!.vehicle_id, now }),
  );
  const made = [...asked, ...(await enquiryOfNewestOffer(db, keys, dealer))];
  await insertRecords(
    db,
    'enquiries',
    made.map(({ enquiry }) => enquiry),
  );
  await insertRecords(
    db,
    'enquiry_entries',
    made.flatMap(({ entries }) => entries),
  );
}

interface Offered {
  readonly id: string;
  readonly vehicle_id: string;
  readonly name: string;
  readonly phone: string;
  readonly amount: string;
  readonly currency: string;
  readonly message: string | null;
  readonly created_at: Date;
}

/** The newest that waits for an answer; none in a sandbox, whose offers are loaded later. */
async function enquiryOfNewestOffer(db: Db, keys: SealingKeys, { scope }: DemoDealer) {
  const offers = await db.rows<Offered>(sql`select id, vehicle_id, buyer_name as name, buyer_phone as phone,
      money_text(amount_minor) as amount, currency, message, created_at from ${own('marketplace_offers')} where status = 'Beklemede'
    order by created_at desc, id limit 1`);
  return offers.map(({ name, phone, amount, currency, message, created_at, ...offer }) => {
    const [id, entry] = [idOf('enquiry', scope, 'offer'), idOf('enquiry entry', scope, 'offer')];
    const times = { last_activity_at: created_at, created_at, updated_at: created_at };
    const car = { vehicle_id: offer.vehicle_id };
    const value = `Pazar teklifi: ${writtenSum(amount, currency).tr}`;
    const text_encrypted = sealEntry(keys, entry, message);
    return {
      enquiry: {
        id,
        source: 'Pazar teklifi',
        stage: 'Yeni',
        lost_reason: null,
        ...sealPerson(keys, id, { name, phone }),
        ...car,
        offer_id: offer.id,
        ...times,
      },
      entries: [{ id: entry, enquiry_id: id, kind: 'received', value, text_encrypted, ...car, created_at }],
    };
  });
}

function enquiryOf(
  keys: SealingKeys,
  dealer: DemoDealer,
  { source, stage, daysAgo, message, lost }: Asked,
  { place, vehicle_id, now }: { readonly place: number; readonly vehicle_id: string; readonly now: Date },
) {
  const random = randomOf('enquiry', dealer.index, place);
  const id = idOf('enquiry', dealer.scope, place);
  const person = {
    name: `${random.pick(FIRST_NAMES)} ${random.pick(LAST_NAMES)}`,
    phone: `+9053${dealer.country === 'KKTC' ? 3 : 2}${7_000_000 + place * 1000 + random.between(0, 999)}`,
  };
  const at = new Date(now.getTime() - daysAgo * DAY - random.between(10, 300) * 60_000);
  const enquiry = {
    id,
    source,
    stage,
    lost_reason: lost ?? null,
    ...sealPerson(keys, id, person),
    vehicle_id,
    offer_id: null,
    last_activity_at: at,
    created_at: at,
    updated_at: at,
  };
  const entryOf = (kind: 'received' | 'stage', value: string, text: string | null) => {
    const entry = idOf('enquiry entry', dealer.scope, place, kind);
    return { id: entry, enquiry_id: id, kind, value, text_encrypted: sealEntry(keys, entry, text), vehicle_id, created_at: at };
  };
  const moved = stage === 'Yeni' ? [] : [entryOf('stage', stage, null)];
  return { enquiry, entries: [entryOf('received', source, message), ...moved] };
}
