// One run: its progress, its result, and what to do about failed rows.
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { Pencil, RotateCcw, Upload } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { useTexts } from '../../language.ts';
import { Button, buttonLook } from '../../parts/button.tsx';
import { Facts } from '../../parts/page/facts.tsx';
import { PageHeader } from '../../parts/page/page-header.tsx';
import { BackLink, RecordError, RecordSkeleton } from '../../parts/page/record.tsx';
import { DateTime } from '../../parts/values.tsx';
import { useMay } from '../../permissions.ts';
import { useFormat } from '../../session.ts';
import { connectorQuery, isUnderWay, runQuery, useImportsChanged } from './data.ts';
import { Remark, RunBadge } from './import-parts.tsx';
import { RunDialog } from './run-dialog.tsx';
import { RunErrors } from './run-errors.tsx';
import { runTexts } from './run-texts.ts';
import type { Connector, ImportRun } from './wire.ts';

export function RunScreen() {
  const t = useTexts(runTexts);
  const { runId } = useParams({ from: '/shell/ice-aktarim/calismalar/$runId' });
  const run = useQuery(runQuery(runId));
  // The connector may be deleted; its runs stay readable.
  const connector = useQuery({ ...connectorQuery(run.data?.connector_id ?? ''), enabled: run.data !== undefined });
  const back = <Back connector={connector.data} />;
  useEndSeen(run.data);
  if (run.isPending || (connector.isPending && run.data !== undefined))
    return <RecordSkeleton cards={{ counts: 'h-24', facts: 'h-24' }} />;
  if (run.data === undefined) {
    const action = (
      <Link to="/ice-aktarim/calismalar" className={buttonLook()}>
        {t.toRuns}
      </Link>
    );
    const gone = { title: t.runGone, text: t.runGoneText, action };
    return <RecordError error={run.error} onRetry={run.refetch} back={back} title={t.title} gone={gone} />;
  }
  const shown = run.data;
  return (
    <>
      <PageHeader
        title={t.runTitle(connector.data?.name ?? null, shown.dry_run)}
        above={back}
        beside={<RunBadge status={shown.status} />}
        actions={connector.data && <Acts run={shown} connector={connector.data} />}
      />
      <div className="flex flex-col gap-4">
        <Outcome run={shown} />
        <Counts run={shown} />
        <RunErrors run={shown} keyField={connector.data?.key_field} />
        <Times run={shown} />
      </div>
    </>
  );
}

/** Invalidates lists and the connector when the run ends. */
function useEndSeen(run: ImportRun | undefined): void {
  const changed = useImportsChanged();
  const ended = run !== undefined && !isUnderWay(run.status);
  const [wasOpen, setOpen] = useState(false);
  useEffect(() => {
    if (run !== undefined && !ended) setOpen(true);
    if (!ended || !wasOpen) return;
    setOpen(false);
    void changed();
  });
}

function Back({ connector }: { readonly connector: Connector | undefined }) {
  const t = useTexts(runTexts);
  if (connector === undefined) return <BackLink to="/ice-aktarim/calismalar">{t.tabs.runs}</BackLink>;
  return (
    <BackLink to="/ice-aktarim/$connectorId" params={{ connectorId: connector.id }}>
      {connector.name}
    </BackLink>
  );
}

/** The next step: the real run after a successful trial, or correcting failed rows. */
function Acts({ run, connector }: { readonly run: ImportRun; readonly connector: Connector }) {
  const t = useTexts(runTexts);
  const mayRun = useMay('import:write');
  const mayEdit = useMay('import:write', 'sensitive');
  const [open, setOpen] = useState<'dry' | 'real' | null>(null);
  if (isUnderWay(run.status) || !mayRun || connector.status !== 'Aktif') return null;
  const hasErrors = run.error_count > 0 || run.status === 'Başarısız';
  // If nothing could be read, the mapping is not the problem.
  const isRead = run.total_rows > 0 || run.failure_code === 'missing_column';
  const isReady = run.dry_run && run.status !== 'Başarısız';
  return (
    <>
      {hasErrors && mayEdit && (
        <Link to="/ice-aktarim/$connectorId/duzenle" params={{ connectorId: connector.id }} className={buttonLook()}>
          <Pencil aria-hidden className="size-4" />
          {isRead ? t.fixMapping : t.fixSource}
        </Link>
      )}
      {hasErrors && (
        <Button look={isReady ? 'secondary' : 'primary'} icon={RotateCcw} onClick={() => setOpen('dry')}>
          {t.again}
        </Button>
      )}
      {isReady && (
        <Button look="primary" icon={Upload} onClick={() => setOpen('real')}>
          {t.runReal}
        </Button>
      )}
      {open !== null && <RunDialog connector={connector} dryFirst={open === 'dry'} onClose={() => setOpen(null)} />}
    </>
  );
}

