// Top-ups that dealers asked for: who, how much, the receipt, and the decision; above them, whether the books agree.
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Check, FileText, X } from 'lucide-react';
import { useRef, useState } from 'react';
import { TOPUP_STATUSES } from '../../../../../src/domain/wallet/wallet-states.ts';
import type { AdminTopupLine } from '../../../../../src/panel/admin/topups.ts';
import { ApiError, call, callPage } from '../../../api.ts';
import { useLocale, useTexts } from '../../../language.ts';
import { Button } from '../../../parts/button.tsx';
import { ChoiceChips } from '../../../parts/input/choice-chips.tsx';
import { notify } from '../../../parts/overlay/toast.tsx';
import { Loaded } from '../../../parts/page/loaded.tsx';
import { PageHeader } from '../../../parts/page/page-header.tsx';
import { EmptyState } from '../../../parts/page/states.tsx';
import { Pagination } from '../../../parts/table/pagination.tsx';
import { useRowKeys } from '../../../parts/table/row-keys.ts';
import { DateTime, Money } from '../../../parts/values.tsx';
import { TopupBadge, walletWord } from '../../../records/wallet-words.tsx';
import { useFormat } from '../../../session.ts';
import { partsTexts } from '../../../texts/parts.ts';
import { LedgerState } from '../ledger-state.tsx';
import { moneyTexts } from '../money-texts.ts';
import { OnlyAdmins } from '../only-admins.tsx';
import { BankAccounts } from './bank-accounts.tsx';
import { type DecidingTopup, TopupDecision } from './topup-decision.tsx';

const WAITING = TOPUP_STATUSES[0];
const ALL = 'hepsi';

