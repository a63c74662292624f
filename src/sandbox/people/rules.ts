// How the simulated side of a world answers, as data: served by GET /sandbox/v1/rules, shown in the panel and in /docs, and used by plan.ts
// to decide. What is sent decides the outcome, so that a test can ask for each one.
import type { Text } from '../../kit/errors.ts';

export interface SandboxOutcome {
  /** The values that lead to it: the last two digits of an amount, the beginning of an address, the last digit of a phone number. */
  readonly when: readonly string[];
  readonly outcome: string;
  readonly description: Text;
}

export interface SandboxRule {
  readonly act: string;
  readonly name: Text;
  readonly decided_by: Text;
  /** Where the deciding value is sent: the endpoint and the field of its body. */
  readonly fields: readonly { readonly endpoint: string; readonly field: string }[];
  /** The first outcome whose `when` matches; the last one is for every other value. */
  readonly outcomes: readonly SandboxOutcome[];
}

/** Every other value. */
export const ELSE = 'else';

const THE_AMOUNT: Text = { en: 'the last two digits of the amount', tr: 'tutarın kuruşu' };

const REJECTED = {
  when: ['.01'],
  outcome: 'rejected',
  description: { en: 'Rejected at once.', tr: 'Hemen reddedilir.' },
} as const;
const ACCEPTED_LATER = {
  when: ['.03'],
  outcome: 'accepted_later',
  description: { en: 'Accepted after 1 day.', tr: '1 gün sonra kabul edilir.' },
} as const;
const UNANSWERED = {
  when: ['.04'],
  outcome: 'unanswered',
  description: { en: 'Never answered; it expires.', tr: 'Yanıtlanmaz, süresi dolar.' },
} as const;
const FALLS_THROUGH = {
  when: ['.05'],
  outcome: 'falls_through',
  description: {
    en: 'Accepted at once; the agreement falls through after 2 days.',
    tr: 'Hemen kabul edilir; anlaşma 2 gün sonra bozulur.',
  },
} as const;
const ACCEPTED = {
  when: [ELSE],
  outcome: 'accepted',
  description: { en: 'Accepted at once.', tr: 'Hemen kabul edilir.' },
} as const;

