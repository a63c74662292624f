// The files of the sample data: photos of each car, and a document in every status. They are drawn and stored before the transaction
// that refers to them and opens the world.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DemoDealer } from '../demo/demo-dealer.ts';
import {
  addDocumentEvent,
  addGenerated,
  addSignedScan,
  type DemoPaper,
  DRAFT,
  type FilledPaper,
  fillPapers,
  keepSensitive,
  scanIn,
  signedOnPaper,
} from '../demo/demo-documents.ts';
import { drawnCar } from '../demo/demo-photos.ts';
import { idOf } from '../demo/demo-random.ts';
import { demoSaleId } from '../demo/demo-sales.ts';
import type { SaleDocumentStatus } from '../domain/documents/documents-states.ts';
import type { Files } from '../domain/files/file-store.ts';
import { keepFiles, newFile } from '../domain/files/stored-files.ts';
import { type CarPhoto, drawCarPhoto, type PhotoView, VIEW_CAPTIONS } from '../domain/media/car-photos.ts';
import { drawPaper } from '../domain/papers/drawing/paper-drawing.ts';
import { type Columns, insertRecord, insertRecords } from '../domain/records/record.ts';
import { allAnswers, type Database } from '../kit/db.ts';
import type { NewFile } from '../kit/file.ts';
import { own, sql } from '../kit/sql.ts';
import type { SealingKeys, Work } from '../kit/work.ts';

const DAY_MS = 86_400_000;
const VIEWS: readonly PhotoView[] = ['angle', 'side', 'front'];

interface SampleDocument extends DemoPaper {
  readonly status: SaleDocumentStatus;
}

/** The number of the sale in SOLD_IN_WORLD, the paper and its status. */
const DOCUMENTS = [
  [9, 'satis_sozlesmesi', 'Taslak'],
  [9, 'teslim_tutanagi', 'Gönderildi'],
  [9, 'kvkk_aydinlatma', 'İmzalandı'],
  [8, 'teslim_tutanagi', 'Görüntülendi'],
  [5, 'teslim_tutanagi', 'Süresi Doldu'],
  [3, 'teslim_tutanagi', 'Reddedildi'],
  [6, 'teslim_tutanagi', 'İptal'],
] as const;

const documentsOf = (dealer: DemoDealer): SampleDocument[] =>
  DOCUMENTS.map(([sale, code, status]) => ({
    code,
    status,
    id: idOf('document', dealer.scope, status),
    saleId: demoSaleId(dealer, sale),
  }));

interface SamplePhoto extends CarPhoto {
  readonly vehicleId: string;
  readonly position: number;
}

export interface SampleFiles {
  readonly all: readonly NewFile[];
  readonly photos: readonly SamplePhoto[];
  readonly documents: readonly { readonly sample: SampleDocument; readonly filled: FilledPaper; readonly file: NewFile }[];
  readonly scan: NewFile;
}

interface Parts {
  readonly database: Database;
  readonly keys: SealingKeys;
  readonly now: Date;
  readonly publicUrl: string;
}