export function TopupsScreen() {
  const t = useTexts(moneyTexts);
  const locale = useLocale();
  const { durum = WAITING, offset } = useSearch({ from: '/shell/yonetim/yuklemeler' });
  const navigate = useNavigate({ from: '/yonetim/yuklemeler' });
  const topups = useQuery({
    queryKey: ['admin', 'topups', durum, offset],
    queryFn: ({ signal }) => callPage('GET admin/topups', { query: { status: durum === ALL ? '' : durum, offset }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 30_000,
  });
  const chips = [
    ...TOPUP_STATUSES.map((value) => ({ value: value as string, label: walletWord(locale, value) })),
    { value: ALL, label: t.all },
  ];
  return (
    <OnlyAdmins>
      <PageHeader title={t.topupsTitle} description={t.topupsHint} />
      <LedgerState />
      <BankAccounts />
      <ChoiceChips
        label={t.status}
        value={durum}
        chips={chips}
        onChange={(next) => navigate({ search: next === WAITING ? {} : { durum: next } })}
      />
      <Loaded query={topups} rows={6}>
        {(page) =>
          page.items.length === 0 ? (
            <div className="card">
              <EmptyState title={durum === WAITING ? t.none.waiting : t.none.other}>{t.noneHint}</EmptyState>
            </div>
          ) : (
            <>
              <TopupList topups={page.items} />
              <div className="mt-3">
                <Pagination
                  page={page}
                  onMove={(next) => navigate({ search: (now) => ({ ...now, offset: next === 0 ? undefined : String(next) }) })}
                />
              </div>
            </>
          )
        }
      </Loaded>
    </OnlyAdmins>
  );
}

function TopupList({ topups }: { readonly topups: readonly AdminTopupLine[] }) {
  const list = useRef<HTMLUListElement>(null);
  const [deciding, setDeciding] = useState<DecidingTopup | null>(null);
  useRowKeys(list);
  return (
    <>
      <ul ref={list} className="m-0 flex list-none flex-col gap-3 p-0">
        {topups.map((topup) => (
          <TopupCard key={topup.id} topup={topup} onDecide={(approve) => setDeciding({ topup, approve })} />
        ))}
      </ul>
      <TopupDecision deciding={deciding} onClose={() => setDeciding(null)} />
    </>
  );
}

interface TopupCardProps {
  readonly topup: AdminTopupLine;
  readonly onDecide: (approve: boolean) => void;
}

function TopupCard({ topup, onDecide }: TopupCardProps) {
  const t = useTexts(moneyTexts);
  const locale = useLocale();
  const format = useFormat();
  const isWaiting = topup.status === WAITING;
  const barred = topup.is_own ? t.isOwn : topup.first_by_name !== null && !topup.may_be_second ? t.notSecond : null;
  return (
    <li
      tabIndex={-1}
      className="card grid gap-x-6 gap-y-3 p-4 focus:border-accent lg:grid-cols-[minmax(0,1.2fr)_minmax(0,1fr)_minmax(0,1.2fr)_auto]"
    >
      <div className="min-w-0">
        <div className="flex flex-wrap items-center gap-2">
          <strong className="text-16 font-semibold">
            <Money amount={topup.amount} currency={topup.currency} />
          </strong>
          <TopupBadge status={topup.status} />
        </div>
        <Link
          to="/yonetim/hesaplar/$accountId/uyelik"
          params={{ accountId: topup.account_id }}
          className="link text-13 wrap-anywhere"
        >
          {topup.account}
        </Link>
        <p className="m-0 text-12 text-text-2">{t.balanceNow(format.money(topup.balance, topup.currency))}</p>
      </div>
      <div className="min-w-0 text-13">
        <p className="m-0">
          {walletWord(locale, topup.method)}
          {topup.reference && <span className="code wrap-anywhere"> {topup.reference}</span>}
        </p>
        <p className="m-0 text-12 text-text-2">
          {t.askedBy}: {topup.requested_by_name ?? t.aKey} · <DateTime at={topup.created_at} show="relative" />
        </p>
        <Receipts topup={topup} />
      </div>
      <div className="min-w-0 text-13">
        {topup.note && <p className="m-0 whitespace-pre-line wrap-anywhere">{topup.note}</p>}
        {isWaiting && topup.needs_two && <p className="m-0 text-12 font-medium text-write">{t.needsTwo}</p>}
        {isWaiting && topup.first_by_name !== null && <p className="m-0 text-12 text-text-2">{t.firstBy(topup.first_by_name)}</p>}
        {isWaiting && barred && <p className="m-0 text-12 text-text-2">{barred}</p>}
        {!isWaiting && (
          <p className="m-0 text-12 text-text-2">
            {topup.decided_by_name && `${t.decidedBy}: ${topup.decided_by_name} · `}
            <DateTime at={topup.decided_at} show="relative" />
            {topup.decision_note && <span className="block wrap-anywhere">“{topup.decision_note}”</span>}
          </p>
        )}
      </div>
      {isWaiting && (
        <div className="flex flex-wrap items-start gap-2 lg:justify-end">
          <Button
            look="primary"
            icon={Check}
            disabled={barred !== null}
            onClick={() => onDecide(true)}
            aria-label={`${t.approve}: ${topup.account}`}
          >
            {t.approve}
          </Button>
          <Button icon={X} onClick={() => onDecide(false)} aria-label={`${t.reject}: ${topup.account}`}>
            {t.reject}
          </Button>
        </div>
      )}
    </li>
  );
}

/** Each opening is in the audit log. */
function Receipts({ topup }: { readonly topup: AdminTopupLine }) {
  const t = useTexts(moneyTexts);
  const p = useTexts(partsTexts);
  const open = useMutation({
    mutationFn: (document_id: string) =>
      call('GET admin/accounts/{account_id}/topups/{request_id}/receipts/{document_id}', {
        params: { account_id: topup.account_id, request_id: topup.id, document_id },
      }),
    onSuccess: ({ url }) => window.open(url, '_blank', 'noopener'),
    onError: (error) => notify({ title: error instanceof ApiError ? error.message : p.offline, failed: true }),
  });
  if (topup.receipts.length === 0) return <p className="m-0 text-12 text-write">{t.noReceipt}</p>;
  return (
    <p className="m-0 mt-1 flex flex-wrap gap-1">
      {topup.receipts.map((id, place) => (
        <Button
          key={id}
          look="quiet"
          icon={FileText}
          busy={open.isPending && open.variables === id}
          onClick={() => open.mutate(id)}
        >
          {t.receipt(place + 1)}
        </Button>
      ))}
    </p>
  );
}
