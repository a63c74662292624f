// An account's membership, wallet, capabilities and invoices, as administrators keep them.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { Pencil, Scale } from 'lucide-react';
import { useState } from 'react';
import { CAPABILITIES } from '../../../../../src/domain/accounts/accounts-states.ts';
import type { AdminPlan } from '../../../../../src/panel/admin/plans.ts';
import { call } from '../../../api.ts';
import { useLocale, useTexts } from '../../../language.ts';
import { Button } from '../../../parts/button.tsx';
import { picked } from '../../../parts/form/form-body.ts';
import { useWrite } from '../../../parts/form/form-write.ts';
import { Checkbox } from '../../../parts/input/choices.tsx';
import { ErrorSummary } from '../../../parts/input/error-summary.tsx';
import { notify } from '../../../parts/overlay/toast.tsx';
import { Facts } from '../../../parts/page/facts.tsx';
import { Loaded } from '../../../parts/page/loaded.tsx';
import { PageHeader } from '../../../parts/page/page-header.tsx';
import { BackLink } from '../../../parts/page/record.tsx';
import { UsageUnread } from '../../../parts/usage-unread.tsx';
import { Day, Money } from '../../../parts/values.tsx';
import { PlanUsage } from '../../../records/plan-usage.tsx';
import { MembershipBadge, walletWord } from '../../../records/wallet-words.tsx';
import { moneyTexts } from '../money-texts.ts';
import { OnlyAdmins } from '../only-admins.tsx';
import { Invoices } from './invoices.tsx';
import { ChangePlan, CorrectWallet } from './plan-forms.tsx';

export function PlanScreen() {
  const t = useTexts(moneyTexts);
  const { accountId } = useParams({ from: '/shell/yonetim/hesaplar/$accountId/uyelik' });
  const params = { account_id: accountId };
  const account = useQuery({
    queryKey: ['admin', 'account', accountId],
    queryFn: ({ signal }) => call('GET admin/accounts/{account_id}', { params, signal }),
  });
  const plan = useQuery({
    queryKey: ['admin', 'plan', accountId],
    queryFn: ({ signal }) => call('GET admin/accounts/{account_id}/plan', { params, signal }),
  });
  const name = account.data?.name ?? '';
  return (
    <OnlyAdmins>
      <PageHeader
        title={name === '' ? t.planLink : t.planTitle(name)}
        above={
          <BackLink to="/yonetim/hesaplar/$accountId" params={{ accountId }}>
            {name}
          </BackLink>
        }
      />
      <Loaded query={plan} rows={10}>
        {(loaded) => <PlanView accountId={accountId} plan={loaded} />}
      </Loaded>
      <Invoices accountId={accountId} />
    </OnlyAdmins>
  );
}

function PlanView({ accountId, plan }: { readonly accountId: string; readonly plan: AdminPlan }) {
  const t = useTexts(moneyTexts);
  const locale = useLocale();
  const [open, setOpen] = useState<'plan' | 'wallet' | null>(null);
  const { membership, wallet, usage } = plan;
  return (
    <>
      <div className="mb-6 grid items-start gap-4 lg:grid-cols-2">
        <Facts
          title={t.plan}
          facts={[
            { name: t.plan, value: <strong className="font-semibold">{walletWord(locale, membership.plan)}</strong> },
            { name: t.planStatus, value: <MembershipBadge status={membership.status} /> },
            { name: t.price, value: <Money amount={membership.price} currency={membership.currency} /> },
            {
              name: t.period,
              value: (
                <>
                  <Day day={membership.period_start} /> – <Day day={membership.period_end} />
                </>
              ),
            },
          ]}
        >
          <p className="mt-3 mb-0">
            <Button icon={Pencil} onClick={() => setOpen('plan')}>
              {t.changePlan}
            </Button>
          </p>
        </Facts>
        <Facts
          title={t.wallet}
          facts={[
            { name: t.balance, value: <Money amount={wallet.balance} currency={wallet.currency} /> },
            { name: t.pending, value: <Money amount={wallet.pending_topups} currency={wallet.currency} /> },
          ]}
        >
          <p className="mt-3 mb-0">
            <Button icon={Scale} onClick={() => setOpen('wallet')}>
              {t.correct}
            </Button>
          </p>
        </Facts>
        <section className="card min-w-0 p-4" aria-label={t.usage}>
          <h2 className="m-0 mb-3 text-14 font-semibold">{t.usage}</h2>
          {usage === null ? <UsageUnread /> : <PlanUsage usage={usage} words={t} />}
        </section>
        <Capabilities accountId={accountId} capabilities={plan.capabilities} />
      </div>
      {open === 'plan' && <ChangePlan accountId={accountId} membership={membership} onClose={() => setOpen(null)} />}
      {open === 'wallet' && <CorrectWallet accountId={accountId} onClose={() => setOpen(null)} />}
    </>
  );
}

interface CapabilitiesProps {
  readonly accountId: string;
  readonly capabilities: AdminPlan['capabilities'];
}

function Capabilities({ accountId, capabilities }: CapabilitiesProps) {
  const t = useTexts(moneyTexts);
  const client = useQueryClient();
  const [chosen, setChosen] = useState(capabilities);
  const changed = CAPABILITIES.filter((name) => chosen[name] !== capabilities[name]);
  const write = useWrite({
    send: (body: Partial<AdminPlan['capabilities']>) =>
      call('PATCH admin/accounts/{account_id}/capabilities', { params: { account_id: accountId }, body }),
    onDone: () => {
      notify({ title: t.capabilitiesSaved });
      return client.invalidateQueries({ queryKey: ['admin', 'plan', accountId] });
    },
  });
  return (
    <section className="card min-w-0 p-4" aria-label={t.capabilities}>
      <h2 className="m-0 mb-3 text-14 font-semibold">{t.capabilities}</h2>
      {write.error && <ErrorSummary error={write.error} names={t.capabilityNames} />}
      <div className="flex flex-col gap-2">
        {CAPABILITIES.map((name) => (
          <Checkbox
            key={name}
            label={t.capabilityNames[name]}
            checked={chosen[name]}
            onChange={(checked) => setChosen({ ...chosen, [name]: checked })}
          />
        ))}
      </div>
      <p className="mt-2 mb-3 text-12 text-text-2">{t.capabilitiesHint}</p>
      <Button
        look="primary"
        busy={write.isPending}
        disabled={changed.length === 0}
        onClick={() => write.run(picked(chosen, changed))}
      >
        {t.save}
      </Button>
    </section>
  );
}
