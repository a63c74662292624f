// The fixed values of reports by mail. The panel in the browser imports them too.
import { FIXED_REPORTS, type FixedReport, REPORT_SHAPES } from './words-states.ts';

export const MAIL_FREQUENCIES = ['Haftalık', 'Aylık'] as const;
export type MailFrequency = (typeof MAIL_FREQUENCIES)[number];

/** What shows cost or debtors never leaves by mail. */
export const MAILED_REPORTS: readonly FixedReport[] = FIXED_REPORTS.filter((name) => !REPORT_SHAPES[name].isSensitive);

export const MAX_SCHEDULES = 20;

/** The hour of the dealer's clocks from which they go out. */
export const MAIL_HOUR = 8;