/** Draws the files in a folder of their own, and deletes what `use` has not moved away. */
export async function withSampleFiles<T>(
  parts: Parts & { readonly files: Files },
  dealer: DemoDealer,
  use: (files: SampleFiles) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(parts.files.incoming, 'world-'));
  try {
    return await use(await drawAll(parts, dealer, folder));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function drawAll(parts: Parts, dealer: DemoDealer, folder: string): Promise<SampleFiles> {
  const samples = documentsOf(dealer);
  const { cars, filled } = await parts.database.inTenant(dealer.id, 'write', async (db) => ({
    cars: await db.rows<SampleCar>(sql`select id, body_type, color, plate from ${own('vehicles')} order by id`),
    filled: await fillPapers(db, parts, samples),
  }));
  const papers = Promise.all(filled.map(({ paper }) => drawPaper(paper, dealer.id, folder)));
  const photos = await drawPhotos(cars, folder);
  const scan = await scanIn(folder);
  const documents = (await papers).map((file, place) => ({ sample: samples[place]!, filled: filled[place]!, file }));
  const all = [...photos.flatMap(({ picture, thumbnail }) => [picture, thumbnail]), ...documents.map(({ file }) => file), scan];
  return { all, photos, documents, scan };
}

interface SampleCar {
  readonly id: string;
  readonly body_type: string;
  readonly color: string;
  readonly plate: string;
}

const AT_ONCE = 2;

async function drawPhotos(cars: readonly SampleCar[], folder: string): Promise<SamplePhoto[]> {
  const pictures = cars.flatMap((car) => VIEWS.map((view, place) => ({ car, view, position: place + 1 }))).entries();
  const photos: SamplePhoto[] = [];
  const walk = async () => {
    for (const [number, { car, view, position }] of pictures)
      photos.push({ vehicleId: car.id, position, ...(await photoIn(folder, String(number), car, view)) });
  };
  await Promise.all(Array.from({ length: AT_ONCE }, walk));
  return photos;
}

interface DrawnBytes {
  readonly picture: Buffer;
  readonly thumbnail: Buffer;
}

/** Every world has the same cars, so each photo is drawn once in a process: about 1.5 MB. */
const DRAWN = new Map<string, DrawnBytes>();
const MAX_DRAWN = 500;

async function photoIn(folder: string, name: string, car: SampleCar, view: PhotoView): Promise<CarPhoto> {
  const key = [car.body_type, car.color, car.plate, view].join('/');
  const known = DRAWN.get(key);
  if (known !== undefined) return writtenAgain(folder, name, known);
  const photo = await drawCarPhoto(drawnCar(car), view, { folder, name });
  if (DRAWN.size < MAX_DRAWN)
    DRAWN.set(key, { picture: await readFile(photo.picture.path), thumbnail: await readFile(photo.thumbnail.path) });
  return photo;
}

async function writtenAgain(folder: string, name: string, { picture, thumbnail }: DrawnBytes): Promise<CarPhoto> {
  const written = async (file: string, bytes: Buffer) => {
    const path = join(folder, file);
    await writeFile(path, bytes);
    return newFile(path, 'image/jpeg');
  };
  return { picture: await written(`${name}.jpg`, picture), thumbnail: await written(`${name}-small.jpg`, thumbnail) };
}

/** In the transaction that opens the world. */
export async function keepSampleFiles(work: Work, dealer: DemoDealer, { photos, documents, scan }: SampleFiles): Promise<void> {
  const { db, keys, now, realNow } = work;
  await keepFiles(
    work,
    photos.flatMap(({ picture, thumbnail }) => [picture.id, thumbnail.id]),
  );
  await allAnswers(photos.map((photo) => insertRecord(db, 'vehicle_photos', photoRow(dealer, photo, now))));
  await keepSensitive(db, [...documents.map(({ file }) => file), scan], realNow);
  for (const { sample, filled, file } of documents) {
    const { id, status } = sample;
    const at = new Date(now.getTime() - daysOf(status) * DAY_MS);
    await addGenerated(db, keys, { id, file, filled, state: stateOf(status, at, now) }, at);
    const { customer_id, id: sale_id } = filled.sale as { customer_id: string; id: string };
    if (status === 'İmzalandı') await addSignedScan(db, dealer, { signed_document_id: id, customer_id, sale_id }, scan, at);
    else if (status !== 'Taslak' && status !== 'İptal') await addRecipient(work, sample, customer_id, at);
    if (status === 'İptal') await addDocumentEvent(db, id, 2, { kind: 'voided' }, at);
  }
  work.endsAt(now);
}

const photoRow = ({ scope }: DemoDealer, { vehicleId, position, picture, thumbnail }: SamplePhoto, now: Date): Columns => ({
  id: idOf('photo', scope, vehicleId, position),
  vehicle_id: vehicleId,
  file_id: picture.id,
  thumbnail_id: thumbnail.id,
  content_type: picture.contentType,
  size_bytes: picture.sizeBytes,
  caption: VIEW_CAPTIONS[VIEWS[position - 1]!],
  position,
  created_at: now,
  updated_at: now,
});

const VALID_DAYS = 30;
/** How long ago the document was made. */
const daysOf = (status: SaleDocumentStatus): number =>
  status === 'Süresi Doldu' ? VALID_DAYS + 10 : status === 'Taslak' ? 0 : 2;

function stateOf(status: SaleDocumentStatus, at: Date, now: Date): Columns {
  if (status === 'Taslak') return DRAFT;
  if (status === 'İmzalandı') return signedOnPaper(at);
  if (status === 'İptal') return { status, void_reason: 'Yanlış kişi adına düzenlendi' };
  const expires_at = new Date(at.getTime() + VALID_DAYS * DAY_MS);
  return { status, channel: 'Bağlantı', sent_at: at, expires_at, updated_at: now };
}

async function addRecipient({ db }: Work, { id, status }: SampleDocument, customerId: string, at: Date): Promise<void> {
  const { name, phone } = await db.one<{ name: string; phone: string }>(
    sql`select first_name || ' ' || last_name as name, phone from ${own('customers')} where id = ${customerId}`,
  );
  const [isViewed, isDeclined] = [status === 'Görüntülendi' || status === 'Reddedildi', status === 'Reddedildi'];
  await insertRecords(db, 'document_recipients', [
    {
      id: idOf('recipient', id),
      document_id: id,
      position: 1,
      role: 'Müşteri',
      name,
      phone,
      status: isDeclined ? 'Reddetti' : isViewed ? 'Görüntüledi' : 'Bekliyor',
      viewed_at: isViewed ? at : null,
      decided_at: isDeclined ? at : null,
    },
  ]);
  const kinds = [
    'sent',
    ...(isViewed ? ['viewed'] : []),
    ...(isDeclined ? ['declined'] : []),
    ...(status === 'Süresi Doldu' ? ['expired'] : []),
  ];
  for (const [place, kind] of kinds.entries())
    await addDocumentEvent(
      db,
      id,
      place + 2,
      { kind, recipient_name: kind === 'expired' ? null : name, channel: kind === 'sent' ? 'Bağlantı' : null },
      at,
    );
}
