// The showroom's settings for the owner, and its addresses for everyone who sells.
import { rolesFor } from '../../domain/identity/roles.ts';
import { type MarketplaceStats, readMarketplaceStats } from '../../domain/marketplace/marketplace-stats.ts';
import { findPublicListing, findShowroomSlug } from '../../domain/showroom/showroom-address.ts';
import {
  changeShowroom,
  readShowroomSettings,
  SHOWROOM_FIELDS,
  type ShowroomSettings,
} from '../../domain/showroom/showroom-settings.ts';
import type { Db } from '../../kit/db.ts';
import { type PanelAccount, panelGet, panelPatch } from '../kit/endpoint.ts';
import type { PanelServices } from '../kit/services.ts';
import { writeInAccount } from '../kit/write.ts';

/** What `GET settings/showroom` answers. */
export interface ShowroomSettingsView extends ShowroomSettings {
  /** Of the page, while it can be opened. */
  readonly url: string | null;
  /** The beginning of every address: `https://galeri.example.com/g/`. */
  readonly base: string;
  /** Whether the account may publish on the marketplace; without it there is no showroom. */
  readonly can_publish: boolean;
  /** Visits of the last thirty days, of the marketplace and the showroom together. */
  readonly visits: Pick<MarketplaceStats, 'active' | 'views' | 'contacts'>;
}

interface Asking {
  readonly services: PanelServices;
  readonly account: PanelAccount;
  readonly now: Date;
}

async function viewOf(db: Db, { services, account, now }: Asking): Promise<ShowroomSettingsView> {
  const settings = await readShowroomSettings(db);
  const { slug, can_publish } = await findShowroomSlug(db);
  const { active, views, contacts } = await readMarketplaceStats(db, {}, now, account.timezone);
  const base = `${services.publicUrl()}/g/`;
  return { ...settings, url: slug && `${base}${slug}`, base, can_publish, visits: { active, views, contacts } };
}

export const showroomEndpoints = [
  panelGet('settings/showroom', {
    who: ['owner'],
    databaseRole: 'tenant',
    run: (context): Promise<ShowroomSettingsView> => viewOf(context.db, context),
  }),
  panelPatch('settings/showroom', {
    who: ['owner'],
    databaseRole: 'none',
    bodySchema: SHOWROOM_FIELDS,
    run: (context): Promise<ShowroomSettingsView> =>
      writeInAccount(context, async (work) => {
        await changeShowroom(work, context.body);
        return viewOf(work.db, context);
      }),
  }),
  panelGet('vehicles/{vehicle_id}/showroom', {
    who: rolesFor({ scope: 'vehicles:read', risk: 'read' }),
    databaseRole: 'tenant',
    run: async ({ db, params, services }): Promise<{ readonly url: string | null }> => {
      const found = await findPublicListing(db, params.vehicle_id);
      return { url: found && `${services.publicUrl()}/g/${found.slug}/${found.listing_id}` };
    },
  }),
];
