// A live meter of the requests of a key in the last sixty seconds, against its limit.
import { useQuery } from '@tanstack/react-query';
import { texts, useTexts } from '../../../language.ts';
import { useFormat } from '../../../session.ts';
import { windowQuery } from '../key-data.ts';

const meterTexts = texts({
  tr: { label: 'Son bir dakikada kullanılan' },
  en: { label: 'Used in the last minute' },
});

/** The limit is given, so that the layout does not move when the first answer arrives. */
export function LimitMeter({ id, limit }: { readonly id: string; readonly limit: number }) {
  const t = useTexts(meterTexts);
  const format = useFormat();
  const { data } = useQuery(windowQuery(id));
  const max = data?.limit_per_minute ?? limit;
  // After the limit was lowered, more may have been used than it allows now.
  const used = Math.min(data?.used_in_last_minute ?? 0, max);
  const text = `${data === undefined ? '–' : format.number(used)} / ${format.number(max)}`;
  return (
    <span className="flex items-center gap-2">
      {/* biome-ignore lint/a11y/useSemanticElements: a <meter> cannot be given the panel's colours in every browser */}
      <span
        role="meter"
        aria-label={t.label}
        title={t.label}
        aria-valuemin={0}
        aria-valuemax={max}
        aria-valuenow={used}
        aria-valuetext={text}
        className="h-1.5 w-20 shrink-0 overflow-hidden rounded-full bg-line forced-colors:border"
      >
        <span className="block h-full bg-accent forced-colors:bg-[CanvasText]" style={{ width: `${(used / max) * 100}%` }} />
      </span>
      <span className="tabular" aria-hidden="true">
        {text}
      </span>
    </span>
  );
}
