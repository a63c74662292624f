// The words of a file that the service does not know, and the samples that it would refuse, found by the service's own readers.
import {
  type CellReading,
  PLAIN_READING,
  readAmount,
  readDayCell,
  readFlag,
  readWhole,
} from '../../../../src/domain/formats/cell-text.ts';
import { valueOfWord } from '../../../../src/domain/imports/value-words.ts';
import { type OurField, specOf, type Target } from './fields.ts';

/** Field → the feed's word → our value. */
export type ValueMap = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Our value for a feed's word, or undefined. */
export function guessValue(target: Target, field: OurField, seen: string): string | undefined {
  const values = specOf(target, field)?.values ?? [];
  if (values.includes('true')) return readFlag(seen)?.toString();
  return valueOfWord(field, values, seen) ?? undefined;
}

/** The feed's words that the service would refuse. */
export const valuesToMap = (target: Target, field: OurField, seen: readonly string[]): string[] =>
  seen.filter((value) => guessValue(target, field, value) === undefined);

type Reads = (field: OurField, text: string, reading: CellReading) => boolean;
const READS: Readonly<Record<'whole' | 'money' | 'day', Reads>> = {
  whole: (field, text, { numbers }) => readWhole(field, text, numbers) !== null,
  money: (_, text, { numbers }) => typeof readAmount(text, numbers) === 'object',
  day: (_, text, { days }) => readDayCell(text, days) !== null,
};

/** The first sample that the field would refuse, or undefined, so that it is noticed before a run. */
export function unreadable(
  target: Target,
  field: OurField,
  samples: readonly string[],
  { map = {}, reading = PLAIN_READING }: { map?: Readonly<Record<string, string>> | undefined; reading?: CellReading } = {},
): string | undefined {
  const kind = specOf(target, field)?.kind;
  if (kind === undefined || kind === 'text') return undefined;
  const open = samples.filter((value) => map[value] === undefined);
  if (kind === 'choice') return valuesToMap(target, field, open)[0];
  return open.find((value) => !READS[kind](field, value, reading));
}
