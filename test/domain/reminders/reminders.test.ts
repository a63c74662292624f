// The text of a reminder and the limits that prevent one, case by case.
import { describe, expect, it } from 'vitest';
import { isReminderHour, reminderBlock } from '../../../src/domain/reminders/reminder-limits.ts';
import { dayWords, mailText, messageText, moneyWords, type ReminderFacts } from '../../../src/domain/reminders/reminder-text.ts';

const facts: ReminderFacts = {
  role: 'Müşteri',
  name: 'Ali Geç',
  debtor: 'Ali Geç',
  plate: 'GK 482',
  row_no: 3,
  row_count: 12,
  due_date: '2026-11-18',
  day: -3,
  amount: 125_000_050n,
  currency: 'TL',
  promised: null,
  dealer: 'Lefkoşa Oto',
};

describe('amounts and days', () => {
  it.each([
    [1n, 'STG', '0,01 STG', '0.01 STG'],
    [100_000n, 'USD', '1.000,00 USD', '1,000.00 USD'],
    [125_000_050n, 'TL', '1.250.000,50 TL', '1,250,000.50 TL'],
    // Beyond what a floating-point number holds.
    [99_999_999_999_999n, 'EUR', '999.999.999.999,99 EUR', '999,999,999,999.99 EUR'],
  ] as const)('%s %s are written as dealers write them', (amount, currency, tr, en) => {
    expect(moneyWords(amount, currency, 'tr')).toBe(tr);
    expect(moneyWords(amount, currency, 'en')).toBe(en);
  });

  it('a date is written as in Türkiye', () => {
    expect([dayWords('2026-01-05', 'tr'), dayWords('2026-01-05', 'en')]).toEqual(['05.01.2026', '05/01/2026']);
  });
});

describe('the message', () => {
  const textOf = (overrides: Partial<ReminderFacts>, locale: 'tr' | 'en' = 'tr') =>
    messageText({ ...facts, ...overrides }, locale);
  it.each([
    [
      {},
      'Sayın Ali Geç, GK 482 plakalı aracınız için 18.11.2026 vadeli 1.250.000,50 TL tutarındaki 3/12. taksit ödemenizi hatırlatmak isteriz. İyi günler dileriz. Lefkoşa Oto',
    ],
    [{ day: 0 }, 'bugün vadeli 1.250.000,50 TL tutarındaki 3/12. taksit ödemenizi hatırlatmak isteriz.'],
    [{ day: 5 }, '18.11.2026 vadeli 1.250.000,50 TL tutarındaki 3/12. taksit ödemeniz 5 gün gecikti. Ödeme yaptıysanız'],
    [{ row_no: 0 }, 'tutarındaki peşinat ödemenizi hatırlatmak isteriz.'],
    [{ promised: 50_000n, day: 5 }, 'bugün ödeyeceğinizi söylediğiniz 500,00 TL tutarını hatırlatmak isteriz.'],
    [
      { role: 'Kefil', name: 'Veli Kefil' } as const,
      'Sayın Veli Kefil, kefili olduğunuz Ali Geç adına GK 482 plakalı araç için 18.11.2026 vadeli',
    ],
    // The customer's promise may be mentioned.
    [{ role: 'Kefil', name: 'Veli Kefil', promised: 50_000n, day: 5 } as const, 'ödemesi 5 gün gecikti.'],
  ])('states the facts: %o', (input, words) => {
    expect(textOf(input)).toContain(words);
  });

  it('is in the account’s language', () => {
    expect(textOf({ day: 1 }, 'en')).toBe(
      'Dear Ali Geç, installment 3 of 12 of 1,250,000.50 TL for your car GK 482 was due on 18/11/2026 and is 1 day overdue. If you have already paid, please ignore this message. Kind regards. Lefkoşa Oto',
    );
    expect(textOf({ role: 'Kefil', name: 'Veli', day: -3 }, 'en')).toContain(
      'for which you are guarantor of Ali Geç, due on 18/11/2026.',
    );
  });

  it('by mail names the dealer, their phone, and how to opt out', () => {
    const { subject, text } = mailText(facts, 'tr', '+903922281010');
    expect(subject).toBe('Lefkoşa Oto: ödeme hatırlatması');
    expect(text).toMatch(
      /hatırlatmak isteriz\.\n\nİyi günler dileriz\.\nLefkoşa Oto\n\+903922281010\n\nHatırlatma almak istemiyorsanız/,
    );
    expect(mailText(facts, 'en', null).text).toContain('Kind regards.\nLefkoşa Oto\n\nIf you do not want reminders');
  });

  it('by mail makes no link of a name', () => {
    const evil = { ...facts, role: 'Kefil', name: 'https://a.example/x', debtor: 'b.example', dealer: 'www.c.example' } as const;
    for (const locale of ['tr', 'en'] as const) {
      const { subject, text } = mailText(evil, locale, null);
      expect(`${subject}\n${text}`).not.toMatch(/:\/\/|\w\.example/);
    }
  });
});

describe('the limits', () => {
  const row = { is_open: true, opted_out: false, legal_stage: 'Yok', day: 3 };
  it.each([
    [row, 0, null],
    [{ ...row, is_open: false }, 0, 'paid'],
    [{ ...row, opted_out: true }, 0, 'opted_out'],
    [{ ...row, legal_stage: 'İhtar' }, 0, 'legal_stage'],
    [row, 2, null],
    [row, 3, 'in_grace'],
    [{ ...row, day: 1 }, 3, 'in_grace'],
    // Before it is overdue there is no grace.
    [{ ...row, day: 0 }, 15, null],
    [{ ...row, day: -3 }, 15, null],
  ] as const)('of %o with %i days of grace: %s', (input, grace, blocked) => {
    expect(reminderBlock(input, grace)).toBe(blocked);
  });

  it.each([
    // Lefkoşa is one hour earlier than Mersin in winter and the same in summer.
    ['2026-01-15T06:00:00Z', 'Europe/Istanbul', true],
    ['2026-01-15T06:00:00Z', 'Asia/Famagusta', false],
    ['2026-07-15T06:00:00Z', 'Asia/Famagusta', true],
    ['2026-01-15T05:59:59Z', 'Europe/Istanbul', false],
    ['2026-01-15T16:59:59Z', 'Europe/Istanbul', true],
    ['2026-01-15T17:00:00Z', 'Europe/Istanbul', false],
    ['2026-01-15T21:30:00Z', 'Europe/Istanbul', false],
  ] as const)('at %s in %s: %s', (at, zone, may) => {
    expect(isReminderHour(new Date(at), zone)).toBe(may);
  });
});
