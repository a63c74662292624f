// A writer's record of its requests and replies, synced to disk before it continues.
import { type FileHandle, open, readFile } from 'node:fs/promises';

export type Entry =
  | { readonly key: string; readonly asked: 'create'; readonly plate: string; readonly price: string }
  | { readonly key: string; readonly asked: 'reprice'; readonly id: string; readonly price: string }
  | { readonly key: string; readonly asked: 'delete'; readonly id: string }
  | { readonly key: string; readonly answered: number; readonly id?: string };

export type Act = Exclude<Entry, { answered: number }>;

export interface Journal<Written> {
  write(entry: Written): Promise<void>;
  close(): Promise<void>;
}

export async function openJournal<Written = Entry>(path: string): Promise<Journal<Written>> {
  const file: FileHandle = await open(path, 'a');
  return {
    write: async (entry) => {
      await file.appendFile(`${JSON.stringify(entry, withBigints)}\n`);
      await file.datasync();
    },
    close: () => file.close(),
  };
}

export async function readEntries<Written = Entry>(path: string): Promise<Written[]> {
  const lines = (await readFile(path, 'utf8')).split('\n').filter((text) => text !== '');
  return lines.map((line) => JSON.parse(line, toBigints) as Written);
}

const withBigints = (_: string, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value);
const toBigints = (_: string, value: unknown) =>
  typeof value === 'string' && /^-?\d+n$/.test(value) ? BigInt(value.slice(0, -1)) : value;

export interface KnownVehicle {
  readonly id: string;
  readonly plate: string;
  price: string;
  isDeleted: boolean;
  /** As its history must be. */
  readonly history: string[];
}

export interface Account {
  readonly vehicles: Map<string, KnownVehicle>;
  readonly acknowledged: number;
  /** Requests without a reply. */
  readonly open: readonly Act[];
}

/** What must exist, according to the journals alone. */
export async function readJournals(paths: readonly string[]): Promise<Account> {
  const vehicles = new Map<string, KnownVehicle>();
  const open = new Map<string, Act>();
  let acknowledged = 0;
  for (const path of paths) {
    for (const entry of await readEntries(path)) {
      if ('asked' in entry) {
        open.set(entry.key, entry);
        continue;
      }
      apply(vehicles, open.get(entry.key)!, entry.id);
      open.delete(entry.key);
      acknowledged += 1;
    }
  }
  return { vehicles, acknowledged, open: [...open.values()] };
}

function apply(vehicles: Map<string, KnownVehicle>, act: Act, id: string | undefined): void {
  if (act.asked === 'create') {
    vehicles.set(id!, { id: id!, plate: act.plate, price: act.price, isDeleted: false, history: ['created'] });
    return;
  }
  const vehicle = vehicles.get(act.id)!;
  vehicle.history.push(act.asked === 'reprice' ? 'price_changed' : 'deleted');
  if (act.asked === 'reprice') vehicle.price = act.price;
  else vehicle.isDeleted = true;
}
