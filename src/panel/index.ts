// All panel endpoints: each file adds its list here.

import { auditRows } from './account/audit.ts';
import { bannerRows } from './account/banners.ts';
import { branchRows } from './account/branches.ts';
import { memberRows } from './account/members.ts';
import { ownerRequestRows } from './account/owner-requests.ts';
import { sessionRows } from './account/session.ts';
import { settingsRows } from './account/settings.ts';
import { viewRows } from './account/views.ts';
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
import { catalogRows } from './developer/catalog.ts';
import { usageRows } from './developer/usage.ts';
import { voteRows } from './developer/votes.ts';
import { webhookRows } from './developer/webhooks.ts';
import { listFileRows } from './files/list-files.ts';
import { reportScheduleRows } from './files/report-schedules.ts';
import { reportRows } from './files/reports.ts';
import { workbookRows } from './files/workbooks.ts';
import { overviewRows } from './home/overview.ts';
import { searchRows } from './home/search.ts';
import { importErrorRows } from './imports/import-errors.ts';
import { importPreviewRows } from './imports/import-preview.ts';
import { keyRows } from './keys/keys.ts';
import type { PanelRow } from './kit/endpoint.ts';
import { logRows } from './logs/logs.ts';
import { customerRows } from './sales/customers.ts';
import { documentRows } from './sales/documents.ts';
import { paperRows } from './sales/papers.ts';
import { noteRows } from './sales/promissory-notes.ts';
import { receivableRows } from './sales/receivables.ts';
import { reminderRows } from './sales/reminders.ts';
import { revealRows } from './sales/reveals.ts';
import { saleRows } from './sales/sales.ts';
import { countRows } from './stock/counts.ts';
import { marketplaceRows } from './stock/marketplace.ts';
import { networkRows } from './stock/network.ts';
import { stockRows } from './stock/stock.ts';
import { walletRows } from './wallet.ts';

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
