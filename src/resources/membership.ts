// The dealer's plan with the platform: its limits, their usage, and its invoices.
import { InvoiceFilters, listInvoices, MembershipInvoice } from '../domain/membership/invoices.ts';
import { Membership, readMembership } from '../domain/membership/membership.ts';
import { MembershipUsage, readMembershipUsage } from '../domain/membership/membership-usage.ts';
import { get, resource } from '../kit/endpoint.ts';

export const membership = resource('Membership', 'Üyelik', [
  get('membership', 'membership:read', 'read', 'Yakında', ['Read the membership plan', 'Üyelik planını getir'], {
    about: [
      'Returns the current plan, its period, price and limits; null means unlimited.',
      'Geçerli plan, dönemi, bedeli ve limitleri; null limitsiz demektir.',
    ],
    returns: Membership,
    fresh: true,
    run: ({ db }) => readMembership(db),
  }),
  get(
    'membership/usage',
    'membership:read',
    'read',
    'Yakında',
    ['Read usage against plan limits', 'Plan limitlerinin kullanımını getir'],
    {
      about: [
        'Returns the usage and the remainder of each limit. Adding beyond a limit fails; existing records are kept.',
        'Her limitin ne kadarının kullanıldığı ve ne kadarının kaldığı. Limiti aşan ekleme reddedilir; var olan kalır.',
      ],
      returns: MembershipUsage,
      // Calls are counted without the account's data changing.
      fresh: true,
      run: ({ db, account, now }) => readMembershipUsage(db, account.timezone, now),
    },
  ),
  get('membership/invoices', 'membership:read', 'read', 'Yakında', ['List membership invoices', 'Üyelik faturalarını listele'], {
    about: ['Returns the membership invoices, newest first.', 'Üyelik faturaları, en yeniden eskiye.'],
    query: InvoiceFilters,
    lists: MembershipInvoice,
    synced: true,
    fresh: true,
    run: ({ db, query, account, page }) => listInvoices(db, query, account.timezone, page),
  }),
]);
