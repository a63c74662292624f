// Acts of administrators that wait for a second one, and those that have ended.
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Check, X } from 'lucide-react';
import { useState } from 'react';
import type { DecisionLine } from '../../../../../src/domain/keys/admin-decisions.ts';
import type { Authorization } from '../../../../../src/domain/keys/key-policy.ts';
import type { OwnerInvitation } from '../../../../../src/panel/admin/owners.ts';
import { call, callPage } from '../../../api.ts';
import { useTexts } from '../../../language.ts';
import { Button } from '../../../parts/button.tsx';
import { ChoiceChips } from '../../../parts/input/choice-chips.tsx';
import { ConfirmDialog } from '../../../parts/overlay/confirm-dialog.tsx';
import { notify } from '../../../parts/overlay/toast.tsx';
import { Loaded } from '../../../parts/page/loaded.tsx';
import { PageHeader } from '../../../parts/page/page-header.tsx';
import { EmptyState } from '../../../parts/page/states.tsx';
import { Pagination } from '../../../parts/table/pagination.tsx';
import { DateTime, Money } from '../../../parts/values.tsx';
import { LinkDialog } from '../accounts/link-dialog.tsx';
import { OnlyAdmins } from '../only-admins.tsx';
import { adminTexts } from '../texts.ts';
import { decisionTexts } from './decision-texts.ts';

const STATES = ['open', 'ended'] as const;

