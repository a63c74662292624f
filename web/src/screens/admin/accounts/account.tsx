// One account for administrators: facts, people and keys, suspending it, and viewing it as a dealer.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { CirclePause, CirclePlay, Eye, UserPlus } from 'lucide-react';
import { useState } from 'react';
import type { AdminAccountView, AdminMember } from '../../../../../src/panel/admin/account-views.ts';
import type { OwnerInvitation } from '../../../../../src/panel/admin/owners.ts';
import { call } from '../../../api.ts';
import { useTexts } from '../../../language.ts';
import { Button, buttonLook } from '../../../parts/button.tsx';
import { CopyButton } from '../../../parts/copy-button.tsx';
import { Field, TextArea } from '../../../parts/input/field.tsx';
import { ConfirmDialog } from '../../../parts/overlay/confirm-dialog.tsx';
import { notify } from '../../../parts/overlay/toast.tsx';
import { Facts } from '../../../parts/page/facts.tsx';
import { PageHeader } from '../../../parts/page/page-header.tsx';
import { BackLink, RecordError } from '../../../parts/page/record.tsx';
import { EmptyState, SkeletonRows } from '../../../parts/page/states.tsx';
import { Table } from '../../../parts/table/table.tsx';
import { DateTime } from '../../../parts/values.tsx';
import { useFormat, useSession } from '../../../session.ts';
import { shellTexts } from '../../../texts/shell.ts';
import { moneyTexts } from '../money-texts.ts';
import { OnlyAdmins } from '../only-admins.tsx';
import { adminTexts } from '../texts.ts';
import { AccountBadge } from './account-badge.tsx';
import { AccountKeys } from './account-keys.tsx';
import { DropTotp } from './drop-totp.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { LinkDialog } from './link-dialog.tsx';

export function AccountScreen() {
  const t = useTexts(adminTexts);
  const { accountId } = useParams({ from: '/shell/yonetim/hesaplar/$accountId' });
  const account = useQuery({
    queryKey: ['admin', 'account', accountId],
    queryFn: ({ signal }) => call('GET admin/accounts/{account_id}', { params: { account_id: accountId }, signal }),
  });
  return (
    <OnlyAdmins>
      {account.isPending ? (
        <>
          <PageHeader title={t.account} above={<ToAccounts />} />
          <SkeletonRows rows={10} />
        </>
      ) : account.isError ? (
        <RecordError
          error={account.error}
          onRetry={account.refetch}
          back={<ToAccounts />}
          title={t.account}
          gone={{
            title: t.accountGone,
            text: t.accountGoneText,
            action: (
              <Link to="/yonetim/hesaplar" className={buttonLook('secondary')}>
                {t.toAccounts}
              </Link>
            ),
          }}
        />
      ) : (
        <AccountView account={account.data} />
      )}
    </OnlyAdmins>
  );
}

function ToAccounts() {
  const t = useTexts(adminTexts);
  return <BackLink to="/yonetim/hesaplar">{t.accountsTitle}</BackLink>;
}

function AccountView({ account }: { readonly account: AdminAccountView }) {
  const t = useTexts(adminTexts);
  return (
    <>
      <PageHeader
        title={account.name}
        above={<ToAccounts />}
        beside={<AccountBadge status={account.status} />}
        actions={<AccountActs account={account} />}
      />
      {account.suspended && (
        <div className="mb-4 rounded-card border border-danger bg-dest-bg p-3 text-13 text-dest">
          <p className="m-0 font-medium whitespace-pre-line wrap-anywhere">{account.suspended.reason}</p>
          <p className="m-0">
            {t.suspendedBy(account.suspended.by)} · <DateTime at={account.suspended.at} />
          </p>
        </div>
      )}
      <div className="flex flex-col gap-4">
        <div className="grid items-start gap-4 lg:grid-cols-2">
          <AccountFacts account={account} />
          <Invitations account={account} />
        </div>
        <section aria-labelledby="keys">
          <h2 id="keys" className="m-0 mb-2 text-16 font-semibold">
            {t.accountKeys}
          </h2>
          <AccountKeys account={account} />
        </section>
        <Members members={account.members} />
      </div>
    </>
  );
}

function AccountActs({ account }: { readonly account: AdminAccountView }) {
  const t = useTexts(adminTexts);
  const client = useQueryClient();
  const [open, setOpen] = useState(false);
  const [reason, setReason] = useState('');
  const suspended = account.status === 'Askıda';
  const params = { account_id: account.id };
  const change = async () => {
    await (suspended
      ? call('DELETE admin/accounts/{account_id}/suspension', { params, body: reason ? { reason } : {} })
      : call('POST admin/accounts/{account_id}/suspension', { params, body: { name: account.name, reason } }));
    await client.invalidateQueries({ queryKey: ['admin'] });
    setReason('');
    notify({ title: `${account.name}: ${suspended ? t.active : t.suspended}` });
  };
  return (
    <>
      <Button icon={Eye} title={t.lookHint} onClick={() => lookAt(account.id)}>
        {t.look}
      </Button>
      <Button look={suspended ? 'secondary' : 'danger'} icon={suspended ? CirclePlay : CirclePause} onClick={() => setOpen(true)}>
        {suspended ? t.unsuspend : t.suspend}
      </Button>
      <ConfirmDialog
        open={open}
        onClose={() => setOpen(false)}
        title={suspended ? t.unsuspendTitle(account.name) : t.suspendTitle(account.name)}
        action={suspended ? t.unsuspend : t.suspend}
        danger={!suspended}
        {...(suspended ? {} : { typed: account.name })}
        ready={suspended || reason.trim() !== ''}
        run={change}
      >
        <p className="mt-0 mb-3">{suspended ? t.unsuspendText : t.suspendText}</p>
        <Field label={t.reason} optional={suspended}>
          <TextArea value={reason} onChange={setReason} maxLength={500} />
        </Field>
      </ConfirmDialog>
    </>
  );
}

