// The account's settings for its owner. What the API shows of them changes with the same transaction.
import { changeSettings, readSettings, SETTING_FIELDS, type Settings } from '../domain/accounts/settings.ts';
import { TIMED_TRANSITIONS } from '../domain/timed-transitions.ts';
import { panelGet, panelPatch } from './endpoint.ts';

/** What `GET settings` answers. */
export type SettingsView = Settings;

export const settingsRows = [
  panelGet('settings', { who: ['owner'], door: 'tenant', run: ({ db }): Promise<SettingsView> => readSettings(db) }),
  panelPatch('settings', {
    who: ['owner'],
    door: 'tenant',
    takes: SETTING_FIELDS,
    run: ({ db, body, actor, now }): Promise<SettingsView> =>
      changeSettings(db, body, { actor, now, transitions: TIMED_TRANSITIONS }),
  }),
];
