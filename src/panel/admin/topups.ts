// Requests for a top-up of all dealers, with their receipts, and the decision on them (P3).
import { receiptFile } from '../../domain/documents/uploaded/topup-receipt.ts';
import { signLink } from '../../domain/files/file-links.ts';
import { writtenMoney } from '../../domain/formats/written.ts';
import { MONEY_ALONE_UP_TO } from '../../domain/keys/four-eyes.ts';
import { canBeSecond, mayBeOnePerson, twoAdministratorsDecide } from '../../domain/keys/second-administrator.ts';
import { moneyField, nullable, required } from '../../domain/records/fields.ts';
import type { TopupRequest } from '../../domain/wallet/topup.ts';
import {
  ALONE_SINCE,
  approveTopup,
  DECISION_NOTE,
  type Decision,
  dayBefore,
  rejectTopup,
} from '../../domain/wallet/topup-decision.ts';
import { TOPUP_STATUSES, type TopupStatus } from '../../domain/wallet/wallet-states.ts';
import { audit } from '../../domain/writes/audit.ts';
import type { FileLink } from '../../kit/endpoint.ts';
import { fail } from '../../kit/errors.ts';
import { formatMoney } from '../../kit/money.ts';
import { oneOfParam, paging } from '../../kit/params.ts';
import { sql } from '../../kit/sql.ts';
import { listed, panelGet, panelPost } from '../kit/endpoint.ts';
import { findDealer, writeForDealer } from './dealer-write.ts';

/** A line of `GET admin/topups`. */
export interface AdminTopupLine {
  readonly id: string;
  readonly status: TopupStatus;
  readonly account_id: string;
  readonly account: string;
  readonly amount: string;
  readonly currency: string;
  readonly method: string;
  readonly reference: string | null;
  readonly note: string | null;
  readonly balance: string;
  /** Null if a key requested it. */
  readonly requested_by_name: string | null;
  readonly created_at: string;
  /** Documents of the receipt, opened one by one. */
  readonly receipts: readonly string[];
  readonly needs_two: boolean;
  /** The administrator who approved a large sum first, and whether the current one can be the second. */
  readonly first_by_name: string | null;
  readonly may_be_second: boolean;
  readonly is_own: boolean;
  readonly decided_by_name: string | null;
  readonly decided_at: string | null;
  readonly decision_note: string | null;
}

export const adminTopupEndpoints = [
  panelGet('admin/topups', {
    who: 'admin',
    databaseRole: 'platform',
    query: { ...paging, status: oneOfParam(TOPUP_STATUSES) },
    run: async ({ db, query, session, services, now }) => {
      const { limit, offset, status } = query;
      const me = sql`${session.person.id}::uuid`;
      const twoDecide = await twoAdministratorsDecide(db, services.fourEyes);
      const which = status === undefined ? sql`true` : sql`status = ${status}`;
      const found = await db.rows<AdminTopupLine>(sql`
        with page as (select * from wallet_topups where ${which} order by created_at desc, id desc limit ${limit + 1} offset ${offset})
        select t.id, t.status, t.account_id, a.name as account, money_text(t.amount_minor) as amount, t.currency, t.method, t.reference,
          t.note, money_text(w.balance_minor) as balance, asker.full_name as requested_by_name, utc_text(t.created_at) as created_at,
          (select coalesce(json_agg(d.id order by d.created_at, d.id), '[]') from documents d
            where d.account_id = t.account_id and d.topup_id = t.id and d.deleted_at is null) as receipts,
          ${twoDecide} and t.amount_minor + (select coalesce(sum(amount_minor), 0) from wallet_topups
            where account_id = t.account_id and ${ALONE_SINCE(dayBefore(now))}) > ${MONEY_ALONE_UP_TO} as needs_two, proposer.full_name as first_by_name,
          t.first_by is not null and not ${mayBeOnePerson(sql`t.first_by`, me)} as may_be_second,
          t.requested_by is not distinct from ${me} as is_own, decider.full_name as decided_by_name,
          utc_text(t.decided_at) as decided_at, t.decision_note
        from page t
        join accounts a on a.id = t.account_id
        join wallets w on w.account_id = t.account_id
        left join people asker on asker.id = t.requested_by
        left join people proposer on proposer.id = t.first_by
        left join people decider on decider.id = t.decided_by
        order by t.created_at desc, t.id desc`);
      return listed(found, query);
    },
  }),
  panelGet('admin/accounts/{account_id}/topups/{request_id}/receipts/{document_id}', {
    who: 'admin',
    databaseRole: 'none',
    run: async (context): Promise<FileLink> => {
      const { params, services, actor, realNow } = context;
      const dealer = await findDealer(services.database, params.account_id);
      return services.database.inTenant(dealer.id, 'write', async (db) => {
        const file = await receiptFile(db, params.request_id, params.document_id);
        await audit(db, actor, 'document.opened', params.document_id, { accountId: dealer.id });
        return signLink(services.secrets.files, services.publicUrl(), dealer.id, file, realNow);
      });
    },
  }),
  panelPost('admin/accounts/{account_id}/topups/{request_id}/approve', {
    who: 'admin',
    databaseRole: 'none',
    recent: true,
    bodySchema: { amount: required(moneyField({ above: 0n })), note: nullable(DECISION_NOTE) },
    run: async (context): Promise<TopupRequest> => {
      const { params, body, services, session } = context;
      const decision = await services.database.onPlatform('read', async (db): Promise<Decision> => {
        const topup = await db.one<{ first_by: string | null; amount: bigint }>(sql`select first_by, amount_minor as amount
          from wallet_topups where account_id = ${params.account_id} and id = ${params.request_id}`);
        if (topup.amount !== body.amount) otherAmount(topup.amount);
        const by = topup.first_by;
        const first = by === null ? null : { by, maySecond: await canBeSecond(db, by, session.person.id) };
        const twoDecide = await twoAdministratorsDecide(db, services.fourEyes);
        return { note: body.note ?? null, personId: session.person.id, twoDecide, first };
      });
      return writeForDealer(context, params.account_id, (work) => approveTopup(work, params.request_id, decision));
    },
  }),
  panelPost('admin/accounts/{account_id}/topups/{request_id}/reject', {
    who: 'admin',
    databaseRole: 'none',
    bodySchema: { note: required(DECISION_NOTE) },
    run: (context): Promise<TopupRequest> => {
      const decision = { note: context.body.note, personId: context.session.person.id };
      return writeForDealer(context, context.params.account_id, (work) => rejectTopup(work, context.params.request_id, decision));
    },
  }),
];

/** The administrator types the amount again, so that the approved amount is the one they read. */
function otherAmount(amount: bigint): never {
  const sum = writtenMoney(formatMoney(amount));
  const message = { en: `the request is for ${sum.en}`, tr: `talep ${sum.tr} tutarında` };
  return fail('validation_failed', { details: [{ field: 'amount', code: 'different', message }] });
}
