// An example of every refusal, with the members and words that it has on the wire.
import { SAMPLE_AT, SAMPLE_META } from '../../../domain/catalog/sample.ts';
import { refusedDay, writtenCount, writtenMoment, writtenMoney } from '../../../domain/formats/written.ts';
import { type ErrorCode, type FailureFacts, messageOf } from '../../../kit/errors.ts';
import { paging } from '../../../kit/params.ts';

/** For the `{name}`s of the messages, where a code has none of its own below. */
const WORDS = {
  address: '203.0.113.7',
  allowed: 'GET',
  capability: 'dealer network (dealer_network)',
  day: refusedDay('2026-11-14'),
  endpoint: 'GET sales',
  event: 'car.sold',
  expires_at: SAMPLE_AT.toISOString(),
  field: 'branch_id',
  fields: 'price',
  from: 'Satıldı',
  last: 4,
  limit: 60,
  method: 'POST',
  scope: 'sales:read',
  seconds: 12,
  source: 'KKTCMB',
  status: 'Rezerve',
  to: 'Rezerve',
  until: writtenMoment(SAMPLE_AT),
  expected: writtenMoney('11300.00'),
  given: writtenMoney('11299.99'),
  outstanding: writtenMoney('1134.50'),
  rate: '64.500000',
  total: writtenMoney('15300.00'),
  lot_no: 7,
  next_min_bid: writtenMoney('9100.00'),
};

const FACTS: Readonly<Partial<Record<ErrorCode, FailureFacts>>> = {
  invalid_json: { words: { fault: 'it is not valid JSON at line 3, column 12' } },
  invalid_parameter: { param: 'limit', words: { allowed: paging.limit.allowed } },
  unknown_parameter: { param: 'colour', words: { allowed: 'limit, offset, cursor, q, status' } },
  insufficient_scope: { required_scope: 'sales:read' },
  payload_too_large: { words: { allowed: '256 kB' } },
  uri_too_long: { words: { allowed: 8192 } },
  headers_too_large: { words: { allowed: 16_384 } },
  unsupported_media_type: { words: { allowed: 'application/json' } },
  validation_failed: { details: [{ field: 'km', code: 'required', message: 'km is required' }] },
  plan_limit_reached: { words: { limit: 100, what: 'vehicles in stock' } },
  webhook_limit_reached: { words: { limit: 10 } },
  photo_limit_reached: { words: { limit: 30 } },
  video_limit_reached: { words: { limit: 5 } },
  image_too_large: { words: { limit: 50 } },
  refund_exceeds_collected: { words: { limit: writtenMoney('4941.66') } },
  export_too_large: { words: { limit: writtenCount(50_000) } },
};

export function refusalExample(code: ErrorCode): unknown {
  const { words, ...members } = FACTS[code] ?? {};
  const message = messageOf(code, { ...members, words: { ...WORDS, ...words } }, 'en');
  return { success: false, error: { code, message, ...members }, meta: SAMPLE_META };
}
