// Badges for states, each with an icon and a word, because colour alone is not enough. API values are only translated for display.

import {
  BookmarkIcon,
  CheckCheck,
  CircleCheck,
  CircleSlash,
  CircleX,
  Clock,
  Eye,
  FlaskConical,
  Gavel,
  Globe,
  Hourglass,
  type LucideIcon,
  Pencil,
  ShieldAlert,
  SquareParking,
  Trash2,
  TriangleAlert,
} from 'lucide-react';
import type { ReactNode } from 'react';
import type { VehicleStatus } from '../../../src/domain/stock/stock-states.ts';
import type { Risk, Status } from '../../../src/kit/endpoint.ts';
import { useTexts } from '../language.ts';
import { partsTexts } from '../texts/parts.ts';
import { cx } from './cx.ts';

type Tone = 'read' | 'write' | 'dest' | 'sens' | 'live' | 'soon';

const TONES: Readonly<Record<Tone, string>> = {
  read: 'bg-read-bg text-read',
  write: 'bg-write-bg text-write',
  dest: 'bg-dest-bg text-dest',
  sens: 'bg-sens-bg text-sens',
  live: 'bg-live-bg text-live',
  soon: 'bg-soon-bg text-soon',
};

interface BadgeProps {
  readonly tone: Tone;
  readonly icon: LucideIcon;
  readonly children: ReactNode;
  /** A bar at the left, which highlights destructive and sensitive endpoints. */
  readonly bar?: boolean;
  readonly dashed?: boolean;
}

export function Badge({ tone, icon: Icon, children, bar = false, dashed = false }: BadgeProps) {
  return (
    <span
      className={cx(
        'badge inline-flex h-[22px] items-center gap-1 align-middle rounded-badge px-1.5 text-12 font-medium whitespace-nowrap',
        TONES[tone],
        bar && 'border-l-2 border-current',
        dashed && 'border border-dashed border-line-strong',
      )}
    >
      <Icon aria-hidden className="size-3.5 shrink-0" />
      {children}
    </span>
  );
}

const RISKS: Readonly<Record<Risk, { tone: Tone; icon: LucideIcon; bar?: true }>> = {
  read: { tone: 'read', icon: Eye },
  write: { tone: 'write', icon: Pencil },
  destructive: { tone: 'dest', icon: Trash2, bar: true },
  sensitive: { tone: 'sens', icon: ShieldAlert, bar: true },
};

/** With a count for several endpoints: `<RiskBadge risk="write" count={12} />`. */
export function RiskBadge({ risk, count }: { readonly risk: Risk; readonly count?: number }) {
  const t = useTexts(partsTexts);
  return (
    <Badge {...RISKS[risk]}>
      {t.risks[risk]}
      {count !== undefined && <span className="tabular"> {count}</span>}
    </Badge>
  );
}

export function StatusBadge({ status }: { readonly status: Status }) {
  const t = useTexts(partsTexts);
  return status === 'Aktif' ? (
    <Badge tone="live" icon={CircleCheck}>
      {t.statuses[status]}
    </Badge>
  ) : (
    <Badge tone="soon" icon={Clock} dashed>
      {t.statuses[status]}
    </Badge>
  );
}

export type KeyState = 'active' | 'expiring' | 'expired' | 'revoked';

const KEY_STATES: Readonly<Record<KeyState, { tone: Tone; icon: LucideIcon }>> = {
  active: { tone: 'live', icon: CircleCheck },
  expiring: { tone: 'write', icon: Hourglass },
  expired: { tone: 'soon', icon: CircleSlash },
  revoked: { tone: 'dest', icon: CircleX },
};

export function KeyStateBadge({ state }: { readonly state: KeyState }) {
  const t = useTexts(partsTexts);
  return <Badge {...KEY_STATES[state]}>{t.keyStates[state]}</Badge>;
}

export function EnvironmentBadge({ environment }: { readonly environment: 'production' | 'sandbox' }) {
  const t = useTexts(partsTexts);
  return (
    <Badge tone={environment === 'sandbox' ? 'write' : 'read'} icon={environment === 'sandbox' ? FlaskConical : Globe}>
      {t.environments[environment]}
    </Badge>
  );
}

const VEHICLES: Readonly<Record<VehicleStatus, { tone: Tone; icon: LucideIcon }>> = {
  Stokta: { tone: 'live', icon: SquareParking },
  Rezerve: { tone: 'write', icon: BookmarkIcon },
  "Auction'da": { tone: 'sens', icon: Gavel },
  Satıldı: { tone: 'soon', icon: CheckCheck },
};

export function VehicleStatusBadge({ status }: { readonly status: VehicleStatus }) {
  const t = useTexts(partsTexts);
  return <Badge {...VEHICLES[status]}>{t.vehicles[status]}</Badge>;
}

/** A fixed width, so that the paths of several rows are aligned. */
export function MethodChip({ method }: { readonly method: string }) {
  return (
    <span
      className={cx(
        'badge inline-grid h-[22px] w-14 shrink-0 place-items-center rounded-badge font-mono text-11 font-medium',
        method === 'DELETE' ? TONES.dest : TONES.soon,
      )}
    >
      {method}
    </span>
  );
}

export function HttpStatusBadge({ status }: { readonly status: number }) {
  const t = useTexts(partsTexts);
  const [tone, icon]: [Tone, LucideIcon] =
    // 501 means that an endpoint is not open yet, which the charts count as a refusal.
    status < 400 ? ['live', CircleCheck] : status < 500 || status === 501 ? ['write', TriangleAlert] : ['dest', CircleX];
  return (
    <Badge tone={tone} icon={icon}>
      <span className="sr-only">{t.httpStatus(status)}</span>
      <span aria-hidden className="tabular">
        {status}
      </span>
    </Badge>
  );
}
