// `customer erase`: removes a customer's personal data from a dealer's records.

import { findAccount } from '../domain/accounts/accounts.ts';
import { databaseClock } from '../domain/clock/database-clock.ts';
import { type Erased, eraseCustomer } from '../domain/customers/customer-erase.ts';
import { Failure, messageOf } from '../kit/errors.ts';
import { isUuid } from '../kit/ids.ts';
import { CLI_ACTOR } from './actor.ts';
import { accountId, type Command, print, readOptions, UsageError } from './command.ts';
import { openWriter, withDatabase } from './with-database.ts';

export const customerCommand: Command = {
  usage: ['customer erase ID --account ID'],
  async run([act, ...args]) {
    if (act !== 'erase') throw new UsageError('customer takes erase');
    const { account, words, json } = readOptions(args, { account: 'text' }, { min: 1, max: 1 });
    const [id, owner] = [words[0]!.toLowerCase(), accountId(account)];
    if (!isUuid(id)) throw new UsageError(`"${words[0]}" is not the id of a customer`);
    const erased = await erase(owner, id);
    const { guarantors, activities, tasks, reservations } = erased;
    const also = `${guarantors} guarantors, ${activities} activities, ${tasks} tasks and ${reservations} reservations`;
    print(json, erased, `Erased customer ${id}, and personal data in ${also}`);
    return undefined;
  },
};

const erase = (owner: string, id: string): Promise<Erased> =>
  withDatabase(async (connected, config) => {
    const { database } = connected;
    const clock = await databaseClock(database);
    const writer = openWriter(connected, config, clock);
    const account = await database.onPlatform('read', (db) => findAccount(db, owner));
    if (account === null) throw new UsageError(`there is no account ${owner}; see galeri account list`);
    const call = { dataSet: owner, account, actor: CLI_ACTOR, now: clock.now() };
    try {
      return await writer.write(call, (work) => eraseCustomer(work, id));
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      throw new UsageError(
        error.code === 'not_found' ? `this account has no customer ${id}` : messageOf(error.code, error.facts, 'en'),
      );
    }
  });
