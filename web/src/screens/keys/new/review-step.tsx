// The third step: a summary, the confirmations, and creating the key.
import { useState } from 'react';
import type { CatalogView } from '../../../../../src/panel/developer/catalog.ts';
import type { SecretOnce as Made } from '../../../../../src/panel/keys/key-writes.ts';
import { call } from '../../../api.ts';
import { useTexts } from '../../../language.ts';
import { EnvironmentBadge, RiskBadge } from '../../../parts/badges.tsx';
import { Button } from '../../../parts/button.tsx';
import { ErrorSummary } from '../../../parts/input/error-summary.tsx';
import { useFormat } from '../../../session.ts';
import { countsOf } from '../../endpoint-picker/selection.ts';
import { Facts, Warning } from '../key-parts.tsx';
import { keysTexts } from '../texts.ts';
import { expiryOf, type KeyDraft, linesOf, numberOrNull } from './draft.ts';
import { AsksOwner, confirmationOf, Gate, isConfirmed, sensitiveOf, UNCONFIRMED, useSplit } from './gate.tsx';

interface ReviewProps {
  readonly catalog: CatalogView;
  readonly draft: KeyDraft;
  readonly change: (changes: Partial<KeyDraft>) => void;
  readonly onMade: (made: Made) => void;
  readonly onRefused: (error: unknown) => void;
}

export function ReviewStep({ catalog, draft, change, onMade, onRefused }: ReviewProps) {
  const t = useTexts(keysTexts);
  const { zone } = useFormat();
  const [confirmed, setConfirmed] = useState(UNCONFIRMED);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const counts = countsOf(catalog.rows, new Set(draft.endpoints));
  const { requested, granted } = useSplit(catalog.rows, draft.endpoints);
  const added = countsOf(catalog.rows, new Set(granted));
  // Not a mutation of the query client, because its cache would keep the reply with the secret.
  const create = async () => {
    setBusy(true);
    try {
      onMade(
        await call('POST keys', {
          body: { ...bodyOf(draft, zone), ...confirmationOf(confirmed), ask_owner: requested.length > 0 },
        }),
      );
    } catch (error) {
      setFailure(error);
      onRefused(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className="card flex max-w-[760px] flex-col gap-4 p-4 sm:p-5">
      <ErrorSummary error={failure} />
      <Review draft={draft} catalog={catalog} />
      {counts.live === 0 && <Warning>{t.noneWorks}</Warning>}
      <AsksOwner count={requested.length} />
      <Gate
        added={added}
        sensitive={sensitiveOf(catalog.rows, granted)}
        onDrop={(ids) => change({ endpoints: draft.endpoints.filter((id) => !ids.includes(id)) })}
        name={draft.name}
        confirmed={confirmed}
        onConfirm={setConfirmed}
      />
      <div>
        <Button look="primary" busy={busy} disabled={!isConfirmed(added, draft.name, confirmed)} onClick={create}>
          {t.create}
        </Button>
      </div>
    </div>
  );
}

function bodyOf(draft: KeyDraft, zone: string) {
  return {
    name: draft.name.trim(),
    environment: draft.environment,
    endpoints: draft.endpoints,
    expires_at: expiryOf(draft, Date.now(), zone)?.toISOString() ?? null,
    limit_per_minute: Number(draft.perMinute),
    limit_per_hour: numberOrNull(draft.perHour),
    limit_per_day: numberOrNull(draft.perDay),
    allowed_ips: linesOf(draft.ips),
    ...(draft.askMore ? { ask_per_minute: Number(draft.askPerMinute), ask_reason: draft.askReason.trim() } : {}),
  };
}

function Review({ draft, catalog }: Pick<ReviewProps, 'draft' | 'catalog'>) {
  const t = useTexts(keysTexts);
  const format = useFormat();
  const counts = countsOf(catalog.rows, new Set(draft.endpoints));
  const ends = expiryOf(draft, Date.now(), format.zone);
  const ips = linesOf(draft.ips);
  const limit = (text: string) => (text === '' ? t.unlimited : `${format.number(Number(text))} · ${t.notEnforcedShort}`);
  return (
    <Facts
      facts={[
        [t.name, <strong key="name">{draft.name.trim()}</strong>],
        [t.environment, <EnvironmentBadge key="environment" environment={draft.environment} />],
        [
          t.policy,
          <span key="policy" className="flex flex-col gap-1.5">
            {t.endpointCount(counts.all)} · {t.worksTodayCount(counts.live)}
            <span className="flex flex-wrap gap-1">
              {(['read', 'write', 'destructive', 'sensitive'] as const)
                .filter((risk) => counts.risks[risk] > 0)
                .map((risk) => (
                  <RiskBadge key={risk} risk={risk} count={counts.risks[risk]} />
                ))}
            </span>
          </span>,
        ],
        [t.expiry, ends ? t.expiryEnds(format.dateTime(ends), format.zone) : t.expiryNever],
        [t.perMinute, draft.askMore ? `${draft.perMinute} (${t.limitRequested(Number(draft.askPerMinute))})` : draft.perMinute],
        [t.perHour, limit(draft.perHour)],
        [t.perDay, limit(draft.perDay)],
        [
          t.ips,
          ips.length === 0 ? (
            <span key="ips" className="font-medium text-write">
              {t.allIps}
            </span>
          ) : (
            <span key="ips" className="code">
              {ips.join(', ')}
            </span>
          ),
        ],
      ]}
    />
  );
}