/** The result in one sentence. */
function Outcome({ run }: { readonly run: ImportRun }) {
  const t = useTexts(runTexts);
  const { status, dry_run, total_rows, error_count, failure_code, failure_message } = run;
  if (status === 'Sırada') return <Remark tone="read">{t.queued}</Remark>;
  if (status === 'Çalışıyor') return <Progress run={run} />;
  if (status === 'Başarısız') return <Failed code={failure_code} message={failure_message} />;
  if (!dry_run) return null;
  return error_count === 0 ? (
    <Remark tone="live">
      {t.dryNote} {t.drySuccess(total_rows)}
    </Remark>
  ) : (
    <Remark tone="write">
      {t.dryNote} {t.dryPart(error_count)}
    </Remark>
  );
}

/** Failure codes whose message names a column or row. */
const TELLS_MORE: ReadonlySet<string> = new Set(['missing_column', 'source_unreadable', 'row_too_long']);

/** The reason and the next step; below it the server's message, such as a column's name. */
function Failed({ code, message }: { readonly code: string | null; readonly message: string | null }) {
  const t = useTexts(runTexts);
  const reason = code === null ? undefined : t.failures[code];
  return (
    <Remark tone="dest">
      <p className="m-0 font-medium">{reason ?? message ?? t.runStatuses.Başarısız}</p>
      {code !== null && TELLS_MORE.has(code) && message !== null && <p className="mt-1 mb-0">{message}</p>}
    </Remark>
  );
}

/** Shows the number of rows done. The total is not known before the end, so there is no percentage. */
function Progress({ run }: { readonly run: ImportRun }) {
  const t = useTexts(runTexts);
  return (
    <div className="rounded-card bg-read-bg px-3 py-2 text-13 text-read">
      {/* Read out once that it runs, not every second how far. */}
      <p role="status" className="m-0">
        {t.running}
      </p>
      <p className="tabular mt-1 mb-2 font-medium">{run.total_rows === 0 ? t.checking : t.progress(run.total_rows)}</p>
      <div aria-hidden className="h-1.5 overflow-hidden rounded-badge bg-card">
        <div className="h-full w-1/3 animate-pulse rounded-badge bg-accent" />
      </div>
    </div>
  );
}

function Counts({ run }: { readonly run: ImportRun }) {
  const t = useTexts(runTexts);
  const format = useFormat();
  const figures: readonly (readonly [string, number, string])[] = [
    [t.rows, run.total_rows, ''],
    [t.created, run.created_count, ''],
    [t.updated, run.updated_count, ''],
    [t.unchanged, run.unchanged_count, ''],
    [t.errors, run.error_count, run.error_count > 0 ? 'text-dest' : ''],
  ];
  return (
    <section aria-label={t.counts} className="card p-4">
      <dl className="m-0 grid grid-cols-2 gap-x-4 gap-y-3 sm:grid-cols-5">
        {figures.map(([name, value, tone]) => (
          <div key={name} className="flex flex-col-reverse">
            <dt className="text-13 text-text-2">{name}</dt>
            <dd className={`tabular m-0 text-24 font-semibold ${tone}`}>{format.number(value)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Times({ run }: { readonly run: ImportRun }) {
  const t = useTexts(runTexts);
  const format = useFormat();
  const { started_at, finished_at } = run;
  const took: ReactNode =
    started_at === null || finished_at === null
      ? null
      : format.milliseconds(Math.max(0, Date.parse(finished_at) - Date.parse(started_at)));
  return (
    <Facts
      title={t.times}
      facts={[
        { name: t.trigger, value: t.triggers[run.trigger] },
        { name: t.started, value: <DateTime at={started_at} /> },
        { name: t.finished, value: <DateTime at={finished_at} /> },
        { name: t.took, value: took },
      ]}
    />
  );
}
