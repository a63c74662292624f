// Names in the platform's own audit log, which administrators read across all dealers.
import { type Sql, sql } from '../../kit/sql.ts';

/** Records that the platform may name: accounts, their members and their keys, never a dealer's own records. */
export const NAMED_TO_PLATFORM: readonly Sql[] = [
  sql`select id as target, 'account' as kind, id, name from accounts`,
  sql`select id, 'account', account_id, name from api_keys`,
  sql`select id, 'account', account_id, full_name from members`,
  sql`select id, 'account', account_id, name from branches`,
  sql`select id, 'account', account_id, email from invitations`,
  sql`select l.id, 'account', l.account_id, k.name from limit_requests l join api_keys k on (k.account_id, k.id) = (l.account_id, l.key_id)`,
  sql`select id, 'other', id, full_name from people`,
];
