// All panel endpoints: each file adds its list here.
import { adminAccountRows } from './admin/accounts.ts';
import { adminAuctionRequestRows } from './admin/auction-requests.ts';
import { adminAuditRows } from './admin/audit.ts';
import { adminDecisionRows } from './admin/decisions.ts';
import { adminHomeRows } from './admin/home.ts';
import { adminLimitRows } from './admin/limits.ts';
import { adminEventRows, adminLotRows } from './admin/live-events.ts';
import { adminPeopleRows } from './admin/people.ts';
import { adminPlanRows } from './admin/plans.ts';
import { adminReleaseRows } from './admin/releases.ts';
import { adminTopupRows } from './admin/topups.ts';
import { roomRows } from './auctions/rooms.ts';
import { auditRows } from './audit.ts';
import { bannerRows } from './banners.ts';
import { branchRows } from './branches.ts';
import { catalogRows } from './catalog.ts';
import { countRows } from './counts.ts';
import { customerRows } from './customers.ts';
import { documentRows } from './documents.ts';
import type { PanelRow } from './endpoint.ts';
import { importErrorRows } from './import-errors.ts';
import { importPreviewRows } from './import-preview.ts';
import { keyRows } from './keys/keys.ts';
import { listFileRows } from './list-files.ts';
import { logRows } from './logs/logs.ts';
import { marketplaceRows } from './marketplace.ts';
import { memberRows } from './members.ts';
import { networkRows } from './network.ts';
import { noteRows } from './notes.ts';
import { overviewRows } from './overview.ts';
import { ownerRequestRows } from './owner-requests.ts';
import { paperRows } from './papers.ts';
import { receivableRows } from './receivables.ts';
import { reminderRows } from './reminders.ts';
import { reportScheduleRows } from './report-schedules.ts';
import { reportRows } from './reports.ts';
import { revealRows } from './reveals.ts';
import { saleRows } from './sales.ts';
import { searchRows } from './search.ts';
import { sessionRows } from './session.ts';
import { settingsRows } from './settings.ts';
import { stockRows } from './stock.ts';
import { usageRows } from './usage.ts';
import { viewRows } from './views.ts';
import { voteRows } from './votes.ts';
import { walletRows } from './wallet.ts';
import { webhookRows } from './webhooks.ts';
import { workbookRows } from './workbooks.ts';

const listed = [
  ...sessionRows,
  ...settingsRows,
  ...memberRows,
  ...ownerRequestRows,
  ...branchRows,
  ...auditRows,
  ...keyRows,
  ...viewRows,
  ...webhookRows,
  ...countRows,
  ...stockRows,
  ...importErrorRows,
  ...importPreviewRows,
  ...customerRows,
  ...revealRows,
  ...marketplaceRows,
  ...networkRows,
  ...saleRows,
  ...receivableRows,
  ...reminderRows,
  ...paperRows,
  ...noteRows,
  ...roomRows,
  ...walletRows,
  ...workbookRows,
  ...listFileRows,
  ...reportRows,
  ...reportScheduleRows,
  ...documentRows,
  ...catalogRows,
  ...voteRows,
  ...logRows,
  ...usageRows,
  ...overviewRows,
  ...searchRows,
  ...bannerRows,
  ...adminHomeRows,
  ...adminAccountRows,
  ...adminLimitRows,
  ...adminTopupRows,
  ...adminAuctionRequestRows,
  ...adminEventRows,
  ...adminLotRows,
  ...adminPlanRows,
  ...adminReleaseRows,
  ...adminAuditRows,
  ...adminPeopleRows,
  ...adminDecisionRows,
] as const;

export const panelRows: readonly PanelRow[] = listed;

/** The type of every row's request and reply, by which the browser's calls are checked (web/src/rows.ts). */
export type PanelRows = (typeof listed)[number];