export function DecisionsScreen() {
  const t = useTexts(decisionTexts);
  const { durum, offset } = useSearch({ from: '/shell/yonetim/onaylar' });
  const navigate = useNavigate({ from: '/yonetim/onaylar' });
  const state = STATES.find((one) => one === durum) ?? 'open';
  const decisions = useQuery({
    queryKey: ['admin', 'decisions', state, offset],
    queryFn: ({ signal }) => callPage('GET admin/decisions', { query: { status: state, offset }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 30_000,
  });
  return (
    <OnlyAdmins>
      <PageHeader title={t.title} description={t.hint} />
      <ChoiceChips
        label={t.status}
        value={state}
        chips={STATES.map((value) => ({ value, label: t.states[value] }))}
        onChange={(next) => navigate({ search: next === 'open' ? {} : { durum: next } })}
      />
      <Loaded query={decisions} rows={4}>
        {(page) =>
          page.items.length === 0 ? (
            <div className="card">
              <EmptyState title={t.none[state]}>{t.noneHint}</EmptyState>
            </div>
          ) : (
            <>
              <DecisionList decisions={page.items} />
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

type Act = { readonly decision: DecisionLine; readonly confirms: boolean } | null;

function DecisionList({ decisions }: { readonly decisions: readonly DecisionLine[] }) {
  const t = useTexts(decisionTexts);
  const client = useQueryClient();
  const [act, setAct] = useState<Act>(null);
  const [made, setMade] = useState<OwnerInvitation | null>(null);
  const close = () => setAct(null);
  const run = async () => {
    const params = { decision_id: act!.decision.id };
    try {
      if (act!.confirms) setMade((await call('POST admin/decisions/{decision_id}/confirm', { params })).invitation);
      else await call('POST admin/decisions/{decision_id}/withdraw', { params });
      notify({ title: act!.confirms ? t.confirmed : t.withdrawnNow, text: act!.decision.account });
    } finally {
      // Also after a failure, because another administrator may have decided first.
      await client.invalidateQueries({ queryKey: ['admin'] });
    }
  };
  return (
    <>
      <ul className="m-0 flex list-none flex-col gap-3 p-0">
        {decisions.map((decision) => (
          <DecisionCard key={decision.id} decision={decision} onAct={(confirms) => setAct({ decision, confirms })} />
        ))}
      </ul>
      <ConfirmDialog
        open={act !== null}
        onClose={close}
        title={act?.confirms ? t.confirmTitle(t.kinds[act.decision.kind], act.decision.account) : t.withdrawTitle}
        action={act?.confirms ? t.confirm : t.withdraw}
        danger={act?.confirms === false}
        dismiss={t.keep}
        run={run}
      >
        {act && (
          <div className="text-13">
            <Subject decision={act.decision} />
            <p className="mt-2 mb-0">{act.confirms ? t.confirmText : t.withdrawText}</p>
          </div>
        )}
      </ConfirmDialog>
      <LinkDialog made={made} onClose={() => setMade(null)} />
    </>
  );
}

interface CardProps {
  readonly decision: DecisionLine;
  readonly onAct: (confirms: boolean) => void;
}

function DecisionCard({ decision, onAct }: CardProps) {
  const t = useTexts(decisionTexts);
  const { kind, account, status, expired, may_be_second } = decision;
  const isOpen = status === 'pending' || status === 'approved';
  return (
    <li className="card grid gap-x-6 gap-y-3 p-4 lg:grid-cols-[minmax(0,1fr)_minmax(0,1.2fr)_auto]">
      <div className="min-w-0">
        <strong className="text-14 font-semibold">{t.kinds[kind]}</strong>
        <Link
          to="/yonetim/hesaplar/$accountId"
          params={{ accountId: decision.account_id }}
          className="link block text-13 wrap-anywhere"
        >
          {account}
        </Link>
        <p className="m-0 text-12 text-text-2">
          {decision.first_by_name && t.proposedBy(decision.first_by_name)} · <DateTime at={decision.first_at} show="relative" />
        </p>
        {decision.second_by_name && <p className="m-0 text-12 text-text-2">{t.confirmedBy(decision.second_by_name)}</p>}
      </div>
      <div className="min-w-0 text-13">
        <Subject decision={decision} />
        {status === 'approved' && <p className="m-0 text-12 font-medium text-write">{t.failedBefore}</p>}
        {expired && <p className="m-0 text-12 font-medium text-write">{t.expired}</p>}
        {isOpen && !expired && !may_be_second && <p className="m-0 text-12 text-text-2">{t.notSecond}</p>}
        {!isOpen && (
          <p className="m-0 text-12 text-text-2">
            {status === 'done' ? t.done : t.withdrawn} · <DateTime at={decision.ended_at} show="relative" />
          </p>
        )}
      </div>
      {isOpen && (
        <div className="flex flex-wrap items-start gap-2 lg:justify-end">
          <Button
            look="primary"
            icon={Check}
            disabled={!may_be_second || expired}
            onClick={() => onAct(true)}
            aria-label={`${t.confirm}: ${t.kinds[kind]}, ${account}`}
          >
            {t.confirm}
          </Button>
          <Button icon={X} onClick={() => onAct(false)} aria-label={`${t.withdraw}: ${t.kinds[kind]}, ${account}`}>
            {t.withdraw}
          </Button>
        </div>
      )}
    </li>
  );
}

/** What is to be done. */
function Subject({ decision }: { readonly decision: DecisionLine }) {
  const t = useTexts(decisionTexts);
  const a = useTexts(adminTexts);
  const { kind, amount, details, subject_name } = decision;
  const text = (name: string) => (typeof details[name] === 'string' ? details[name] : '');
  return (
    <>
      {amount !== null && (
        <p className="m-0 text-16 font-semibold">
          <Money amount={amount} currency="TL" />
        </p>
      )}
      {subject_name && <p className="m-0 wrap-anywhere">{subject_name}</p>}
      {kind === 'wallet_correction' && <p className="m-0 wrap-anywhere">{text('description')}</p>}
      {kind === 'invoice_settlement' && <p className="m-0">{text('from') === 'wallet' ? t.from.wallet : t.from.outside}</p>}
      {kind === 'key_authorization' &&
        (details.authorizations as readonly Authorization[]).map((one) => (
          <p key={one} className="m-0">
            {a.authorizations[one]}
          </p>
        ))}
      {kind === 'owner_invitation' && <p className="m-0 wrap-anywhere">{t.newOwner(text('full_name'), text('email'))}</p>}
    </>
  );
}
