// Ajanlar: what agents may do with the key, how a client connects, and what agents did each day.
import { queryOptions, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { AGENT_ACCESS, AGENT_CONFIRMATIONS } from '../../../../../src/domain/keys/agent-states.ts';
import type { AgentDay, AgentSettings } from '../../../../../src/panel/agents/agents.ts';
import { call } from '../../../api.ts';
import { useTexts } from '../../../language.ts';
import { Button, buttonLook } from '../../../parts/button.tsx';
import { CodeBlock } from '../../../parts/code-block.tsx';
import { amountOf, amountToSend } from '../../../parts/form/form-amount.ts';
import { Checkbox, RadioGroup } from '../../../parts/input/choices.tsx';
import { ErrorSummary, problemOf } from '../../../parts/input/error-summary.tsx';
import { Field, TextInput } from '../../../parts/input/field.tsx';
import { notify } from '../../../parts/overlay/toast.tsx';
import { Day, Money } from '../../../parts/values.tsx';
import { useFormat } from '../../../session.ts';
import { useMayChange } from '../key-data.ts';
import { Block } from '../key-parts.tsx';
import { keyAgentsTexts } from './agents-texts.ts';

const route = getRouteApi('/shell/api-anahtarlari/$keyId');

const agentsQuery = (id: string) =>
  queryOptions({
    queryKey: ['keys', id, 'agents'],
    queryFn: ({ signal }) => call('GET keys/{key_id}/agents', { params: { key_id: id }, signal }),
  });

export function AgentsTab() {
  const { keyId } = route.useParams();
  const { data } = useSuspenseQuery(agentsQuery(keyId));
  const t = useTexts(keyAgentsTexts);
  return (
    <div className="grid items-start gap-4 xl:grid-cols-2">
      <SettingsForm key={JSON.stringify(data)} keyId={keyId} shown={data} />
      <div className="flex min-w-0 flex-col gap-4">
        <Block title={t.connect} text={t.connectText}>
          <div className="flex flex-col gap-3">
            {clientsOf(data.url, t.secret).map(([name, config]) => (
              <div key={name} className="min-w-0">
                <h3 className="mt-0 mb-1 text-13 font-medium">{t.clients[name]}</h3>
                <CodeBlock label={t.clients[name]} text={JSON.stringify(config, null, 2)} />
              </div>
            ))}
          </div>
        </Block>
        <Days days={data.days} />
      </div>
    </div>
  );
}

const clientsOf = (url: string, secret: string) => {
  const headers = { Authorization: `Bearer ${secret}` };
  const env = { GALERI_URL: url.replace(/\/mcp$/, ''), GALERI_KEY: secret };
  return [
    ['vscode', { servers: { galeri: { type: 'http', url, headers } } }],
    ['cursor', { mcpServers: { galeri: { url, headers } } }],
    ['desktop', { mcpServers: { galeri: { command: 'galeri', args: ['mcp'], env } } }],
  ] as const;
};

type Sums = Readonly<Record<string, string>>;

/** The settings as they are typed, and how they are saved. */
function useAgentSettings(keyId: string, shown: AgentSettings) {
  const t = useTexts(keyAgentsTexts);
  const client = useQueryClient();
  const [agents, setAgents] = useState(shown.agents);
  const [confirmation, setConfirmation] = useState(shown.confirmation);
  const [approvers, setApprovers] = useState(shown.approvers);
  const [sums, setSums] = useState<Sums>(() => sumsOf(shown));
  const [failure, setFailure] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const save = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setFailure(null);
    try {
      const money = Object.fromEntries(
        Object.entries(sums).map(([name, value]) => [name, value.trim() === '' ? '0' : amountToSend(value)]),
      );
      const body = { agents, confirmation, approvers: [...approvers], ...money };
      await call('PATCH keys/{key_id}/agents', { params: { key_id: keyId }, body });
      notify({ title: t.saved });
      await client.invalidateQueries({ queryKey: ['keys', keyId, 'agents'] });
    } catch (error) {
      setFailure(error);
    } finally {
      setBusy(false);
    }
  };
  return { agents, setAgents, confirmation, setConfirmation, approvers, setApprovers, sums, setSums, failure, busy, save };
}

/** Named as in the request, so that an error of one is shown at it. */
const sumName = (currency: string, span: 'call' | 'day') => `${currency.toLowerCase()}_${span}`;

const sumsOf = ({ ceilings }: AgentSettings): Sums =>
  Object.fromEntries(
    ceilings.flatMap(({ currency, call: each, day }) => [
      [sumName(currency, 'call'), each],
      [sumName(currency, 'day'), day],
    ]),
  );

function useSumNames({ ceilings }: AgentSettings): Sums {
  const t = useTexts(keyAgentsTexts);
  return Object.fromEntries(
    ceilings.flatMap(({ currency }) =>
      (['call', 'day'] as const).map((span) => [sumName(currency, span), `${t[span]}, ${currency}`]),
    ),
  );
}

type Settings = ReturnType<typeof useAgentSettings>;

