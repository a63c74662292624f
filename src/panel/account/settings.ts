// The account's settings for its owner. What the API shows of them changes with the same transaction.
import { changeSettings, readSettings, SETTING_FIELDS, type Settings } from '../../domain/accounts/settings.ts';
import { signLink } from '../../domain/files/file-links.ts';
import { changeLogo, findLogoFile, MAX_LOGO_BYTES, makeLogo } from '../../domain/papers/paper-logo.ts';
import {
  changePaperSettings,
  PAPER_SETTING_FIELDS,
  type PaperSettings,
  readPaperSettings,
} from '../../domain/papers/paper-settings.ts';
import { TIMED_TRANSITIONS } from '../../domain/timed-transitions.ts';
import type { Db } from '../../kit/db.ts';
import type { FileLink } from '../../kit/endpoint.ts';
import { canMailFor } from '../kit/can-mail.ts';
import { type PanelAccount, panelDelete, panelGet, panelPatch, panelPost } from '../kit/endpoint.ts';
import type { PanelServices } from '../kit/services.ts';
import { writeInAccount } from '../kit/write.ts';

/** What `GET settings` answers. */
export interface SettingsView extends Settings {
  /** Whether the service sends mail, on which reminders by mail depend. */
  readonly can_mail: boolean;
}

/** What `GET settings/paper` answers. */
export interface PaperSettingsView extends PaperSettings {
  /** As printed on papers, or null. */
  readonly logo: FileLink | null;
}

interface Asking {
  readonly services: PanelServices;
  readonly account: PanelAccount;
  readonly realNow: Date;
}

async function paperView(db: Db, { services, account, realNow }: Asking, settings?: PaperSettings): Promise<PaperSettingsView> {
  const file = await findLogoFile(db);
  const logo = file === null ? null : signLink(services.secrets.files, services.publicUrl(), account.id, file, realNow);
  return { ...(settings ?? (await readPaperSettings(db))), logo };
}

export const settingsEndpoints = [
  panelGet('settings', {
    who: ['owner'],
    databaseRole: 'tenant',
    run: async ({ db, services }): Promise<SettingsView> => ({
      ...(await readSettings(db)),
      can_mail: await canMailFor(db, services),
    }),
  }),
  panelPatch('settings', {
    who: ['owner'],
    databaseRole: 'tenant',
    bodySchema: SETTING_FIELDS,
    run: async ({ db, body, actor, now, services }): Promise<SettingsView> => ({
      ...(await changeSettings(db, body, { actor, now, transitions: TIMED_TRANSITIONS })),
      can_mail: await canMailFor(db, services),
    }),
  }),
  panelGet('settings/paper', {
    who: ['owner'],
    databaseRole: 'tenant',
    run: (context): Promise<PaperSettingsView> => paperView(context.db, context),
  }),
  panelPatch('settings/paper', {
    who: ['owner'],
    databaseRole: 'tenant',
    bodySchema: PAPER_SETTING_FIELDS,
    run: async (context): Promise<PaperSettingsView> => {
      const { db, body, actor, now } = context;
      return paperView(db, context, await changePaperSettings(db, body, { actor, now }));
    },
  }),
  panelPost('settings/paper/logo', {
    who: ['owner'],
    databaseRole: 'none',
    upload: { maxBytes: MAX_LOGO_BYTES, stores: makeLogo },
    run: (context): Promise<PaperSettingsView> =>
      writeInAccount(context, async (work) => {
        await changeLogo(work, context.files[0]!);
        return paperView(work.db, context);
      }),
  }),
  panelDelete('settings/paper/logo', {
    who: ['owner'],
    databaseRole: 'none',
    run: (context): Promise<PaperSettingsView> =>
      writeInAccount(context, async (work) => {
        await changeLogo(work, null);
        return paperView(work.db, context);
      }),
  }),
];
