// Bodies and domain functions name a tenant table only through own(): checked in the source.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { TENANT_TABLES } from '../../src/kit/tenant-tables.ts';

const SRC = join(import.meta.dirname, '..', '..', 'src');

/** They use the platform role, before or beyond one dealer, and name the account themselves. */
const ON_PLATFORM = [
  'domain/writes/audit-names-platform.ts',
  'domain/writes/transition-failures-platform.ts',
  'domain/clock/test-clock.ts',
  'domain/keys/keys.ts',
  'domain/agents/agent-mail.ts',
  'domain/accounts/accounts.ts',
  'domain/releases/releases.ts',
  'domain/identity/people.ts',
  'domain/writes/audit.ts',
  'domain/keys/limit-requests.ts',
  'domain/keys/admin-decisions.ts',
  'domain/keys/key-authorizations.ts',
  'domain/keys/key-endpoint-requests.ts',
  'domain/wallet/money-decisions.ts',
  'domain/webhooks/webhook-review.ts',
  'domain/webhooks/backlog.ts',
  'domain/releases/release-effect.ts',
  'domain/identity/sessions.ts',
  'domain/identity/sign-in.ts',
  'domain/accounts/account-change.ts',
  'domain/accounts/suspension.ts',
  'domain/identity/invitations.ts',
  'domain/identity/members.ts',
  'domain/identity/owner-requests.ts',
  'domain/usage/log-tail-reader.ts',
  'domain/releases/demand.ts',
  'domain/notifications/banner-writes.ts',
  'domain/releases/release-mail.ts',
  'domain/marketplace/listing-visits.ts',
  'domain/membership/platform-limits.ts',
  'domain/wallet/books.ts',
  'domain/papers/verified-paper.ts',
  'domain/showroom/showroom-lookup.ts',
  'domain/auctions/live-room.ts',
  'domain/worlds/open-world.ts',
];

/** They find work of every account with the platform role, as jobs do, and then write each in its own. */
const OVER_ALL = [
  'domain/imports/runs/claim-runs.ts',
  'domain/webhooks/claim-deliveries.ts',
  'domain/webhooks/record-attempts.ts',
];

/** Used with either role: the caller names the account, and for the tenant role row-level security refuses any other. */
const ON_EITHER_DOOR = ['domain/mail/mail-budget.ts'];

const filesOf = (folder: string): string[] =>
  readdirSync(join(SRC, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${folder}/${name}`);
const textOf = (file: string): string => readFileSync(join(SRC, file), 'utf8');

/**
 * The texts of sql`…` templates, without the parts in ${…} (a template inside one is found separately) except for the account.
 */
function templates(source: string): string[] {
  const found: string[] = [];
  for (const start of source.matchAll(/\bsql`/g)) {
    let text = '';
    let depth = 0;
    for (let at = start.index + 4; at < source.length; at += 1) {
      const two = source.slice(at, at + 2);
      if (two.startsWith('\\')) at += 1;
      else if (depth === 0 && two.startsWith('`')) break;
      else if (two === '${') {
        depth += 1;
        at += 1;
        if (depth === 1) text += source.startsWith('theAccount}', at + 1) ? ' :account ' : ' ? ';
      } else if (depth > 0 && two.startsWith('{')) depth += 1;
      else if (depth > 0 && two.startsWith('}')) depth -= 1;
      else if (depth === 0) text += source[at];
    }
    found.push(text);
  }
  return found;
}

const BARE = new RegExp(
  `\\b(?:from|join|using|update|into|table|,)\\s+(?:only\\s+)?(?:public\\.)?"?(${TENANT_TABLES.join('|')})\\b(?!\\.)`,
  'gi',
);

/** own() is a subquery and cannot be written to: a write names the table, and the account by theAccount. */
const withoutOwnWrites = (text: string): string =>
  text.includes(':account') ? text.replace(/\b(?:insert into|update|delete from)\s+"?\w+/gi, 'write') : text;

function bareTables(source: string): string[] {
  // Comments may name tables freely.
  const code = source.replace(/^\s*\/\/.*$/gm, '');
  return templates(code).flatMap((text) =>
    [...withoutOwnWrites(text).matchAll(BARE)].map((match) => match[0].replace(/\s+/g, ' ')),
  );
}

describe('tenant tables in the source', () => {
  test.each(
    [...filesOf('resources'), ...filesOf('domain')].filter(
      (file) => ![...ON_PLATFORM, ...OVER_ALL, ...ON_EITHER_DOOR].includes(file),
    ),
  )('%s names them through own() only', (file) => {
    expect(bareTables(textOf(file))).toEqual([]);
  });

  test('the files with the platform role never open a tenant transaction, and exist', () => {
    for (const file of ON_PLATFORM) expect(textOf(file), file).not.toMatch(/inTenant|\bown\(|theAccount/);
  });

  test('bodies use only the transaction they were given', () => {
    for (const file of filesOf('resources'))
      expect(textOf(file), file).not.toMatch(/onPlatform|inTenant|openDatabase|openSession|from 'pg'/);
  });

  test('the test can fail', () => {
    expect(bareTables('db.rows(sql`select 1 from vehicles`)')).toEqual(['from vehicles']);
    expect(
      bareTables('sql`select ${sql`1 from customers`} from ${own("vehicles")} v join  "members" m on ${`x`} = ${{ a: 1 }.a}`'),
    ).toEqual(['join "members', 'from customers']);
    expect(bareTables('sql`update notices set read_at = ${now} where account_id = ${theAccount}`')).toEqual([]);
    expect(bareTables('sql`update notices set read_at = ${now} where account_id = ${other}`')).toEqual(['update notices']);
    expect(bareTables('sql`insert into notices (id) select id from members where x = ${theAccount}`')).toEqual(['from members']);
    expect(bareTables('sql`select * from ${own("vehicles")} where id = ${id}`; // from vehicles')).toEqual([]);
  });
});
