import { useQueryClient } from '@tanstack/react-query';
import { Eye, FlaskConical, WifiOff } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { call } from '../api.ts';
import { isReachable, useIsOffline } from '../connection.ts';
import { useTexts } from '../language.ts';
import { Button } from '../parts/button.tsx';
import { useSession } from '../session.ts';
import { shellTexts } from '../texts/shell.ts';

const LateBanners = lazy(async () => ({ default: (await import('./late-banners.tsx')).LateBanners }));

/** Banners on every page: an administrator views an account, news about keys, a demonstration. */
export function Banners() {
  const t = useTexts(shellTexts);
  const { account, look, demo } = useSession();
  return (
    <section aria-label={t.notices}>
      <OfflineBanner />
      {look && account && (
        <div
          role="status"
          className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-sens-bg px-4 py-1.5 text-13 text-sens sm:px-6"
        >
          <Eye aria-hidden className="size-4 shrink-0" />
          <span className="flex-1">{t.look(account.name)}</span>
          <Button look="secondary" onClick={endLook}>
            {t.endLook}
          </Button>
        </div>
      )}
      <Suspense>
        <LateBanners />
      </Suspense>
      {demo && (
        <div className="flex items-center gap-2 border-b border-line bg-write-bg px-4 py-1 text-12 text-write sm:px-6">
          <FlaskConical aria-hidden className="size-3.5 shrink-0" />
          {t.demo}
        </div>
      )}
    </section>
  );
}

function OfflineBanner() {
  const t = useTexts(shellTexts);
  const isOffline = useIsOffline();
  const client = useQueryClient();
  const again = async () => {
    if (await isReachable()) await client.refetchQueries({ type: 'active' });
  };
  return (
    <div aria-live="polite">
      {isOffline && (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-dest-bg px-4 py-1.5 text-13 text-dest sm:px-6">
          <WifiOff aria-hidden className="size-4 shrink-0" />
          <span className="flex-1">{t.offline}</span>
          <Button look="secondary" onClick={again}>
            {t.reconnect}
          </Button>
        </div>
      )}
    </div>
  );
}

async function endLook(): Promise<void> {
  await call('POST session/end-look');
  location.assign('/panel/yonetim/hesaplar');
}
