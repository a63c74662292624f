// All panel endpoints: each file adds its list here.

import { auditEndpoints } from './account/audit.ts';
import { dealerBankAccountEndpoints } from './account/bank-accounts.ts';
import { bannerEndpoints } from './account/banners.ts';
import { branchEndpoints } from './account/branches.ts';
import { memberEndpoints } from './account/members.ts';
import { ownerRequestEndpoints } from './account/owner-requests.ts';
import { sessionEndpoints } from './account/session.ts';
import { settingsEndpoints } from './account/settings.ts';
import { showroomEndpoints } from './account/showroom.ts';
import { viewEndpoints } from './account/views.ts';
import { adminAccountEndpoints } from './admin/accounts.ts';
import { adminAuctionRequestEndpoints } from './admin/auction-requests.ts';
import { adminAuditEndpoints } from './admin/audit.ts';
import { bankAccountEndpoints } from './admin/bank-accounts.ts';
import { adminDecisionEndpoints } from './admin/decisions.ts';
import { adminHomeEndpoints } from './admin/home.ts';
import { adminLimitEndpoints } from './admin/limits.ts';
import { adminEventEndpoints, adminLotEndpoints } from './admin/live-events.ts';
import { adminPeopleEndpoints } from './admin/people.ts';
import { adminPlanEndpoints } from './admin/plans.ts';
import { adminReleaseEndpoints } from './admin/releases.ts';
import { adminTopupEndpoints } from './admin/topups.ts';
import { agentEndpoints } from './agents/agents.ts';
import { roomEndpoints } from './auctions/rooms.ts';
import { catalogEndpoints } from './developer/catalog.ts';
import { usageEndpoints } from './developer/usage.ts';
import { voteEndpoints } from './developer/votes.ts';
import { webhookEndpoints } from './developer/webhooks.ts';
import { listFileEndpoints } from './files/list-files.ts';
import { reportScheduleEndpoints } from './files/report-schedules.ts';
import { reportEndpoints } from './files/reports.ts';
import { workbookEndpoints } from './files/workbooks.ts';
import { overviewEndpoints } from './home/overview.ts';
import { searchEndpoints } from './home/search.ts';
import { importErrorEndpoints } from './imports/import-errors.ts';
import { importPreviewEndpoints } from './imports/import-preview.ts';
import { keyEndpoints } from './keys/keys.ts';
import type { PanelEndpoint } from './kit/endpoint.ts';
import { logEndpoints } from './logs/logs.ts';
import { revealEndpoints } from './reveals.ts';
import { customerPageEndpoints } from './sales/customer-page.ts';
import { customerEndpoints } from './sales/customers.ts';
import { documentEndpoints } from './sales/documents.ts';
import { enquiryEndpoints } from './sales/enquiries.ts';
import { expenseEndpoints } from './sales/expenses.ts';
import { paperEndpoints } from './sales/papers.ts';
import { noteEndpoints } from './sales/promissory-notes.ts';
import { receivableEndpoints } from './sales/receivables.ts';
import { reminderEndpoints } from './sales/reminders.ts';
import { salePaperEndpoints } from './sales/sale-papers.ts';
import { saleEndpoints } from './sales/sales.ts';
import { sandboxEndpoints } from './sandbox.ts';
import { carPaperEndpoints } from './stock/car-papers.ts';
import { countEndpoints } from './stock/counts.ts';
import { marketplaceEndpoints } from './stock/marketplace.ts';
import { networkEndpoints } from './stock/network.ts';
import { priceEndpoints } from './stock/prices.ts';
import { stockEndpoints } from './stock/stock.ts';
import { walletEndpoints } from './wallet.ts';

const listed = [
  ...agentEndpoints,
  ...sessionEndpoints,
  ...settingsEndpoints,
  ...showroomEndpoints,
  ...dealerBankAccountEndpoints,
  ...memberEndpoints,
  ...ownerRequestEndpoints,
  ...branchEndpoints,
  ...auditEndpoints,
  ...keyEndpoints,
  ...viewEndpoints,
  ...webhookEndpoints,
  ...countEndpoints,
  ...priceEndpoints,
  ...stockEndpoints,
  ...importErrorEndpoints,
  ...importPreviewEndpoints,
  ...customerEndpoints,
  ...customerPageEndpoints,
  ...revealEndpoints,
  ...marketplaceEndpoints,
  ...networkEndpoints,
  ...saleEndpoints,
  ...enquiryEndpoints,
  ...receivableEndpoints,
  ...expenseEndpoints,
  ...reminderEndpoints,
  ...paperEndpoints,
  ...salePaperEndpoints,
  ...carPaperEndpoints,
  ...noteEndpoints,
  ...roomEndpoints,
  ...walletEndpoints,
  ...workbookEndpoints,
  ...listFileEndpoints,
  ...reportEndpoints,
  ...reportScheduleEndpoints,
  ...documentEndpoints,
  ...catalogEndpoints,
  ...voteEndpoints,
  ...logEndpoints,
  ...usageEndpoints,
  ...sandboxEndpoints,
  ...overviewEndpoints,
  ...searchEndpoints,
  ...bannerEndpoints,
  ...adminHomeEndpoints,
  ...adminAccountEndpoints,
  ...adminLimitEndpoints,
  ...adminTopupEndpoints,
  ...bankAccountEndpoints,
  ...adminAuctionRequestEndpoints,
  ...adminEventEndpoints,
  ...adminLotEndpoints,
  ...adminPlanEndpoints,
  ...adminReleaseEndpoints,
  ...adminAuditEndpoints,
  ...adminPeopleEndpoints,
  ...adminDecisionEndpoints,
] as const;

export const panelEndpoints: readonly PanelEndpoint[] = listed;

/** The type of every endpoint's request and reply, by which the browser's calls are checked (web/src/endpoints.ts). */
export type PanelEndpoints = (typeof listed)[number];
