// An account's keys for administrators, who can set a key's limit and special authorizations.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { Authorization } from '../../../../../src/domain/keys/key-policy.ts';
import type { AdminAccountView, AdminKey } from '../../../../../src/panel/admin/account-views.ts';
import { call } from '../../../api.ts';
import { useTexts } from '../../../language.ts';
import { EnvironmentBadge, KeyStateBadge } from '../../../parts/badges.tsx';
import { Button } from '../../../parts/button.tsx';
import { Checkbox } from '../../../parts/input/choices.tsx';
import { ErrorSummary, problemOf } from '../../../parts/input/error-summary.tsx';
import { Field, NumberInput, TextArea } from '../../../parts/input/field.tsx';
import { Dialog } from '../../../parts/overlay/dialog.tsx';
import { notify } from '../../../parts/overlay/toast.tsx';
import { EmptyState } from '../../../parts/page/states.tsx';
import { type Column, Table } from '../../../parts/table/table.tsx';
import { UsageUnread } from '../../../parts/usage-unread.tsx';
import { DateTime } from '../../../parts/values.tsx';
import { useFormat } from '../../../session.ts';
import { adminTexts } from '../texts.ts';

const AUTHORIZATIONS: readonly Authorization[] = ['network_auction_bid', 'live_auction_bid', 'live_auction_operate'];

type Act = { readonly kind: 'limit' | 'authorize'; readonly key: AdminKey } | null;

export function AccountKeys({ account }: { readonly account: AdminAccountView }) {
  const t = useTexts(adminTexts);
  const [act, setAct] = useState<Act>(null);
  const columns = useColumns(setAct);
  const close = () => setAct(null);
  return (
    <>
      <Table
        label={t.accountKeys}
        rows={account.keys}
        rowKey={({ id }) => id}
        columns={columns}
        empty={<EmptyState title={t.noKeys} />}
      />
      <Dialog open={act?.kind === 'limit'} onClose={close} title={act ? t.setLimitTitle(act.key.name) : ''}>
        {act?.kind === 'limit' && <LimitForm accountId={account.id} apiKey={act.key} onClose={close} />}
      </Dialog>
      <Dialog
        open={act?.kind === 'authorize'}
        onClose={close}
        title={act ? t.authorizeTitle(act.key.name) : ''}
        description={t.authorizeHint}
      >
        {act?.kind === 'authorize' && <AuthorizeForm accountId={account.id} apiKey={act.key} onClose={close} />}
      </Dialog>
    </>
  );
}

function useColumns(onAct: (act: Act) => void): readonly Column<AdminKey>[] {
  const t = useTexts(adminTexts);
  const format = useFormat();
  return [
    {
      id: 'key',
      head: t.key,
      onCard: 'title',
      cell: ({ name, prefix }) => (
        <span className="block py-1">
          <span className="block font-medium wrap-anywhere">{name}</span>
          <span className="code block text-12 text-text-2">{prefix}…</span>
        </span>
      ),
    },
    { id: 'environment', head: t.environment, cell: ({ environment }) => <EnvironmentBadge environment={environment} /> },
    { id: 'state', head: t.status, cell: ({ state }) => <KeyStateBadge state={state} /> },
    { id: 'rows', head: t.rows, align: 'end', cell: ({ endpoints }) => format.number(endpoints) },
    { id: 'limit', head: t.limit, align: 'end', cell: ({ limit_per_minute }) => format.number(limit_per_minute) },
    {
      id: 'calls',
      head: t.calls,
      align: 'end',
      cell: ({ calls_24h }) => (calls_24h === null ? <UsageUnread /> : format.number(calls_24h)),
    },
    { id: 'use', head: t.lastUse, cell: ({ last_used_at }) => <DateTime at={last_used_at} show="relative" /> },
    {
      id: 'acts',
      head: t.acts,
      headHidden: true,
      cell: (key) =>
        key.state !== 'revoked' && (
          <span className="flex flex-wrap justify-end gap-1 lg:flex-nowrap">
            <Button onClick={() => onAct({ kind: 'limit', key })} aria-label={`${t.setLimit}: ${key.name}`}>
              {t.setLimit}
            </Button>
            <Button onClick={() => onAct({ kind: 'authorize', key })} aria-label={`${t.authorizeShort}: ${key.name}`}>
              {t.authorizeShort}
              {key.authorizations.length > 0 && ` (${key.authorizations.length})`}
            </Button>
          </span>
        ),
    },
  ];
}

