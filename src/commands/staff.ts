// `staff create`: adds a person who works for a dealer and does not sign in.

import { findAccount } from '../domain/accounts/accounts.ts';
import { createStaff, NEW_STAFF_FIELDS } from '../domain/accounts/staff.ts';
import { databaseClock } from '../domain/clock/database-clock.ts';
import { ROLES } from '../domain/identity/roles.ts';
import { readCreateBody } from '../domain/records/body.ts';
import { fieldContext } from '../domain/records/fields.ts';
import { Failure } from '../kit/errors.ts';
import { CLI_ACTOR } from './actor.ts';
import { accountId, type Command, print, readOptions, required, UsageError } from './command.ts';
import { withDatabase } from './with-database.ts';

export const staffCommand: Command = {
  usage: [`staff create --account ID --name N [--branch ID] [--role ${ROLES.join('|')}]`],
  async run([act, ...args]) {
    if (act !== 'create') throw new UsageError('staff takes create');
    const {
      account,
      name,
      branch,
      role = 'sales',
      json,
    } = readOptions(args, {
      account: 'text',
      name: 'text',
      branch: 'text',
      role: 'text',
    });
    const id = accountId(account);
    const made = await create(id, { full_name: required(name, 'name'), role, ...(branch ? { branch_id: branch } : {}) });
    print(json, { id: made }, `Created ${name} (${made})`);
    return undefined;
  },
};

const create = (id: string, input: Readonly<Record<string, unknown>>): Promise<string> =>
  withDatabase(async ({ database }) => {
    if ((await database.onPlatform('read', (db) => findAccount(db, id))) === null)
      throw new UsageError(`there is no account ${id}; see galeri account list`);
    const { now, realNow } = (await databaseClock(database)).times();
    try {
      const values = readCreateBody(NEW_STAFF_FIELDS, input, fieldContext(now, 'UTC'));
      const act = { accountId: id, actor: CLI_ACTOR, realNow };
      return (await database.inTenant(id, 'write', (db) => createStaff(db, values, act))).id;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      throw new UsageError(
        (error.facts.details ?? []).map(({ message }) => (typeof message === 'string' ? message : message.en)).join('; '),
      );
    }
  });
