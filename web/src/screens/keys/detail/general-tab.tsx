// Genel: the key's facts, settings, secrets and concerns.
import { useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, useLocation } from '@tanstack/react-router';
import { type FormEvent, useEffect, useState } from 'react';
import type { KeyDetail } from '../../../../../src/panel/keys/key-views.ts';
import { call } from '../../../api.ts';
import { useTexts } from '../../../language.ts';
import { Button } from '../../../parts/button.tsx';
import { ErrorSummary } from '../../../parts/input/error-summary.tsx';
import { notify } from '../../../parts/overlay/toast.tsx';
import { UsageUnread } from '../../../parts/usage-unread.tsx';
import { DateTime } from '../../../parts/values.tsx';
import { useFormat } from '../../../session.ts';
import { keyQuery, useKeySetup, useMayChange, useRefreshKeys } from '../key-data.ts';
import { Block, Concerns, Facts, RiskSummary, Warning } from '../key-parts.tsx';
import { EMPTY_DRAFT, expiryOf, type KeyDraft, linesOf, numberOrNull } from '../new/draft.ts';
import { draftProblems, FREE_PER_MINUTE, type Problems, problemsOf } from '../new/draft-problems.ts';
import { AddressField, AskInputs, ExpiryField, LimitFields, NameField } from '../new/settings-fields.tsx';
import { SecretTable } from '../secret-table.tsx';
import { keysTexts } from '../texts.ts';
import { LimitMeter } from './limit-meter.tsx';

const route = getRouteApi('/shell/api-anahtarlari/$keyId');

export function GeneralTab() {
  const { keyId } = route.useParams();
  const { data } = useSuspenseQuery(keyQuery(keyId));
  const t = useTexts(keysTexts);
  const { may, owner } = useMayChange();
  useFieldLink();
  const locked = !may || data.state === 'revoked' || (data.risks.sensitive > 0 && !owner);
  return (
    <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_380px]">
      <div className="flex flex-col gap-4">
        {may && data.state !== 'revoked' && data.risks.sensitive > 0 && !owner && (
          <Warning tone="sens">{t.ownerOnlyChange}</Warning>
        )}
        {/* Remounted when the key was changed elsewhere. */}
        <SettingsBlock key={signatureOf(data)} shown={data} locked={locked} />
        {may && data.state !== 'revoked' && <LimitBlock shown={data} />}
      </div>
      <div className="flex flex-col gap-4">
        <FactsBlock shown={data} />
        <Block title={t.secrets} text={t.secretsHint}>
          <SecretTable secrets={data.secrets} />
        </Block>
      </div>
    </div>
  );
}

/** `#allowed_ips`: a refused request links directly to the field that would have allowed it. */
function useFieldLink(): void {
  const { hash } = useLocation();
  useEffect(() => {
    const field = hash === '' ? null : document.getElementById(hash);
    field?.focus();
    field?.scrollIntoView({ block: 'center' });
  }, [hash]);
}

const signatureOf = ({ name, expires_at, limit_per_minute, limit_per_hour, limit_per_day, allowed_ips }: KeyDetail): string =>
  JSON.stringify([name, expires_at, limit_per_minute, limit_per_hour, limit_per_day, allowed_ips]);

function FactsBlock({ shown }: { readonly shown: KeyDetail }) {
  const t = useTexts(keysTexts);
  const format = useFormat();
  const ended = shown.state === 'revoked' || shown.state === 'expired';
  const { calls_24h: calls } = shown;
  return (
    <Block title={t.facts}>
      <Facts
        facts={[
          [t.health, <Concerns key="h" concerns={shown.concerns} ended={ended} />],
          [t.policy, `${t.endpointCount(shown.endpoint_count)} · ${t.worksTodayCount(shown.works_today)}`],
          [t.risks, <RiskSummary key="r" risks={shown.risks} />],
          [
            t.lastUse,
            calls === null ? (
              <UsageUnread key="u" />
            ) : shown.last_used_at === null ? (
              t.never
            ) : (
              <DateTime key="u" at={shown.last_used_at} show="relative" />
            ),
          ],
          ...(ended ? [] : [[t.perMinute, <LimitMeter key="m" id={shown.id} limit={shown.limit_per_minute} />] as const]),
          [
            t.traffic24,
            calls === null ? <UsageUnread key="t" /> : `${format.number(calls)} ${t.requests.toLocaleLowerCase(format.locale)}`,
          ],
          [t.created, <DateTime key="c" at={shown.created_at} />],
          [t.expires, shown.expires_at === null ? t.noExpiry : <DateTime key="e" at={shown.expires_at} />],
          ...(shown.authorizations.length > 0
            ? [
                [
                  t.authorizations,
                  <span key="a" className="code">
                    {shown.authorizations.join(', ')}
                  </span>,
                ] as const,
              ]
            : []),
        ]}
      />
    </Block>
  );
}

