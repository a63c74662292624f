// Invalid values of a query parameter, derived from its description in the reference.
import type { Param } from '../../src/kit/params.ts';

interface Rules {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly const?: unknown;
  readonly format?: string;
  readonly pattern?: string;
  readonly anyOf?: readonly { format?: string }[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
}

const BAD_INTEGERS = ['', 'abc', '05', '00', '+5', ' 5', '5.0', '1e2', '-1', '-0', '0x5', '５', '1000000000'];
const BAD_MOMENTS = [
  '',
  'yesterday',
  '2026-02-30',
  '2026-13-01',
  '20260101',
  '2026-1-1',
  '2026-01-01 10:00',
  '2026-01-01T10:00:00',
  '2026-01-01T25:00:00Z',
];
const BAD_PATTERNED = ['', '-1', '1,50', '1.234', '1e3', '1 000', 'x', 'req_short', '.5', '5.'];

export function badValues(param: Param<unknown>): string[] {
  const rules = param.schema as Rules;
  if (rules.enum !== undefined)
    return [
      '',
      'nothing of the kind',
      `${rules.enum[0]} `,
      flippedCase(rules.enum[0]!),
      ...(rules.enum.length > 1 ? [rules.enum.join()] : []),
    ];
  if (rules.type === 'integer') return integers(rules);
  if (rules.type === 'boolean') return ['', '1', 'yes', 'TRUE', 'null', ...(rules.const === true ? ['false'] : [])];
  if (rules.format === 'uuid')
    return [
      '',
      'x',
      '0190a6c0-0000-7000-8000-00000000000',
      '0190a6c0000070008000000000000000',
      '{0190a6c0-0000-7000-8000-000000000000}',
    ];
  if (rules.format === 'date') return [...BAD_MOMENTS, '2026-01-01T10:00:00Z'];
  if (rules.anyOf?.some(({ format }) => format === 'date')) return BAD_MOMENTS;
  if (rules.pattern !== undefined) return BAD_PATTERNED.filter((text) => !new RegExp(rules.pattern!).test(text));
  if (rules.maxLength !== undefined) return ['', '   ', 'a'.repeat(rules.maxLength + 1), 'a\0b'];
  throw new Error(`no bad value is known yet for ${JSON.stringify(rules)}`);
}

function integers({ minimum = 0, maximum = 999_999_999 }: Rules): string[] {
  return [...BAD_INTEGERS, String(maximum + 1), ...(minimum > 0 ? [String(minimum - 1)] : [])];
}

const flippedCase = (text: string): string => (text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase());

/** A valid value; null where only a body's own data would do. */
export function goodValue(param: Param<unknown>): string {
  const rules = param.schema as Rules;
  if (rules.enum !== undefined) return rules.enum[0]!;
  if (rules.type === 'integer') return String(rules.minimum ?? 0);
  if (rules.type === 'boolean') return 'true';
  if (rules.format === 'uuid') return '0190a6c0-0000-7000-8000-000000000000';
  if (rules.anyOf !== undefined || rules.format === 'date') return new Date().toISOString().slice(0, 10);
  if (rules.pattern?.startsWith('^req_')) return 'req_00000000000000000000000000';
  return rules.pattern === undefined ? 'a' : '10';
}
