// The fixed values of reminders. The panel in the browser imports them too.

export const RECIPIENT_ROLES = ['Müşteri', 'Kefil'] as const;
export type RecipientRole = (typeof RECIPIENT_ROLES)[number];

/** The hours, in the account's time zone, in which a reminder may be sent. */
export const FIRST_HOUR = 9;
export const END_HOUR = 20;

/** Why a reminder may not be sent. */
export const REMINDER_BLOCKS = ['paid', 'opted_out', 'legal_stage', 'in_grace', 'sent', 'hours'] as const;
export type ReminderBlock = (typeof REMINDER_BLOCKS)[number];
