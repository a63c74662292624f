// Boosts: the packages with their prices, buying one for a listing, and the orders with what runs now.
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Zap } from 'lucide-react';
import { useState } from 'react';
import { BOOST_KINDS } from '../../../../src/domain/boosts/boost-states.ts';
import { call, callPage } from '../../api.ts';
import { useLocale, useTexts } from '../../language.ts';
import { Button } from '../../parts/button.tsx';
import { Loaded } from '../../parts/page/loaded.tsx';
import { PageHeader } from '../../parts/page/page-header.tsx';
import { EmptyState } from '../../parts/page/states.tsx';
import { Money } from '../../parts/values.tsx';
import { useMay } from '../../permissions.ts';
import { walletWord } from '../../records/wallet-words.tsx';
import { BuyBoost } from './buy.tsx';
import { BoostOrders } from './orders.tsx';
import { type BoostPackage, packageName } from './package-name.ts';
import { boostsTexts } from './texts.ts';

export function BoostsScreen() {
  const t = useTexts(boostsTexts);
  const { ilan } = useSearch({ from: '/shell/boost' });
  const navigate = useNavigate({ from: '/boost' });
  const may = useMay('boost:write');
  const [chosen, setChosen] = useState<string | null>(null);
  const capabilities = useQuery({
    queryKey: ['capabilities'],
    queryFn: ({ signal }) => call('GET v1/account/capabilities', { signal }),
  });
  const listings = useQuery({
    queryKey: ['listings', 'live'],
    queryFn: ({ signal }) => callPage('GET v1/marketplace/listings', { query: { status: 'Yayında', limit: 100 }, signal }),
  });
  const close = () => {
    setChosen(null);
    if (ilan !== undefined) navigate({ search: (now) => ({ ...now, ilan: undefined }), replace: true });
  };
  const packages = capabilities.data?.boost_packages ?? [];
  const isOpen =
    may &&
    (capabilities.data?.account.marketplace ?? false) &&
    packages.length > 0 &&
    listings.data !== undefined &&
    (chosen !== null || ilan !== undefined);
  return (
    <>
      <PageHeader title={t.title} description={t.description} />
      <Loaded query={capabilities} rows={3}>
        {(loaded) =>
          loaded.account.marketplace ? (
            <Packages packages={loaded.boost_packages} onBuy={may ? setChosen : null} />
          ) : (
            <div className="card mb-6">
              <EmptyState title={t.off}>{t.offText}</EmptyState>
            </div>
          )
        }
      </Loaded>
      <BoostOrders />
      {isOpen && <BuyBoost packages={packages} listings={listings.data.items} code={chosen} listingId={ilan} onClose={close} />}
    </>
  );
}

interface PackagesProps {
  readonly packages: readonly BoostPackage[];
  /** Null for a person who may not buy. */
  readonly onBuy: ((code: string) => void) | null;
}

function Packages({ packages, onBuy }: PackagesProps) {
  const t = useTexts(boostsTexts);
  const locale = useLocale();
  return (
    <section aria-label={t.packages} className="mb-6">
      <h2 className="m-0 mb-2 text-16 font-semibold">{t.packages}</h2>
      <div className="grid gap-3 md:grid-cols-3">
        {BOOST_KINDS.map((kind) => (
          <section key={kind} aria-label={walletWord(locale, kind)} className="card min-w-0 p-4">
            <h3 className="m-0 flex items-center gap-2 text-14 font-semibold">
              <Zap aria-hidden className="size-4 text-text-3" />
              {walletWord(locale, kind)}
            </h3>
            <p className="mt-1 mb-3 text-13 text-text-2">{t.kinds[kind]}</p>
            <ul className="m-0 list-none p-0">
              {packages
                .filter(({ code }) => code.startsWith(`${kind}-`))
                .map((one) => (
                  <li key={one.code} className="flex items-center gap-3 border-t border-line py-1.5">
                    <span className="w-16 text-13 text-text-2">{t.days(one.days)}</span>
                    <span className="flex-1 font-medium">
                      <Money amount={one.price} currency={one.currency} />
                    </span>
                    {onBuy && (
                      <Button aria-label={t.buyFor(packageName(locale, one.code))} onClick={() => onBuy(one.code)}>
                        {t.buy}
                      </Button>
                    )}
                  </li>
                ))}
            </ul>
          </section>
        ))}
      </div>
    </section>
  );
}
