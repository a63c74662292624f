// The administrator's home: what waits for a decision, who has errors, what is late, how full the machine is.
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { AdminHome as View } from '../../../../src/panel/admin/home.ts';
import { call } from '../../api.ts';
import { useLocale, useTexts } from '../../language.ts';
import { Figure } from '../../parts/figure.tsx';
import { Loaded } from '../../parts/page/loaded.tsx';
import { PanelLink } from '../../parts/page/panel-link.tsx';
import { UsageUnread } from '../../parts/usage-unread.tsx';
import { DateTime } from '../../parts/values.tsx';
import { useFormat } from '../../session.ts';
import { adminHomeTexts } from './admin-texts.ts';
import { Card, More } from './cards.tsx';

export function AdminHome() {
  const home = useQuery({
    queryKey: ['admin-home'],
    queryFn: ({ signal }) => call('GET admin/home', { signal }),
    refetchInterval: 60_000,
  });
  return <Loaded query={home}>{(view) => <Filled view={view} />}</Loaded>;
}

function Filled({ view }: { readonly view: View }) {
  const t = useTexts(adminHomeTexts);
  const format = useFormat();
  return (
    <div className="flex flex-col gap-4">
      <dl className="m-0 grid grid-cols-1 gap-3 min-[360px]:grid-cols-2 lg:grid-cols-4 2xl:grid-cols-7">
        <Figure
          name={t.limits}
          value={format.number(view.limit_requests)}
          hint={<More to="/yonetim/limit-talepleri">{t.open}</More>}
        />
        <Figure name={t.topups} value={format.number(view.topups)} hint={<More to="/yonetim/yuklemeler">{t.open}</More>} />
        <Figure
          name={t.auctionRequests}
          value={format.number(view.auction_requests)}
          hint={<More to="/yonetim/muzayede">{t.open}</More>}
        />
        <Figure name={t.decisions} value={format.number(view.decisions)} hint={<More to="/yonetim/onaylar">{t.open}</More>} />
        <Figure
          name={t.worlds}
          value={format.number(view.worlds.worlds)}
          hint={view.worlds.worlds > 0 && t.worldsSize(format.number(view.worlds.records), format.bytes(view.worlds.file_bytes))}
        />
        <Figure name={t.database} value={format.bytes(view.database_bytes)} />
        <Figure
          name={t.disk}
          value={view.disk ? format.bytes(view.disk.free_bytes) : t.unknown}
          hint={view.disk && t.diskOf(format.bytes(view.disk.total_bytes))}
        />
      </dl>
      <div className="grid items-start gap-4 lg:grid-cols-3">
        <Late late={view.late} />
        <Troubled accounts={view.troubled} />
        <Voted rows={view.voted} />
      </div>
      {view.failed_transitions.length > 0 && <Failures failed={view.failed_transitions} />}
    </div>
  );
}

const LINE = 'flex flex-wrap items-baseline justify-between gap-x-3 gap-y-1 py-2 first:pt-0 last:pb-0';

function Lines({ empty, children }: { readonly empty: string; readonly children: readonly ReactNode[] }) {
  return children.length === 0 ? (
    <p className="m-0 text-text-2">{empty}</p>
  ) : (
    <ul className="m-0 flex list-none flex-col divide-y divide-line p-0">{children}</ul>
  );
}

function Late({ late }: { readonly late: View['late'] }) {
  const t = useTexts(adminHomeTexts);
  const format = useFormat();
  return (
    <Card title={t.late}>
      <Lines empty={t.nothingLate}>
        {late.map(({ kind, count, since }) => (
          <li key={kind} className={LINE}>
            <span className="font-medium text-danger">{t.kinds[kind]}</span>
            <span className="tabular text-13 text-text-2">
              {format.number(count)} · <DateTime at={since} show="relative" />
            </span>
          </li>
        ))}
      </Lines>
    </Card>
  );
}

/** Each with what an engineer needs to find it: kind, record and error as they are recorded. */
function Failures({ failed }: { readonly failed: View['failed_transitions'] }) {
  const t = useTexts(adminHomeTexts);
  return (
    <Card title={t.failures}>
      <Lines empty="">
        {failed.map(({ account_id, account, kind, record_id, error, tries, next_try_at }) => (
          <li key={`${kind} ${record_id} ${account_id}`} className={LINE}>
            <span className="min-w-0 wrap-anywhere">
              <PanelLink to={`/yonetim/hesaplar/${account_id}`} className="link font-medium">
                {account}
              </PanelLink>{' '}
              <code className="text-13">
                {kind} {record_id}
              </code>
            </span>
            <span className="min-w-0 text-13 text-text-2 wrap-anywhere">
              {error} · {t.tries(tries)} · <DateTime at={next_try_at} show="relative" />
            </span>
          </li>
        ))}
      </Lines>
    </Card>
  );
}

function Troubled({ accounts }: { readonly accounts: View['troubled'] }) {
  const t = useTexts(adminHomeTexts);
  const format = useFormat();
  return (
    <Card title={t.troubled} aside={<More to="/yonetim/hesaplar">{t.accounts}</More>}>
      {accounts === null && <UsageUnread />}
      <Lines empty={accounts === null ? '' : t.noTrouble}>
        {(accounts ?? []).map(({ id, name, calls_24h, errors_24h }) => (
          <li key={id} className={LINE}>
            <PanelLink to={`/yonetim/hesaplar/${id}`} className="link min-w-0 font-medium wrap-anywhere">
              {name}
            </PanelLink>
            <span className="tabular text-13 text-text-2">{t.errors(format.number(errors_24h), format.number(calls_24h))}</span>
          </li>
        ))}
      </Lines>
    </Card>
  );
}

function Voted({ rows }: { readonly rows: View['voted'] }) {
  const t = useTexts(adminHomeTexts);
  const locale = useLocale();
  return (
    <Card title={t.voted} aside={<More to="/yonetim/yayinlar">{t.releases}</More>}>
      <Lines empty={t.noVotes}>
        {rows.map(({ slug, name, votes, blocking }) => (
          <li key={slug} className={LINE}>
            <span className="min-w-0 font-medium wrap-anywhere">{name[locale]}</span>
            <span className="tabular text-13 text-text-2">{t.votes(votes, blocking)}</span>
          </li>
        ))}
      </Lines>
    </Card>
  );
}
