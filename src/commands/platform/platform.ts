// `platform …`: the administrator's side, one noun to a file.
import { type Command, UsageError } from '../command.ts';
import { AUCTION_NOUNS } from './platform-auction.ts';
import { documentCommand } from './platform-document.ts';
import { listingOfferCommand, listingVisitCommand } from './platform-listing.ts';
import { MONEY_NOUNS } from './platform-money.ts';

const NOUNS: Readonly<Record<string, Command>> = {
  ...MONEY_NOUNS,
  ...AUCTION_NOUNS,
  document: documentCommand,
  'listing-offer': listingOfferCommand,
  'listing-visit': listingVisitCommand,
};

export const platformCommand: Command = {
  usage: Object.values(NOUNS).flatMap(({ usage }) => usage),
  async run([noun = '', ...args]) {
    if (!Object.hasOwn(NOUNS, noun)) throw new UsageError(`platform takes ${Object.keys(NOUNS).join(', ')}`);
    return NOUNS[noun]!.run(args);
  },
};
