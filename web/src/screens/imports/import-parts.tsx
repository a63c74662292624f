// Small parts of the import screens: badges of runs and connectors.
import {
  CircleCheck,
  CircleX,
  Clock,
  FlaskConical,
  LoaderCircle,
  type LucideIcon,
  PauseCircle,
  TriangleAlert,
} from 'lucide-react';
import { useLocale, useTexts } from '../../language.ts';
import { Badge } from '../../parts/badges.tsx';
import { wireWord } from '../../records/vehicles/vehicle-texts.ts';
import { importsTexts } from './texts.ts';
import type { Connector, ImportRun } from './wire.ts';

type Tone = 'live' | 'soon' | 'dest' | 'write' | 'read';

const RUNS: Readonly<Record<ImportRun['status'], { tone: Tone; icon: LucideIcon }>> = {
  Sırada: { tone: 'soon', icon: Clock },
  Çalışıyor: { tone: 'read', icon: LoaderCircle },
  Tamamlandı: { tone: 'live', icon: CircleCheck },
  'Kısmen Tamamlandı': { tone: 'write', icon: TriangleAlert },
  Başarısız: { tone: 'dest', icon: CircleX },
};

export function RunBadge({ status }: { readonly status: ImportRun['status'] }) {
  const t = useTexts(importsTexts);
  return <Badge {...RUNS[status]}>{t.runStatuses[status]}</Badge>;
}

export function ConnectorBadge({ status }: { readonly status: Connector['status'] }) {
  const t = useTexts(importsTexts);
  const look = status === 'Aktif' ? { tone: 'live', icon: CircleCheck } : { tone: 'soon', icon: PauseCircle };
  return <Badge {...(look as { tone: Tone; icon: LucideIcon })}>{t.statuses[status]}</Badge>;
}

/** Marks a trial run, so that it is not mistaken for a real one. */
export function DryBadge() {
  const t = useTexts(importsTexts);
  return (
    <Badge tone="soon" icon={FlaskConical} dashed>
      {t.dry}
    </Badge>
  );
}

/** Labels of our fixed values. */
export function useValueWord(): (value: string) => string {
  const t = useTexts(importsTexts);
  const locale = useLocale();
  return (value) => t.risks[value] ?? wireWord(locale, value);
}

/** A remark in a coloured box. */
export function Remark({
  tone,
  children,
}: {
  readonly tone: 'write' | 'dest' | 'live' | 'read';
  readonly children: React.ReactNode;
}) {
  const [look, Icon] = REMARKS[tone];
  return (
    <div role="status" className={`flex items-start gap-2 rounded-card px-3 py-2 text-13 ${look}`}>
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0" />
      <div className="min-w-0 flex-1 wrap-anywhere">{children}</div>
    </div>
  );
}

const REMARKS: Readonly<Record<'write' | 'dest' | 'live' | 'read', readonly [string, LucideIcon]>> = {
  write: ['bg-write-bg text-write', TriangleAlert],
  dest: ['bg-dest-bg text-dest', CircleX],
  live: ['bg-live-bg text-live', CircleCheck],
  read: ['bg-read-bg text-read', Clock],
};
