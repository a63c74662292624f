// `member reset`: a link to set a new password, for an owner who forgot it and a service that sends no mail.
import { databaseClock } from '../domain/clock/database-clock.ts';
import { createReset } from '../domain/identity/invitations.ts';
import { checkEmail, PersonRefusal, personByEmail } from '../domain/identity/people.ts';
import { CLI_ACTOR } from './actor.ts';
import { type Command, print, readOptions, required, UsageError } from './command.ts';
import { withDatabase } from './with-database.ts';

export const memberCommand: Command = {
  usage: ['member reset --email E'],
  async run([act, ...args]) {
    if (act !== 'reset') throw new UsageError('member takes reset');
    const { email, json } = readOptions(args, { email: 'text' });
    await reset(addressOf(required(email, 'email')), json);
    return undefined;
  },
};

function addressOf(email: string): string {
  try {
    return checkEmail(email);
  } catch (error) {
    throw error instanceof PersonRefusal ? new UsageError(error.message) : error;
  }
}

/** A person who may run this command has full access to the database, so the link needs no further approval. */
const reset = (email: string, json: boolean): Promise<void> =>
  withDatabase(async ({ database }, { publicUrl }) => {
    const { realNow } = (await databaseClock(database)).times();
    const made = await database.onPlatform('write', async (db) => {
      const person = await personByEmail(db, email);
      return person === null ? null : createReset(db, person.id, { by: null }, CLI_ACTOR, realNow);
    });
    if (made === null) throw new UsageError(`there is no user with the e-mail address ${email}`);
    const path = `/panel/parola-sifirla/${made.token}`;
    const link = publicUrl === null ? path : `${publicUrl}${path}`;
    const shown = { email, link, expires_at: made.expires_at.toISOString() };
    print(json, shown, `Give this link to ${email}; it can be used once, until ${shown.expires_at}: ${link}`);
  });
