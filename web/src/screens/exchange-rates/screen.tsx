// Döviz kurları: the current rates with bank and date, and the history of a pair.
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { RATE_SOURCES, type RateSource } from '../../../../src/domain/exchange-rates/rates.ts';
import { useTexts } from '../../language.ts';
import { Button } from '../../parts/button.tsx';
import { ChoiceChips } from '../../parts/input/choice-chips.tsx';
import { PageHeader } from '../../parts/page/page-header.tsx';
import { EmptyState, ErrorState, SkeletonRows } from '../../parts/page/states.tsx';
import { useRole } from '../../session.ts';
import { BulletinLine, CurrentTable } from './current.tsx';
import { isMissing, pairOf, type RatesSearch, useRates, useSource } from './data.ts';
import { History } from './history.tsx';
import { ratesTexts } from './texts.ts';

export function RatesScreen() {
  const t = useTexts(ratesTexts);
  const search: RatesSearch = useSearch({ from: '/shell/kur' });
  const navigate = useNavigate({ from: '/kur' });
  const change = (part: RatesSearch) =>
    navigate({ search: cleanSearch({ ...search, offset: undefined, ...part }), resetScroll: false });
  const { ours, shown } = useSource(search);
  const name = (source: RateSource) => (source === ours ? `${t.banks[source]} (${t.ours})` : t.banks[source]);
  return (
    <>
      <PageHeader title={t.title} description={t.description} />
      <ChoiceChips
        label={t.sources}
        value={shown ?? ''}
        chips={RATE_SOURCES.map((source) => ({ value: source as string, label: name(source) }))}
        onChange={(source) => change({ source: source === ours ? undefined : source })}
      />
      <Current search={search} source={shown} onChange={change} />
      <History search={search} source={shown} onChange={change} />
    </>
  );
}

const cleanSearch = (search: RatesSearch): { [Name in keyof RatesSearch]: string } =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value));

interface PartProps {
  readonly search: RatesSearch;
  readonly source: RateSource | undefined;
  readonly onChange: (part: RatesSearch) => void;
}

function Current({ search, source, onChange }: PartProps) {
  const t = useTexts(ratesTexts);
  const rates = useRates(source);
  if (rates.isPending) return <SkeletonRows rows={6} />;
  if (rates.isError)
    return (
      <div className="card">
        {isMissing(rates.error) ? (
          <NoRates source={source!} onChange={onChange} />
        ) : (
          <ErrorState error={rates.error} onRetry={rates.refetch} />
        )}
      </div>
    );
  const [first] = rates.data;
  return (
    <section aria-label={t.current}>
      {first && <BulletinLine rate={first} />}
      <CurrentTable rates={rates.data} pair={pairOf(search)} onPair={(pair) => onChange({ pair })} />
    </section>
  );
}

/** Says what a dealer can do: view the other bank, change the account's bank (owner), agree on a rate; who can do more. */
function NoRates({ source, onChange }: { readonly source: RateSource; readonly onChange: (part: RatesSearch) => void }) {
  const t = useTexts(ratesTexts);
  const isOwner = useRole('owner');
  const other = RATE_SOURCES.find((one) => one !== source)!;
  return (
    <EmptyState
      title={t.none(t.banks[source])}
      action={
        <>
          <Button onClick={() => onChange({ source: other })}>{t.other(t.banks[other])}</Button>
          {isOwner && (
            <Link to="/ayarlar" className="link inline-flex min-h-[var(--control)] items-center px-2">
              {t.toSettings}
            </Link>
          )}
        </>
      }
    >
      {t.noneText}
    </EmptyState>
  );
}
