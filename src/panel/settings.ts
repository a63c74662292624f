// The account's settings for its owner. What the API shows of them changes with the same transaction.
import { changeSettings, readSettings, SETTING_FIELDS, type Settings } from '../domain/accounts/settings.ts';
import {
  changePaperSettings,
  PAPER_SETTING_FIELDS,
  type PaperSettings,
  readPaperSettings,
} from '../domain/papers/paper-settings.ts';
import { TIMED_TRANSITIONS } from '../domain/timed-transitions.ts';
import { panelGet, panelPatch } from './endpoint.ts';

/** What `GET settings` answers. */
export interface SettingsView extends Settings {
  /** Whether the service sends mail, on which reminders by mail depend. */
  readonly can_mail: boolean;
}

export const settingsRows = [
  panelGet('settings', {
    who: ['owner'],
    door: 'tenant',
    run: async ({ db, services }): Promise<SettingsView> => ({ ...(await readSettings(db)), can_mail: services.canMail }),
  }),
  panelPatch('settings', {
    who: ['owner'],
    door: 'tenant',
    takes: SETTING_FIELDS,
    run: async ({ db, body, actor, now, services }): Promise<SettingsView> => ({
      ...(await changeSettings(db, body, { actor, now, transitions: TIMED_TRANSITIONS })),
      can_mail: services.canMail,
    }),
  }),
  panelGet('settings/paper', {
    who: ['owner'],
    door: 'tenant',
    run: ({ db }): Promise<PaperSettings> => readPaperSettings(db),
  }),
  panelPatch('settings/paper', {
    who: ['owner'],
    door: 'tenant',
    takes: PAPER_SETTING_FIELDS,
    run: ({ db, body, actor, now }): Promise<PaperSettings> => changePaperSettings(db, body, { actor, now }),
  }),
];
