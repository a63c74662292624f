// Reports as files: an Excel workbook with a sheet for each table, CSV of one of them, and a paper to print.
import { FILE_TYPES, writeTable } from '../../domain/formats/table-write.ts';
import { writeXlsx, XLSX_TYPE } from '../../domain/formats/xlsx-write.ts';
import { type Role, rolesFor } from '../../domain/identity/roles.ts';
import type { ReportPaper } from '../../domain/papers/paper.ts';
import { readPaperBase } from '../../domain/papers/paper-account.ts';
import { CUSTOM_QUERY } from '../../domain/reports/custom-report.ts';
import { CONVERTED, RANGE, type ReportAccount } from '../../domain/reports/report-frame.ts';
import { paperTables } from '../../domain/reports/report-paper.ts';
import {
  customTables,
  fileWord,
  fixedTables,
  type NamedCustomReport,
  namedCustomReport,
  type ReportTables,
  reportFileName,
  reportSheets,
  requireReport,
} from '../../domain/reports/report-tables.ts';
import { FIXED_REPORTS } from '../../domain/reports/shapes-states.ts';
import { REPORT_PARTS } from '../../domain/reports/words-states.ts';
import type { Db } from '../../kit/db.ts';
import { fail, type Locale } from '../../kit/errors.ts';
import { oneOfParam, requiredParam, textParam } from '../../kit/params.ts';
import { PanelFile, panelGet } from '../kit/endpoint.ts';
import { fileOf, refuseLook } from '../kit/paper-file.ts';

/** They contain customers' names, which cannot be masked in a file. */
const READERS = rolesFor({ scope: 'reports:read', risk: 'read' }).filter((role) => role !== 'viewer');
const TRUSTED = rolesFor({ scope: 'reports:read', risk: 'sensitive' });
const FIXED = { report: requiredParam(oneOfParam(FIXED_REPORTS)), ...RANGE, ...CONVERTED, group_by: textParam(40) } as const;

const at = ({ now, account }: { now: Date; account: { timezone: string } }): ReportAccount => ({
  now,
  timezone: account.timezone,
});
const maySee = (role: Role): boolean => TRUSTED.includes(role);

const workbookOf = (report: ReportTables, locale: Locale): PanelFile =>
  new PanelFile(`${reportFileName(report)}.xlsx`, XLSX_TYPE, writeXlsx(reportSheets(report, locale)));

/** CSV has no sheets: one table, by default the first. */
function csvOf(report: ReportTables, part: string | undefined, locale: Locale): PanelFile {
  const table = part === undefined ? report.tables[0] : report.tables.find((one) => one.part === part);
  if (table === undefined) {
    const list = report.tables.map((one) => one.part).join(', ');
    return fail('invalid_parameter', {
      param: 'part',
      words: { allowed: { en: `one of ${list}`, tr: `${list} değerlerinden biri` } },
    });
  }
  const name = report.tables.length === 1 ? '' : `-${fileWord(table.title)}`;
  const rows = async function* () {
    yield table.rows;
  };
  const written = writeTable('csv', { name: table.title, columns: table.columns, pages: rows() }, locale);
  return new PanelFile(`${reportFileName(report)}${name}.csv`, FILE_TYPES.csv, written);
}

async function paperOf(db: Db, report: ReportTables, now: Date): Promise<ReportPaper> {
  const base = await readPaperBase(db, 'rapor', { created_at: now, day: report.as_of });
  return { ...base, code: 'rapor', ...paperTables(report) };
}

export const reportEndpoints = [
  panelGet('reports/report.csv', {
    who: READERS,
    databaseRole: 'tenant',
    onStandby: true,
    query: { ...FIXED, part: oneOfParam(REPORT_PARTS) },
    run: async (context): Promise<PanelFile> => {
      const { db, query, account, session } = context;
      const { locale } = session.person;
      refuseLook(session);
      const name = requireReport(query.report, maySee(account.role), session.recent);
      return csvOf(await fixedTables(db, name, query, at(context), locale), query.part, locale);
    },
  }),
  panelGet('reports/report.xlsx', {
    who: READERS,
    databaseRole: 'tenant',
    onStandby: true,
    query: FIXED,
    run: async (context): Promise<PanelFile> => {
      const { db, query, account, session } = context;
      refuseLook(session);
      const name = requireReport(query.report, maySee(account.role), session.recent);
      const { locale } = session.person;
      return workbookOf(await fixedTables(db, name, query, at(context), locale), locale);
    },
  }),
  panelGet('reports/report.pdf', {
    who: READERS,
    databaseRole: 'none',
    query: FIXED,
    run: async (context): Promise<PanelFile> => {
      const { query, account, services, session, now } = context;
      refuseLook(session);
      const name = requireReport(query.report, maySee(account.role), session.recent);
      return services.copies
        .read(account.id, 'latest', async (db) => {
          const report = await fixedTables(db, name, query, at(context), 'tr');
          return [await paperOf(db, report, now), reportFileName(report)] as const;
        })
        .then(([paper, file]) => fileOf(account.id, paper, file));
    },
  }),
  // The API's report, with the names of its customers.
  panelGet('custom-report', {
    who: rolesFor({ scope: 'reports:read', risk: 'read' }),
    databaseRole: 'tenant',
    onStandby: true,
    query: CUSTOM_QUERY,
    run: (context): Promise<NamedCustomReport> => namedCustomReport(context.db, context.query, at(context)),
  }),
  panelGet('custom-report/report.csv', {
    who: READERS,
    databaseRole: 'tenant',
    onStandby: true,
    query: CUSTOM_QUERY,
    run: async (context): Promise<PanelFile> => {
      const { locale } = context.session.person;
      refuseLook(context.session);
      return csvOf(await customTables(context.db, context.query, at(context), locale), undefined, locale);
    },
  }),
  panelGet('custom-report/report.xlsx', {
    who: READERS,
    databaseRole: 'tenant',
    onStandby: true,
    query: CUSTOM_QUERY,
    run: async (context): Promise<PanelFile> => {
      refuseLook(context.session);
      const { locale } = context.session.person;
      return workbookOf(await customTables(context.db, context.query, at(context), locale), locale);
    },
  }),
  panelGet('custom-report/report.pdf', {
    who: READERS,
    databaseRole: 'none',
    query: CUSTOM_QUERY,
    run: async (context): Promise<PanelFile> => {
      const { query, account, services, session, now } = context;
      refuseLook(session);
      return services.copies
        .read(account.id, 'latest', async (db) => {
          const report = await customTables(db, query, at(context), 'tr');
          return [await paperOf(db, report, now), reportFileName(report)] as const;
        })
        .then(([paper, file]) => fileOf(account.id, paper, file));
    },
  }),
];