/** Omits /32 and /128, which mean a single address. */
const shortRange = (range: string): string => range.replace(range.includes(':') ? /\/128$/ : /\/32$/, '');

function draftOf(shown: KeyDetail): KeyDraft {
  return {
    ...EMPTY_DRAFT,
    name: shown.name,
    environment: shown.environment,
    expiry: shown.expires_at === null ? 'none' : 'keep',
    perMinute: String(shown.limit_per_minute),
    perHour: shown.limit_per_hour === null ? '' : String(shown.limit_per_hour),
    perDay: shown.limit_per_day === null ? '' : String(shown.limit_per_day),
    ips: shown.allowed_ips.map(shortRange).join('\n'),
  };
}

function SettingsBlock({ shown, locked }: { readonly shown: KeyDetail; readonly locked: boolean }) {
  const t = useTexts(keysTexts);
  const { zone } = useFormat();
  const setup = useKeySetup();
  const refresh = useRefreshKeys();
  const [draft, setDraft] = useState(() => draftOf(shown));
  const [failure, setFailure] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const max = Math.max(FREE_PER_MINUTE, shown.limit_per_minute);
  const problems: Problems = { ...draftProblems(draft, t, Date.now(), zone, max), ...problemsOf(failure) };
  const changed = JSON.stringify(draft) !== JSON.stringify(draftOf(shown));
  const fields = {
    draft,
    problems: changed ? problems : {},
    change: (changes: Partial<KeyDraft>) => {
      setFailure(null);
      setDraft((present) => ({ ...present, ...changes }));
    },
  };
  const save = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    try {
      await call('PATCH keys/{key_id}', { params: { key_id: shown.id }, body: bodyOf(draft, zone) });
      notify({ title: t.savedNow });
      await refresh();
    } catch (error) {
      setFailure(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Block title={t.settings}>
      <form onSubmit={save}>
        <ErrorSummary error={failure} />
        <fieldset disabled={locked} className="m-0 flex min-w-0 flex-col gap-5 border-0 p-0">
          <NameField {...fields} />
          <ExpiryField {...fields} kept={shown.expires_at} />
          <LimitFields {...fields} max={max} />
          <AddressField {...fields} address={locked ? null : (setup?.your_address ?? null)} />
          {!locked && (
            <div>
              <Button look="primary" type="submit" busy={busy} disabled={!changed || Object.keys(problems).length > 0}>
                {t.save}
              </Button>
            </div>
          )}
        </fieldset>
      </form>
    </Block>
  );
}

function bodyOf(draft: KeyDraft, zone: string) {
  const ends = draft.expiry === 'keep' ? {} : { expires_at: expiryOf(draft, Date.now(), zone)?.toISOString() ?? null };
  return {
    name: draft.name.trim(),
    ...ends,
    limit_per_minute: Number(draft.perMinute),
    limit_per_hour: numberOrNull(draft.perHour),
    limit_per_day: numberOrNull(draft.perDay),
    allowed_ips: linesOf(draft.ips),
  };
}

function LimitBlock({ shown }: { readonly shown: KeyDetail }) {
  const t = useTexts(keysTexts);
  const refresh = useRefreshKeys();
  const [draft, setDraft] = useState<KeyDraft>({ ...EMPTY_DRAFT, askMore: true });
  const [tried, setTried] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const { ask_per_minute, ask_reason } = draftProblems(draft, t, 0, 'UTC');
  const problems: Problems = tried ? { ...(ask_per_minute && { ask_per_minute }), ...(ask_reason && { ask_reason }) } : {};
  const request = shown.limit_request;
  const send = async (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (ask_per_minute || ask_reason) return;
    setBusy(true);
    try {
      await call('POST keys/{key_id}/limit-requests', {
        params: { key_id: shown.id },
        body: {
          asked_per_minute: Number(draft.askPerMinute),
          reason: draft.askReason.trim(),
        },
      });
      notify({ title: t.askSent });
      setDraft({ ...EMPTY_DRAFT, askMore: true });
      setTried(false);
      await refresh();
    } catch (error) {
      setFailure(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Block title={t.askMore} text={t.askMoreHint}>
      {request?.status === 'pending' ? (
        <Warning>{t.limitRequested(request.asked_per_minute)}</Warning>
      ) : (
        <form onSubmit={send} className="flex flex-col gap-3">
          <ErrorSummary error={failure} />
          {request && (
            <p className="m-0 text-13 text-text-2">
              {request.status === 'approved'
                ? t.askApproved(request.granted_per_minute ?? request.asked_per_minute)
                : t.askRefused}
              {request.note && ` “${request.note}”`}
            </p>
          )}
          <div className="grid items-start gap-3 sm:grid-cols-[12rem_1fr]">
            <AskInputs draft={draft} change={(changes) => setDraft({ ...draft, ...changes })} problems={problems} />
          </div>
          <div>
            <Button type="submit" busy={busy}>
              {t.askSend}
            </Button>
          </div>
        </form>
      )}
    </Block>
  );
}
