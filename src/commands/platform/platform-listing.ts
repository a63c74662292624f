// `platform listing-offer` and `platform listing-visit`: consumers' offers and visits, reported by the public marketplace site.

import { findAccount } from '../../domain/accounts/accounts.ts';
import { databaseClock } from '../../domain/clock/database-clock.ts';
import { countVisits, findOwner } from '../../domain/marketplace/listing-visits.ts';
import { CONSUMER_OFFER_FIELDS, type MarketplaceOffer } from '../../domain/marketplace/marketplace-offer.ts';
import { receiveOffer } from '../../domain/marketplace/marketplace-offer-writes.ts';
import { VISIT_KINDS, type VisitKind } from '../../domain/marketplace/marketplace-states.ts';
import { readCreateBody } from '../../domain/records/body.ts';
import { fieldContext } from '../../domain/records/fields.ts';
import { type Listing, readListing } from '../../domain/stock/listing-view.ts';
import { Failure, messageOf } from '../../kit/errors.ts';
import { isUuid } from '../../kit/ids.ts';
import { CLI_ACTOR } from '../actor.ts';
import { type Command, integerOption, print, readOptions, required, UsageError } from '../command.ts';
import { openWriter, withDatabase } from '../with-database.ts';

export const listingOfferCommand: Command = {
  usage: ['platform listing-offer create --listing ID --buyer-name N --buyer-phone P --amount A [--message M]'],
  async run([act, ...args]) {
    if (act !== 'create') throw new UsageError('platform listing-offer takes create');
    const options = { listing: 'text', 'buyer-name': 'text', 'buyer-phone': 'text', amount: 'text', message: 'text' } as const;
    const values = readOptions(args, options);
    const made = await offer(listingId(values.listing), {
      buyer_name: required(values['buyer-name'], 'buyer-name'),
      buyer_phone: required(values['buyer-phone'], 'buyer-phone'),
      amount: required(values.amount, 'amount'),
      ...(values.message === undefined ? {} : { message: values.message }),
    });
    print(values.json, made, `Received an offer of ${made.amount} ${made.currency} (${made.id}), open until ${made.expires_at}`);
    return undefined;
  },
};

export const listingVisitCommand: Command = {
  usage: [`platform listing-visit --listing ID --kind ${VISIT_KINDS.join('|')} [--count N]`],
  async run(args) {
    const values = readOptions(args, { listing: 'text', kind: 'text', count: 'text' });
    const kind = VISIT_KINDS.find((one) => one === values.kind);
    if (kind === undefined) throw new UsageError(`--kind must be one of ${VISIT_KINDS.join(', ')}`);
    const id = listingId(values.listing);
    const stats = await visit(id, kind, integerOption(values.count, 'count', 1, 1_000_000) ?? 1);
    const { views, favorites, contacts, offers } = stats;
    const text = `${views} views, ${favorites} favourites, ${contacts} contacts, ${offers} offers`;
    print(values.json, { listing_id: id, stats }, text);
    return undefined;
  },
};

function listingId(text: string | undefined): string {
  const id = required(text, 'listing').toLowerCase();
  if (!isUuid(id)) throw new UsageError(`--listing must be the id of a listing, not "${text}"`);
  return id;
}

const offer = (id: string, body: Readonly<Record<string, unknown>>): Promise<MarketplaceOffer> =>
  withDatabase((connected, config) =>
    asUsage(id, async () => {
      const { database } = connected;
      const clock = await databaseClock(database);
      const now = clock.now();
      const values = readCreateBody(CONSUMER_OFFER_FIELDS, body, fieldContext(now, 'UTC'));
      const account = await database.onPlatform('read', async (db) => findAccount(db, await ownerOf(db, id)));
      const call = { dataSet: account!.id, account: account!, actor: CLI_ACTOR, now };
      return openWriter(connected, config, clock).write(call, (work) => receiveOffer(work, id, values));
    }),
  );

const visit = (id: string, kind: VisitKind, count: number): Promise<Listing['stats']> =>
  withDatabase(({ database }) =>
    asUsage(id, async () => {
      const { now } = (await databaseClock(database)).times();
      const owner = await database.onPlatform('write', async (db) => {
        await countVisits(db, { listingId: id, kind, count }, now);
        return ownerOf(db, id);
      });
      return (await database.inTenant(owner, 'read', (db) => readListing(db, id))).stats;
    }),
  );

async function ownerOf(db: Parameters<typeof findOwner>[0], id: string): Promise<string> {
  const owner = await findOwner(db, id);
  if (owner === null) throw new UsageError(`there is no listing ${id}`);
  return owner;
}

/** What the domain refuses, as one line. */
async function asUsage<T>(id: string, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.code === 'not_found') throw new UsageError(`there is no listing ${id}`);
    const details = (error.facts.details ?? []).map(({ message }) => (typeof message === 'string' ? message : message.en));
    throw new UsageError(details.length > 0 ? details.join('; ') : messageOf(error.code, error.facts, 'en'));
  }
}