function SettingsForm({ keyId, shown }: { readonly keyId: string; readonly shown: AgentSettings }) {
  const t = useTexts(keyAgentsTexts);
  const { owner } = useMayChange();
  const settings = useAgentSettings(keyId, shown);
  const names = useSumNames(shown);
  return (
    <Block title={t.may} text={t.mayText}>
      <form onSubmit={settings.save}>
        <ErrorSummary error={settings.failure} names={names} />
        <fieldset disabled={!owner} className="m-0 flex min-w-0 flex-col gap-5 border-0 p-0">
          <RadioGroup
            label={t.accessOf}
            value={settings.agents}
            options={AGENT_ACCESS.map((value) => ({ value, label: t.access[value], hint: t.accessHint[value] }))}
            onChange={settings.setAgents}
          />
          {settings.agents === 'write' && <WriteSettings shown={shown} settings={settings} />}
          {owner ? (
            <div>
              <Button look="primary" type="submit" busy={settings.busy}>
                {t.save}
              </Button>
            </div>
          ) : (
            <p className="m-0 text-13 text-text-2">{t.ownerOnly}</p>
          )}
        </fieldset>
      </form>
      <Link to="/ajanlar" className={`${buttonLook('secondary')} mt-4`}>
        {t.toWrites}
      </Link>
    </Block>
  );
}

function WriteSettings({ shown, settings }: { readonly shown: AgentSettings; readonly settings: Settings }) {
  const t = useTexts(keyAgentsTexts);
  const { confirmation, setConfirmation, approvers, setApprovers, sums, setSums } = settings;
  return (
    <>
      <RadioGroup
        label={t.where}
        value={confirmation}
        options={AGENT_CONFIRMATIONS.map((value) => ({ value, label: t.confirmation[value] }))}
        onChange={setConfirmation}
        note={t.confirmationHint}
      />
      <Ceilings
        shown={shown}
        sums={sums}
        error={settings.failure}
        onChange={(name, value) => setSums({ ...sums, [name]: value })}
      />
      <fieldset className="m-0 min-w-0 border-0 p-0">
        <legend className="mb-1 p-0 text-13 font-medium">{t.approvers}</legend>
        <p className="mt-0 mb-1 text-12 text-text-2">{t.approversText}</p>
        {shown.people.map(({ id, full_name }) => (
          <Checkbox
            key={id}
            label={full_name}
            checked={approvers.includes(id)}
            onChange={(is) => setApprovers(is ? [...approvers, id] : approvers.filter((one) => one !== id))}
          />
        ))}
      </fieldset>
    </>
  );
}

interface CeilingsProps {
  readonly shown: AgentSettings;
  readonly sums: Sums;
  readonly error: unknown;
  readonly onChange: (name: string, value: string) => void;
}

function Ceilings({ shown, sums, error, onChange }: CeilingsProps) {
  const t = useTexts(keyAgentsTexts);
  const format = useFormat();
  return (
    <fieldset className="m-0 min-w-0 border-0 p-0">
      <legend className="mb-1 p-0 text-13 font-medium">{t.ceilings}</legend>
      <p className="mt-0 mb-2 text-12 text-text-2">{t.ceilingsText}</p>
      <div className="grid grid-cols-2 gap-2">
        {shown.ceilings.flatMap(({ currency }) =>
          (['call', 'day'] as const).map((span) => {
            const name = sumName(currency, span);
            const label = `${t[span]}, ${currency}`;
            const typed = sums[name] ?? '';
            const amount = amountOf(typed);
            return (
              <Field
                key={name}
                id={name}
                label={label}
                hint={amount === undefined ? undefined : format.money(amount, currency)}
                error={problemOf(error, name, label)}
              >
                <TextInput inputMode="decimal" maxLength={20} value={typed} onChange={(value) => onChange(name, value)} />
              </Field>
            );
          }),
        )}
      </div>
    </fieldset>
  );
}

function Days({ days }: { readonly days: readonly AgentDay[] }) {
  const t = useTexts(keyAgentsTexts);
  const format = useFormat();
  if (days.length === 0)
    return (
      <Block title={t.days} text={t.noDays}>
        {null}
      </Block>
    );
  return (
    <Block title={t.days}>
      <div className="overflow-x-auto">
        <table className="w-full text-13">
          <thead>
            <tr className="text-left text-12 text-text-2">
              <th scope="col">{t.dayHead}</th>
              <th scope="col" className="text-right">
                {t.calls}
              </th>
              <th scope="col" className="text-right">
                {t.refused}
              </th>
              <th scope="col" className="text-right">
                {t.writes}
              </th>
              <th scope="col" className="text-right">
                {t.moved}
              </th>
            </tr>
          </thead>
          <tbody>
            {days.map(({ day, calls, refused, writes, moved }) => (
              <tr key={day} className="border-t border-line">
                <td className="py-1">
                  <Day day={day} />
                </td>
                <td className="tabular text-right">{format.number(calls)}</td>
                <td className="tabular text-right">{format.number(refused)}</td>
                <td className="tabular text-right">{format.number(writes)}</td>
                <td className="tabular text-right">
                  {moved.map(({ currency, amount }) => (
                    <span key={currency} className="ml-2">
                      <Money amount={amount} currency={currency as 'TL'} />
                    </span>
                  ))}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Block>
  );
}