export const SANDBOX_RULES = [
  {
    act: 'network_offer',
    name: { en: 'Offer or counter-offer to a simulated dealer', tr: 'Simülasyondaki galeriye teklif ya da karşı teklif' },
    decided_by: THE_AMOUNT,
    fields: [
      { endpoint: 'POST network-offers', field: 'amount' },
      { endpoint: 'POST network-offers/{offer_id}/counter', field: 'amount' },
    ],
    outcomes: [
      REJECTED,
      {
        when: ['.02'],
        outcome: 'countered',
        description: { en: 'Countered at once with 5 % more.', tr: 'Hemen %5 fazlasıyla karşı teklif gelir.' },
      },
      ACCEPTED_LATER,
      UNANSWERED,
      FALLS_THROUGH,
      ACCEPTED,
    ],
  },
  {
    act: 'trade_request',
    name: { en: 'Trade request to a simulated dealer', tr: 'Simülasyondaki galeriye takas talebi' },
    decided_by: { en: 'the last two digits of the cash difference', tr: 'nakit farkının kuruşu' },
    fields: [{ endpoint: 'POST trade-requests', field: 'cash_difference' }],
    outcomes: [
      REJECTED,
      {
        when: ['.02'],
        outcome: 'countered',
        description: {
          en: 'Rejected at once; the reason asks for 5 % more, because trade requests have no counter-offer.',
          tr: 'Hemen reddedilir; takasta karşı teklif olmadığından gerekçe %5 fazlasını ister.',
        },
      },
      ACCEPTED_LATER,
      UNANSWERED,
      FALLS_THROUGH,
      ACCEPTED,
    ],
  },
  {
    act: 'listing',
    name: { en: 'Own listing published', tr: 'Kendi ilanınızın yayınlanması' },
    decided_by: { en: 'the last two digits of the price of the vehicle', tr: 'araç fiyatının kuruşu' },
    fields: [
      { endpoint: 'POST vehicles', field: 'price' },
      { endpoint: 'PATCH vehicles/{vehicle_id}', field: 'price' },
    ],
    outcomes: [
      { when: ['.01'], outcome: 'no_offer', description: { en: 'No offer.', tr: 'Teklif gelmez.' } },
      {
        when: ['.02'],
        outcome: 'low_offer',
        description: { en: 'A consumer offers 90 % after 1 hour.', tr: '1 saat sonra bir alıcı %90’ını teklif eder.' },
      },
      {
        when: ['.03'],
        outcome: 'three_offers',
        description: {
          en: 'Three offers: a consumer’s of 90 % after 1 day, a simulated dealer’s of 95 % after 2 days, withdrawn 12 hours later, and a consumer’s at the price after 3 days.',
          tr: 'Üç teklif: 1 gün sonra bir alıcıdan %90, 2 gün sonra simülasyondaki bir galeriden %95 (12 saat sonra geri çekilir), 3 gün sonra bir alıcıdan fiyatın tamamı.',
        },
      },
      {
        when: [ELSE],
        outcome: 'full_offer',
        description: {
          en: 'A consumer offers the price after 1 day.',
          tr: '1 gün sonra bir alıcı fiyatın tamamını teklif eder.',
        },
      },
    ],
  },
  {
    act: 'network_auction',
    name: { en: 'Own auction started', tr: 'Kendi müzayedenizin başlaması' },
    decided_by: { en: 'the last two digits of the start price', tr: 'başlangıç fiyatının kuruşu' },
    fields: [{ endpoint: 'POST network-auctions', field: 'start_price' }],
    outcomes: [
      { when: ['.01'], outcome: 'no_bid', description: { en: 'No bid.', tr: 'Pey verilmez.' } },
      {
        when: ['.02'],
        outcome: 'one_bidder',
        description: { en: 'One bidder bids the start price.', tr: 'Bir katılımcı başlangıç fiyatını verir.' },
      },
      {
        when: ['.03'],
        outcome: 'last_second',
        description: {
          en: 'Two bidders bid up to 120 % of the start price; the last bid is placed 20 seconds before the end and extends it.',
          tr: 'İki katılımcı başlangıç fiyatının %120’sine kadar çıkar; son pey bitime 20 saniye kala verilir ve süreyi uzatır.',
        },
      },
      {
        when: [ELSE],
        outcome: 'two_bidders',
        description: {
          en: 'Two bidders bid up to 110 % of the start price.',
          tr: 'İki katılımcı başlangıç fiyatının %110’una kadar çıkar.',
        },
      },
    ],
  },
  {
    act: 'bid',
    name: { en: 'Own bid in an auction of a simulated dealer', tr: 'Simülasyondaki galerinin müzayedesine verilen pey' },
    decided_by: { en: 'the last two digits of the bid', tr: 'peyin kuruşu' },
    fields: [{ endpoint: 'POST network-auctions/{auction_id}/bid', field: 'amount' }],
    outcomes: [
      {
        when: ['.01'],
        outcome: 'outbid',
        description: { en: 'Outbid once, at once.', tr: 'Hemen bir kez geçilir.' },
      },
      {
        when: ['.02'],
        outcome: 'outbid_last_second',
        description: { en: 'Outbid 20 seconds before the end.', tr: 'Bitime 20 saniye kala geçilir.' },
      },
      { when: [ELSE], outcome: 'leading', description: { en: 'Not outbid.', tr: 'Geçilmez.' } },
    ],
  },
  {
    act: 'wallet_topup',
    name: { en: 'Top-up request', tr: 'Bakiye yükleme talebi' },
    decided_by: THE_AMOUNT,
    fields: [{ endpoint: 'POST wallet/topup-requests', field: 'amount' }],
    outcomes: [
      REJECTED,
      { when: ['.02'], outcome: 'pending', description: { en: 'Stays pending.', tr: 'Beklemede kalır.' } },
      { when: [ELSE], outcome: 'approved', description: { en: 'Approved at once.', tr: 'Hemen onaylanır.' } },
    ],
  },
  {
    act: 'auction_request',
    name: { en: 'Auction request to the platform', tr: 'Platforma müzayede talebi' },
    decided_by: {
      en: 'the last two digits of the reserve price, or of the start price without one',
      tr: 'taban fiyatın, yoksa başlangıç fiyatının kuruşu',
    },
    fields: [
      { endpoint: 'POST auction-requests', field: 'reserve_price' },
      { endpoint: 'POST auction-requests', field: 'start_price' },
      { endpoint: 'PATCH auction-requests/{request_id}', field: 'reserve_price' },
      { endpoint: 'PATCH auction-requests/{request_id}', field: 'start_price' },
    ],
    outcomes: [
      REJECTED,
      { when: ['.02'], outcome: 'pending', description: { en: 'Stays pending.', tr: 'Beklemede kalır.' } },
      {
        when: [ELSE],
        outcome: 'approved',
        description: {
          en: 'Approved at once: a lot of the live event that the request names, or of one 7 days ahead.',
          tr: 'Hemen onaylanır: talepteki canlı müzayedede ya da 7 gün sonraki birinde lot olur.',
        },
      },
    ],
  },
  {
    act: 'sale_document',
    name: { en: 'Document sent for signature', tr: 'İmzaya gönderilen belge' },
    decided_by: {
      en: 'the beginning of the recipient’s e-mail address; without an address, the last digit of the phone number',
      tr: 'alıcının e-posta adresinin başı; adresi yoksa telefonunun son rakamı',
    },
    fields: [
      { endpoint: 'POST sale-documents/{document_id}/send', field: 'recipients[].email' },
      { endpoint: 'POST sale-documents/{document_id}/send', field: 'recipients[].phone' },
    ],
    outcomes: [
      { when: ['imzalar', '1'], outcome: 'signs', description: { en: 'Signs at once.', tr: 'Hemen imzalar.' } },
      { when: ['gec', '2'], outcome: 'signs_later', description: { en: 'Signs after 3 days.', tr: '3 gün sonra imzalar.' } },
      { when: ['reddeder', '3'], outcome: 'declines', description: { en: 'Declines at once.', tr: 'Hemen reddeder.' } },
      {
        when: [ELSE],
        outcome: 'by_hand',
        description: {
          en: 'The link and the code are in the messages of the sandbox; a person or a test opens them.',
          tr: 'Bağlantı ve kod sandbox mesajlarındadır; bir kişi ya da test açar.',
        },
      },
    ],
  },
  {
    act: 'charge',
    name: { en: 'Boost order, membership invoice', tr: 'Doping siparişi, üyelik faturası' },
    decided_by: { en: 'nothing', tr: 'hiçbir şey' },
    fields: [],
    outcomes: [
      {
        when: [ELSE],
        outcome: 'charged',
        description: {
          en: 'Charged to the wallet of the sandbox, as in production.',
          tr: 'Canlıdaki gibi sandbox cüzdanından düşülür.',
        },
      },
    ],
  },
] as const satisfies readonly SandboxRule[];

type Rules = (typeof SANDBOX_RULES)[number];
export type ActName = Rules['act'];
export type Outcome<A extends ActName> = Extract<Rules, { act: A }>['outcomes'][number]['outcome'];

function choose<A extends ActName>(act: A, matches: (value: string) => boolean): Outcome<A> {
  const outcomes: readonly SandboxOutcome[] = SANDBOX_RULES.find((rule) => rule.act === act)!.outcomes;
  const chosen = outcomes.find(({ when }) => when.some(matches)) ?? outcomes.at(-1)!;
  return chosen.outcome as Outcome<A>;
}

/** By the last two digits of an amount such as `11500.02`; its sign has no effect. */
export const outcomeOfAmount = <A extends ActName>(act: A, amount: string): Outcome<A> =>
  choose(act, (value) => amount.slice(-3) === value);

export function outcomeOfRecipient({
  email,
  phone,
}: {
  readonly email: string | null;
  readonly phone: string | null;
}): Outcome<'sale_document'> {
  const address = email?.toLowerCase();
  const isDigit = (value: string) => value.length === 1;
  return choose('sale_document', (value) =>
    address === undefined ? isDigit(value) && phone?.at(-1) === value : !isDigit(value) && address.startsWith(value),
  );
}
