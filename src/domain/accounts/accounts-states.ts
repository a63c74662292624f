// The fixed values of an account's settings. The panel in the browser imports them too.

export const REMINDER_CHANNELS = ['WhatsApp', 'E-posta'] as const;

/** Days after the due date; before it they are negative. */
export const FIRST_REMINDER_DAY = -30;
export const LAST_REMINDER_DAY = 90;
export const MAX_REMINDERS = 20;

export interface Reminder {
  readonly day: number;
  readonly channel: (typeof REMINDER_CHANNELS)[number];
  readonly active: boolean;
}

/** What an account may do; only the platform changes it. */
export const CAPABILITIES = ['dealer_network', 'marketplace', 'live_auctions', 'import'] as const;
export type Capability = (typeof CAPABILITIES)[number];