/** Reloads the page in the account, so that nothing of the administrator's own screens stays in memory. */
async function lookAt(accountId: string): Promise<void> {
  await call('POST session/look', { body: { account_id: accountId } });
  location.assign('/panel');
}

function AccountFacts({ account }: { readonly account: AdminAccountView }) {
  const t = useTexts(adminTexts);
  const m = useTexts(moneyTexts);
  return (
    <Facts
      title={t.facts}
      facts={[
        { name: t.legalName, value: account.legal_name },
        { name: t.place, value: [account.city, account.country].filter(Boolean).join(', ') },
        { name: t.email, value: account.email },
        { name: t.phone, value: account.phone },
        { name: t.currency, value: account.default_currency },
        { name: t.timezone, value: account.timezone },
        { name: t.since, value: <DateTime at={account.created_at} /> },
      ]}
    >
      <p className="mt-3 mb-0 flex flex-wrap items-center gap-x-4 gap-y-1">
        <Link to="/yonetim/hesaplar/$accountId/uyelik" params={{ accountId: account.id }} className="link py-0.5">
          {m.planLink}
        </Link>
        <Link to="/yonetim/denetim" search={{ account_id: account.id }} className="link py-0.5">
          {t.auditTitle}
        </Link>
        {/* For the command line, which goes by it. */}
        <CopyButton text={account.id} label={t.copyId} look="quiet" />
      </p>
    </Facts>
  );
}

function Invitations({ account }: { readonly account: AdminAccountView }) {
  const t = useTexts(adminTexts);
  const s = useTexts(shellTexts);
  const format = useFormat();
  const client = useQueryClient();
  const [inviting, setInviting] = useState(false);
  const [made, setMade] = useState<OwnerInvitation | null>(null);
  const invite = async (email: string, full_name: string) => {
    const body = { owner_email: email, owner_full_name: full_name };
    setMade(await call('POST admin/accounts/{account_id}/owner-invitations', { params: { account_id: account.id }, body }));
    client.invalidateQueries({ queryKey: ['admin', 'account', account.id] });
  };
  return (
    <section aria-labelledby="invitations" className="card min-w-0 p-4">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-2">
        <h2 id="invitations" className="m-0 text-14 font-semibold">
          {t.invitations}
        </h2>
        <Button icon={UserPlus} onClick={() => setInviting(true)}>
          {t.inviteOwner}
        </Button>
      </div>
      {account.invitations.length === 0 ? (
        <p className="m-0 text-13 text-text-2">{t.noInvitations}</p>
      ) : (
        <ul className="m-0 flex list-none flex-col gap-1.5 p-0 text-13">
          {account.invitations.map(({ id, email, role, expires_at }) => (
            <li key={id} className="flex flex-wrap justify-between gap-x-3">
              <span className="wrap-anywhere">
                {email} · {s.roles[role]}
              </span>
              <span className="text-text-2">{t.until(format.dateTime(expires_at))}</span>
            </li>
          ))}
        </ul>
      )}
      <InviteDialog
        open={inviting}
        title={t.inviteOwner}
        fields={{ email: 'owner_email', name: 'owner_full_name' }}
        onClose={() => setInviting(false)}
        invite={invite}
      />
      <LinkDialog made={made} onClose={() => setMade(null)} />
    </section>
  );
}

function Members({ members }: { readonly members: readonly AdminMember[] }) {
  const t = useTexts(adminTexts);
  const s = useTexts(shellTexts);
  const { person } = useSession();
  return (
    <section aria-labelledby="members">
      <h2 id="members" className="m-0 mb-2 text-16 font-semibold">
        {t.members}
      </h2>
      <Table
        label={t.members}
        rows={members}
        rowKey={({ id }) => id}
        empty={<EmptyState title={t.noMembers} />}
        columns={[
          { id: 'name', head: t.member, onCard: 'title', cell: ({ full_name }) => full_name },
          {
            id: 'email',
            head: t.email,
            cell: ({ email }) => (email === null ? t.noSignIn : email === person.email ? `${email} (${t.you})` : email),
          },
          { id: 'role', head: t.role, cell: ({ role }) => s.roles[role] },
          { id: 'state', head: t.status, cell: ({ active }) => (active ? t.active : t.inactive) },
          {
            id: 'acts',
            head: t.acts,
            headHidden: true,
            align: 'end',
            cell: ({ person_id, has_totp, full_name }) =>
              person_id !== null && has_totp && person_id !== person.id && <DropTotp personId={person_id} name={full_name} />,
          },
        ]}
      />
    </section>
  );
}
