// Reports as files: an Excel workbook with a sheet for each table, and a paper to print.
import { writeXlsx, XLSX_TYPE } from '../domain/formats/xlsx-write.ts';
import { type Role, rolesFor } from '../domain/identity/roles.ts';
import type { ReportPaper } from '../domain/papers/paper.ts';
import { readPaperBase } from '../domain/papers/paper-account.ts';
import { CUSTOM_QUERY } from '../domain/reports/custom-report.ts';
import { RANGE, type ReportAccount } from '../domain/reports/report-frame.ts';
import { paperTables } from '../domain/reports/report-paper.ts';
import { customTables, fixedTables, type ReportTables, reportFileName, requireReport } from '../domain/reports/report-tables.ts';
import { FIXED_REPORTS } from '../domain/reports/words-states.ts';
import type { Db } from '../kit/db.ts';
import { oneOfParam, requiredParam, textParam } from '../kit/params.ts';
import { PanelFile, panelGet } from './endpoint.ts';
import { fileOf, refuseLook } from './paper-file.ts';

/** Customers stand in them by name, which a file cannot mask. */
const READERS = rolesFor({ scope: 'reports:read', risk: 'read' }).filter((role) => role !== 'viewer');
const TRUSTED = rolesFor({ scope: 'reports:read', risk: 'sensitive' });
const FIXED = { report: requiredParam(oneOfParam(FIXED_REPORTS)), ...RANGE, group_by: textParam(40) } as const;

const at = ({ now, account }: { now: Date; account: { timezone: string } }): ReportAccount => ({
  now,
  timezone: account.timezone,
});
const maySee = (role: Role): boolean => TRUSTED.includes(role);

const workbookOf = (report: ReportTables): PanelFile =>
  new PanelFile(
    `${reportFileName(report)}.xlsx`,
    XLSX_TYPE,
    writeXlsx(report.tables.map(({ title, columns, rows }) => ({ name: title, columns, rows }))),
  );

async function paperOf(db: Db, report: ReportTables, now: Date): Promise<ReportPaper> {
  const base = await readPaperBase(db, 'rapor', { created_at: now, day: report.as_of });
  return { ...base, code: 'rapor', ...paperTables(report) };
}

export const reportRows = [
  panelGet('reports/report.xlsx', {
    who: READERS,
    door: 'tenant',
    query: FIXED,
    run: async (context): Promise<PanelFile> => {
      const { db, query, account, session } = context;
      refuseLook(session);
      const name = requireReport(query.report, maySee(account.role), session.recent);
      return workbookOf(await fixedTables(db, name, query, at(context), session.person.locale));
    },
  }),
  panelGet('reports/report.pdf', {
    who: READERS,
    door: 'none',
    query: FIXED,
    run: async (context): Promise<PanelFile> => {
      const { query, account, services, session, now } = context;
      refuseLook(session);
      const name = requireReport(query.report, maySee(account.role), session.recent);
      return services.database
        .inTenant(account.id, 'read', async (db) => {
          const report = await fixedTables(db, name, query, at(context), 'tr');
          return [await paperOf(db, report, now), reportFileName(report)] as const;
        })
        .then(([paper, file]) => fileOf(paper, file));
    },
  }),
  panelGet('custom-report/report.xlsx', {
    who: READERS,
    door: 'tenant',
    query: CUSTOM_QUERY,
    run: async (context): Promise<PanelFile> => {
      refuseLook(context.session);
      return workbookOf(await customTables(context.db, context.query, at(context), context.session.person.locale));
    },
  }),
  panelGet('custom-report/report.pdf', {
    who: READERS,
    door: 'none',
    query: CUSTOM_QUERY,
    run: async (context): Promise<PanelFile> => {
      const { query, account, services, session, now } = context;
      refuseLook(session);
      return services.database
        .inTenant(account.id, 'read', async (db) => {
          const report = await customTables(db, query, at(context), 'tr');
          return [await paperOf(db, report, now), reportFileName(report)] as const;
        })
        .then(([paper, file]) => fileOf(paper, file));
    },
  }),
];
