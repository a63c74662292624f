// The text of a reminder, in the account's language, with amounts and days in the dealers' notation.
import type { Locale } from '../../kit/errors.ts';
import { type Currency, formatMoney } from '../../kit/money.ts';
import { unlinked } from '../formats/unlinked.ts';
import { writtenDay, writtenSum } from '../formats/written.ts';
import type { RecipientRole } from './reminders-states.ts';

export interface ReminderFacts {
  readonly role: RecipientRole;
  readonly name: string;
  readonly debtor: string;
  readonly plate: string;
  readonly row_no: number;
  readonly row_count: number;
  readonly due_date: string;
  readonly day: number;
  readonly amount: bigint;
  readonly currency: Currency;
  /** The amount that the customer promised to pay today. */
  readonly promised: bigint | null;
  readonly dealer: string;
}

/** 125000050n, 'TL' → 1.250.000,50 TL. An amount given as text is formatted exactly. */
export const moneyWords = (amount: bigint, currency: Currency, locale: Locale): string =>
  writtenSum(formatMoney(amount), currency)[locale];

/** 2026-11-18 → 18.11.2026, in English 18/11/2026 */
export const dayWords = (day: string, locale: Locale): string => writtenDay(day)[locale];

const SENTENCES: Readonly<Record<Locale, (facts: ReminderFacts, amount: string, due: string) => string>> = {
  tr: (facts, amount, due) => {
    const { name, plate, row_no, row_count, day } = facts;
    const what = row_no === 0 ? 'peşinat' : `${row_no}/${row_count}. taksit`;
    const when = day === 0 ? 'bugün' : due;
    if (facts.role === 'Kefil') {
      const subject = `Sayın ${name}, kefili olduğunuz ${facts.debtor} adına ${plate} plakalı araç için ${when} vadeli ${amount} tutarındaki ${what}`;
      return day > 0 ? `${subject} ödemesi ${day} gün gecikti. ${PAID.tr}` : `${subject} ödemesini hatırlatmak isteriz.`;
    }
    const subject = `Sayın ${name}, ${plate} plakalı aracınız için`;
    if (facts.promised !== null)
      return `${subject} bugün ödeyeceğinizi söylediğiniz ${moneyWords(facts.promised, facts.currency, 'tr')} tutarını hatırlatmak isteriz.`;
    const installment = `${subject} ${when} vadeli ${amount} tutarındaki ${what}`;
    return day > 0 ? `${installment} ödemeniz ${day} gün gecikti. ${PAID.tr}` : `${installment} ödemenizi hatırlatmak isteriz.`;
  },
  en: (facts, amount, due) => {
    const { name, plate, row_no, row_count, day } = facts;
    const what = row_no === 0 ? 'the down payment' : `installment ${row_no} of ${row_count}`;
    const when = day === 0 ? 'today' : `on ${due}`;
    const late = `${day} ${day === 1 ? 'day' : 'days'} overdue`;
    if (facts.role === 'Kefil') {
      const subject = `${what} of ${amount} for the car ${plate}, for which you are guarantor of ${facts.debtor}`;
      return day > 0
        ? `Dear ${name}, ${subject}, was due on ${due} and is ${late}. ${PAID.en}`
        : `Dear ${name}, this is a reminder of ${subject}, due ${when}.`;
    }
    if (facts.promised !== null)
      return `Dear ${name}, this is a reminder of the ${moneyWords(facts.promised, facts.currency, 'en')} you promised to pay today for your car ${plate}.`;
    const subject = `${what} of ${amount} for your car ${plate}`;
    return day > 0
      ? `Dear ${name}, ${subject} was due on ${due} and is ${late}. ${PAID.en}`
      : `Dear ${name}, this is a reminder of ${subject}, due ${when}.`;
  },
};

const PAID = {
  tr: 'Ödeme yaptıysanız bu mesajı dikkate almayınız.',
  en: 'If you have already paid, please ignore this message.',
};

const CLOSING = { tr: 'İyi günler dileriz.', en: 'Kind regards.' };

const sentence = (facts: ReminderFacts, locale: Locale): string =>
  SENTENCES[locale](facts, moneyWords(facts.amount, facts.currency, locale), dayWords(facts.due_date, locale));

/** One paragraph, as for WhatsApp. */
export const messageText = (facts: ReminderFacts, locale: Locale): string =>
  `${sentence(facts, locale)} ${CLOSING[locale]} ${facts.dealer}`;

const SUBJECTS = { tr: 'ödeme hatırlatması', en: 'payment reminder' };
const OPTING_OUT = {
  tr: 'Hatırlatma almak istemiyorsanız bize bildirmeniz yeterlidir.',
  en: 'If you do not want reminders, please let us know.',
};

export function mailText(
  reminder: ReminderFacts,
  locale: Locale,
  phone: string | null,
): { readonly subject: string; readonly text: string } {
  const [name, debtor] = [unlinked(reminder.name), unlinked(reminder.debtor)];
  const facts = { ...reminder, name, debtor, plate: unlinked(reminder.plate), dealer: unlinked(reminder.dealer) };
  const signature = [CLOSING[locale], facts.dealer, ...(phone === null ? [] : [phone])].join('\n');
  return {
    subject: `${facts.dealer}: ${SUBJECTS[locale]}`,
    text: `${sentence(facts, locale)}\n\n${signature}\n\n${OPTING_OUT[locale]}\n`,
  };
}
