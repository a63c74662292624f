// The panel's lists as CSV and Excel files: the filtered records, streamed. Files contain unmasked names, so roles with masked names do not get them.
import { CustomerFilters, customersWhere } from '../../domain/customers/customer-list.ts';
import { ExpenseFilters, listExpenses } from '../../domain/expenses/expense.ts';
import { FILE_TYPES, type FileForm, writeTable } from '../../domain/formats/table-write.ts';
import { type Role, rolesFor } from '../../domain/identity/roles.ts';
import { LIST_TITLES, type ListName } from '../../domain/records/list-columns.ts';
import { type ListedRecord, listTable, patient, requireFits, walkedPages } from '../../domain/records/list-file.ts';
import { CollectionFilters, listCollections } from '../../domain/sales/collection.ts';
import { listOverdue, OverdueFilters } from '../../domain/sales/installment-list.ts';
import { listNotes, RegisterFilters } from '../../domain/sales/note.ts';
import { listSales, SaleFilters } from '../../domain/sales/sale-list.ts';
import { listTransactions, TransactionFilters } from '../../domain/wallet/wallet-view.ts';
import { withNames } from '../../domain/writes/audit-names.ts';
import { type AuditEntry, AuditFilters, walkAudit } from '../../domain/writes/audit-trail.ts';
import { dayIn } from '../../kit/clock.ts';
import type { Db } from '../../kit/db.ts';
import type { Scope } from '../../kit/endpoint.ts';
import type { Locale } from '../../kit/errors.ts';
import { listPage, type Page, type Paging } from '../../kit/page.ts';
import type { Params, ParamValues } from '../../kit/params.ts';
import { own, sql } from '../../kit/sql.ts';
import { PanelFile, panelGet } from '../kit/endpoint.ts';
import { refuseLook } from '../kit/paper-file.ts';

interface At {
  readonly now: Date;
  readonly today: string;
  readonly timezone: string;
}

interface Source<Q extends Params> {
  /** A page of the list, which can be walked. */
  readonly read: (db: Db, query: ParamValues<Q>, at: At, page: Paging) => Promise<Page>;
  /** Adds further columns to a page of records. */
  readonly enrich?: (db: Db, records: readonly ListedRecord[]) => Promise<readonly ListedRecord[]>;
  /** A salesperson gets the records of their own sales. */
  readonly ofSeller?: true;
}

const unmasked = (scope: Scope): Role[] => rolesFor({ scope, risk: 'read' }).filter((role) => role !== 'viewer');

/** A file ends with totals, and those of all sales are turnover. */
const ofOffice = (scope: Scope): Role[] => unmasked(scope).filter((role) => role !== 'sales');

const fileName = (name: ListName, locale: Locale, today: string): string =>
  `${LIST_TITLES[name][locale].toLocaleLowerCase(locale).replace(/[^\p{L}\d]+/gu, '-')}-${today}`;

const fileEndpoint = <const N extends ListName, const F extends FileForm, const Q extends Params>(
  [name, form]: readonly [N, F],
  who: readonly Role[],
  query: Q,
  source: Source<Q>,
) =>
  panelGet(`lists/${name}.${form}` as `lists/${N}.${F}`, {
    who,
    databaseRole: 'none',
    query,
    run: async ({ query: filters, account, services, session, now }): Promise<PanelFile> => {
      refuseLook(session);
      const isOwn = source.ofSeller === true && account.role === 'sales';
      const query = isOwn ? { ...filters, salesperson_id: account.member_id } : filters;
      const { timezone } = account;
      const at = { now, today: dayIn(now, timezone), timezone };
      const inTenant = patient((work) => services.copies.read(account.id, 'latest', work));
      const read = (db: Db, page: Paging) => source.read(db, query as ParamValues<Q>, at, page);
      await requireFits(inTenant, read);
      const pages = walkedPages(inTenant, read, source.enrich);
      const { locale } = session.person;
      const table = listTable({ name, timezone, locale, now, query, inTenant, pages });
      return new PanelFile(`${fileName(name, locale, at.today)}.${form}`, FILE_TYPES[form], writeTable(form, table, locale));
    },
  });

const bothForms = <const N extends ListName, const Q extends Params>(
  name: N,
  who: readonly Role[],
  query: Q,
  source: Source<Q>,
) => [fileEndpoint([name, 'csv'], who, query, source), fileEndpoint([name, 'xlsx'], who, query, source)] as const;

/** The API's list has the contact's name only. */
async function withCompanies(db: Db, records: readonly ListedRecord[]): Promise<readonly ListedRecord[]> {
  const found = await db.rows<{ id: string; name: string | null }>(
    sql`select id, company_name as name from ${own('customers')} where id = any(${records.map(({ id }) => String(id))}::uuid[])`,
  );
  const names = new Map(found.map(({ id, name }) => [id, name]));
  return records.map((record) => ({ ...record, company_name: names.get(String(record.id)) ?? null }));
}

export const listFileEndpoints = [
  ...bothForms('customers', unmasked('customers:read'), CustomerFilters, {
    read: (db, query, { timezone }, page) =>
      listPage(db, { table: 'customers', shows: 'list_json', where: customersWhere(query, timezone, false) }, page),
    enrich: withCompanies,
  }),
  ...bothForms('sales', unmasked('sales:read'), SaleFilters, {
    read: (db, query, at, page) => listSales(db, query, at, false, page),
    ofSeller: true,
  }),
  ...bothForms('overdue', unmasked('installments:read'), OverdueFilters, {
    read: (db, query, { today }, page) => listOverdue(db, query, today, page),
    ofSeller: true,
  }),
  ...bothForms('collections', ofOffice('collections:read'), CollectionFilters, {
    read: (db, query, { timezone }, page) => listCollections(db, query, timezone, page),
  }),
  ...bothForms('promissory-notes', ofOffice('promissory-notes:read'), RegisterFilters, {
    read: (db, query, { timezone }, page) => listNotes(db, query, timezone, page),
  }),
  ...bothForms('expenses', ['owner', 'finance'], ExpenseFilters, {
    read: (db, query, { timezone }, page) => listExpenses(db, query, { timezone }, page),
  }),
  ...bothForms('wallet', unmasked('wallet:read'), TransactionFilters, {
    read: (db, query, { timezone }, page) => listTransactions(db, query, timezone, page),
  }),
  ...bothForms('audit', ['owner'], AuditFilters, {
    read: (db, query, { timezone }, page) => walkAudit(db, query, timezone, page),
    enrich: (db, records) =>
      withNames(db, records as unknown as AuditEntry[]) as Promise<readonly unknown[]> as Promise<readonly ListedRecord[]>,
  }),
] as const;