interface FormProps {
  readonly accountId: string;
  readonly apiKey: AdminKey;
  readonly onClose: () => void;
}

function LimitForm({ accountId, apiKey, onClose }: FormProps) {
  const t = useTexts(adminTexts);
  const client = useQueryClient();
  const rules = useLimitRules();
  const [perMinute, setPerMinute] = useState(String(apiKey.limit_per_minute));
  const [reason, setReason] = useState('');
  const set = useMutation({
    mutationFn: () =>
      call('POST admin/keys/{key_id}/limit', { params: { key_id: apiKey.id }, body: { per_minute: Number(perMinute), reason } }),
    onSuccess: ({ in_force }) => {
      client.invalidateQueries({ queryKey: ['admin', 'account', accountId] });
      client.invalidateQueries({ queryKey: ['admin', 'limit-requests'] });
      notify({ title: in_force ? t.inForce(Number(perMinute)) : t.waitsForSecond, text: apiKey.name });
      onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    set.mutate();
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-3 pb-2">
      <ErrorSummary error={set.error} names={{ per_minute: t.perMinute, reason: t.reason }} />
      <Field
        id="per_minute"
        label={t.perMinute}
        hint={t.perMinuteHint}
        {...(rules.four_eyes ? { note: t.fourEyesHint } : {})}
        error={problemOf(set.error, 'per_minute', t.perMinute)}
      >
        <NumberInput value={perMinute} onChange={setPerMinute} maxLength={7} />
      </Field>
      <Field id="reason" label={t.reason} error={problemOf(set.error, 'reason', t.reason)}>
        <TextArea value={reason} onChange={setReason} maxLength={1000} />
      </Field>
      <FormButtons onClose={onClose} busy={set.isPending} ready={perMinute !== '' && reason.trim() !== ''} />
    </form>
  );
}

/** Whether a second administrator has to agree to high limits. */
export function useLimitRules(): { readonly four_eyes: boolean } {
  const rules = useQuery({
    queryKey: ['admin', 'limit-rules'],
    queryFn: ({ signal }) => call('GET admin/limit-rules', { signal }),
  });
  return rules.data ?? { four_eyes: false };
}

function AuthorizeForm({ accountId, apiKey, onClose }: FormProps) {
  const t = useTexts(adminTexts);
  const client = useQueryClient();
  const [chosen, setChosen] = useState<readonly Authorization[]>(apiKey.authorizations);
  const save = useMutation({
    mutationFn: () =>
      call('POST admin/keys/{key_id}/authorizations', { params: { key_id: apiKey.id }, body: { authorizations: chosen } }),
    onSuccess: ({ waits_for_second }) => {
      client.invalidateQueries({ queryKey: ['admin', 'account', accountId] });
      notify({ title: waits_for_second ? t.waitsForSecond : t.authorized, text: apiKey.name });
      onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-2 pb-2">
      <ErrorSummary error={save.error} />
      {AUTHORIZATIONS.map((one) => (
        <Checkbox
          key={one}
          label={t.authorizations[one]}
          checked={chosen.includes(one)}
          onChange={(checked) => setChosen(checked ? [...chosen, one] : chosen.filter((other) => other !== one))}
        />
      ))}
      <FormButtons onClose={onClose} busy={save.isPending} ready />
    </form>
  );
}

function FormButtons({ onClose, busy, ready }: { onClose: () => void; busy: boolean; ready: boolean }) {
  const t = useTexts(adminTexts);
  return (
    <div className="mt-2 flex flex-wrap justify-end gap-2">
      <Button onClick={onClose}>{t.cancel}</Button>
      <Button look="primary" type="submit" busy={busy} disabled={!ready}>
        {t.save}
      </Button>
    </div>
  );
}
