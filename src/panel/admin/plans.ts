// A dealer's plan, limits, capabilities and invoices as administrators keep them (P1, P7), corrections of the wallet (P10), and the proof of the books.
import { changeAccount } from '../../domain/accounts/account-change.ts';
import { CAPABILITIES, type Capability } from '../../domain/accounts/accounts-states.ts';
import { INVOICE_FIELDS, issueInvoice, listInvoices, type MembershipInvoice } from '../../domain/membership/invoices.ts';
import { MEMBERSHIP_FIELDS, type Membership, readMembership, setMembership } from '../../domain/membership/membership.ts';
import { type MembershipUsage, readMembershipUsage } from '../../domain/membership/membership-usage.ts';
import { flagField, oneOfField, required } from '../../domain/records/fields.ts';
import { lastProof } from '../../domain/wallet/books.ts';
import { CORRECTION_FIELDS, correctWallet } from '../../domain/wallet/correction.ts';
import { PAID_FROM, settleInvoice } from '../../domain/wallet/invoice-payment.ts';
import { decideCorrection, decideSettlement } from '../../domain/wallet/money-decisions.ts';
import { readWallet, type Wallet, type WalletTransaction } from '../../domain/wallet/wallet-view.ts';
import { type Database, type Db, isUnavailable, logOf } from '../../kit/db.ts';
import { fail } from '../../kit/errors.ts';
import { formatMoney } from '../../kit/money.ts';
import { paging } from '../../kit/params.ts';
import { own, sql } from '../../kit/sql.ts';
import { PanelList, panelGet, panelPatch, panelPost } from '../kit/endpoint.ts';
import { findDealer, writeForDealer } from './dealer-write.ts';
import { deciderOf, WAITS, type WaitsForSecond } from './decider.ts';

/** What `GET admin/accounts/{account_id}/plan` answers. */
export interface AdminPlan {
  readonly membership: Membership;
  /** Null while the log's own database does not answer. */
  readonly usage: MembershipUsage | null;
  readonly wallet: Wallet;
  readonly capabilities: Readonly<Record<Capability, boolean>>;
}

/** What `GET admin/ledger` answers; null where it was never proved. */
export interface LedgerState {
  readonly proved_at: string | null;
  readonly imbalance: string;
  readonly entries: number;
  readonly found: readonly { readonly about: string; readonly difference: string }[];
}

async function readUsage(database: Database, dealer: { readonly id: string; readonly timezone: string }, now: Date) {
  const found = await database.inTenant(dealer.id, 'read', (db) => readMembershipUsage(db, dealer.timezone, now));
  const log = logOf(database);
  // Membership and wallet are shown all the same.
  return log.inTenant(dealer.id, 'read', found.read).catch((error) => {
    if (log === database || !isUnavailable(error)) throw error;
    return null;
  });
}

export const adminPlanEndpoints = [
  panelGet('admin/accounts/{account_id}/plan', {
    who: 'admin',
    databaseRole: 'none',
    run: async ({ params, services, now }): Promise<AdminPlan> => {
      const dealer = await findDealer(services.database, params.account_id);
      const read = <T>(question: (db: Db) => Promise<T>): Promise<T> => services.database.inTenant(dealer.id, 'read', question);
      return {
        membership: await read(readMembership),
        usage: await readUsage(services.database, dealer, now),
        wallet: await read(readWallet),
        capabilities: await read((db) =>
          db.one(sql`select dealer_network, marketplace, live_auctions, import from ${own('accounts')}`),
        ),
      };
    },
  }),
  panelPatch('admin/accounts/{account_id}/plan', {
    who: 'admin',
    databaseRole: 'none',
    recent: true,
    bodySchema: MEMBERSHIP_FIELDS,
    run: (context): Promise<Membership> =>
      writeForDealer(context, context.params.account_id, (work) => setMembership(work, context.body)),
  }),
  panelPatch('admin/accounts/{account_id}/capabilities', {
    who: 'admin',
    databaseRole: 'platform',
    recent: true,
    bodySchema: Object.fromEntries(CAPABILITIES.map((name) => [name, flagField])) as Record<Capability, typeof flagField>,
    run: async ({ db, params, body, actor, now }): Promise<Readonly<Record<Capability, boolean>>> =>
      (await changeAccount(db, params.account_id, body, actor, now))?.capabilities ?? fail('not_found'),
  }),
  panelGet('admin/accounts/{account_id}/invoices', {
    who: 'admin',
    databaseRole: 'none',
    query: paging,
    run: async ({ params, query, services }) => {
      const dealer = await findDealer(services.database, params.account_id);
      const { json, hasMore } = await services.database.inTenant(dealer.id, 'read', (db) =>
        listInvoices(db, {}, dealer.timezone, query),
      );
      return new PanelList(JSON.parse(json) as MembershipInvoice[], query, hasMore, null);
    },
  }),
  panelPost('admin/accounts/{account_id}/invoices', {
    who: 'admin',
    databaseRole: 'none',
    recent: true,
    bodySchema: INVOICE_FIELDS,
    run: (context): Promise<MembershipInvoice> =>
      writeForDealer(context, context.params.account_id, (work) => issueInvoice(work, context.body)),
  }),
  panelPost('admin/accounts/{account_id}/invoices/{invoice_id}/settle', {
    who: 'admin',
    databaseRole: 'none',
    recent: true,
    bodySchema: { from: required(oneOfField(PAID_FROM)) },
    run: async (context): Promise<MembershipInvoice | WaitsForSecond> => {
      const { params, body, services } = context;
      const { id: decisionId, waits } = await services.database.onPlatform('write', (db) =>
        decideSettlement(db, params.account_id, params.invoice_id, body.from, deciderOf(context)),
      );
      if (waits) return WAITS;
      const payment = { from: body.from, decisionId };
      return writeForDealer(context, params.account_id, (work) => settleInvoice(work, params.invoice_id, payment));
    },
  }),
  panelPost('admin/accounts/{account_id}/wallet-corrections', {
    who: 'admin',
    databaseRole: 'none',
    recent: true,
    bodySchema: CORRECTION_FIELDS,
    run: async (context): Promise<WalletTransaction | WaitsForSecond> => {
      const { params, body, services, now } = context;
      const { id: decisionId, waits } = await services.database.onPlatform('write', (db) =>
        decideCorrection(db, params.account_id, body, now, deciderOf(context)),
      );
      if (waits) return WAITS;
      return writeForDealer(context, params.account_id, (work) => correctWallet(work, { ...body, decisionId }));
    },
  }),
  panelGet('admin/ledger', {
    who: 'admin',
    databaseRole: 'platform',
    run: async ({ db }): Promise<LedgerState> => {
      const proof = await lastProof(db);
      return {
        proved_at: proof?.proved_at.toISOString() ?? null,
        imbalance: formatMoney(proof?.imbalance ?? 0n),
        entries: Number(proof?.entries ?? 0n),
        found: (proof?.found ?? []).map(({ about, difference_minor }) => ({
          about,
          difference: formatMoney(BigInt(difference_minor)),
        })),
      };
    },
  }),
];
