// One request beside the list: all fields, and for a refusal the reason and how to fix it.
import { skipToken, useQuery } from '@tanstack/react-query';
import { slugOf } from '../../../../src/domain/catalog/catalog.ts';
import type { LogEntry } from '../../../../src/panel/logs/logs.ts';
import { ApiError, call } from '../../api.ts';
import { useTexts } from '../../language.ts';
import { EnvironmentBadge, HttpStatusBadge } from '../../parts/badges.tsx';
import { CodeBlock } from '../../parts/code-block.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Drawer } from '../../parts/overlay/dialog.tsx';
import { type Fact, Facts } from '../../parts/page/facts.tsx';
import { PanelLink } from '../../parts/page/panel-link.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../parts/page/states.tsx';
import { DateTime } from '../../parts/values.tsx';
import { useFormat, useRole } from '../../session.ts';
import { curlOf } from './curl.ts';
import { ExplanationCard } from './explanation.tsx';
import { logsTexts } from './texts.ts';

interface LogDrawerProps {
  /** The request id in the address; undefined while none is open. */
  readonly line: string | undefined;
  readonly onClose: () => void;
}

export function LogDrawer({ line, onClose }: LogDrawerProps) {
  const t = useTexts(logsTexts);
  const entry = useQuery({
    queryKey: ['log-line', line],
    queryFn: line === undefined ? skipToken : ({ signal }) => call('GET logs/lines/{line}', { params: { line }, signal }),
    retry: (count, error) => !(error instanceof ApiError && error.status === 404) && count < 2,
  });
  return (
    <Drawer open={line !== undefined} onClose={onClose} title={t.detail}>
      {entry.isPending ? (
        <div className="flex flex-col gap-3 py-2">
          <Skeleton className="h-24" />
          <Skeleton className="h-72" />
        </div>
      ) : entry.isError ? (
        entry.error instanceof ApiError && entry.error.status === 404 ? (
          <EmptyState title={t.gone} />
        ) : (
          <ErrorState error={entry.error} onRetry={entry.refetch} />
        )
      ) : (
        <Entry entry={entry.data} />
      )}
    </Drawer>
  );
}

function Entry({ entry: { line, why, refused, query_names } }: { readonly entry: LogEntry }) {
  const t = useTexts(logsTexts);
  const format = useFormat();
  const masked = useRole('viewer');
  const keeper = useRole('owner', 'developer');
  const facts: readonly Fact[] = [
    { name: t.facts.status, value: <HttpStatusBadge status={line.status} /> },
    { name: t.facts.error, value: line.error_code && <span className="code">{line.error_code}</span> },
    { name: t.facts.when, value: <DateTimeExact at={line.at} /> },
    { name: t.facts.method, value: <span className="code">{line.method}</span> },
    { name: t.facts.path, value: <span className="code">{line.path}</span> },
    {
      name: t.facts.endpoint,
      value:
        line.endpoint === null ? (
          <span className="text-text-2">{t.facts.noEndpoint}</span>
        ) : (
          <PanelLink to={`/katalog/${slugOf(line.endpoint)}`} className="code link">
            {line.endpoint}
          </PanelLink>
        ),
    },
    { name: t.facts.query, value: query_names.length > 0 && <span className="code">{query_names.join(', ')}</span> },
    { name: t.facts.duration, value: format.milliseconds(line.duration_ms) },
    { name: t.facts.size, value: format.bytes(line.response_bytes) },
    {
      name: t.facts.key,
      value: keeper ? (
        <PanelLink to={`/api-anahtarlari/${line.key_id}/genel`} className="link">
          {line.key_name}
        </PanelLink>
      ) : (
        line.key_name
      ),
    },
    { name: t.facts.environment, value: <EnvironmentBadge environment={line.environment} /> },
    {
      name: t.facts.ip,
      value: line.ip && (
        <>
          <span className="code">{line.ip}</span>
          {masked && <span className="block text-12 text-text-2">{t.facts.masked}</span>}
        </>
      ),
    },
    { name: t.via, value: line.via && `${t.agents}${line.client === null ? '' : `: ${line.client}`}` },
    { name: t.facts.agent, value: line.user_agent && <span className="code">{line.user_agent}</span> },
  ];
  return (
    <div className="flex flex-col gap-4 pb-4">
      <p className="m-0 flex items-center gap-1 text-13">
        <span className="sr-only">{t.facts.requestId}: </span>
        <span className="code wrap-anywhere">{line.request_id}</span>
        <CopyButton text={line.request_id} />
      </p>
      {refused.length > 0 && <RefusedFields refused={refused} />}
      {why !== null && <ExplanationCard line={line} why={why} />}
      <Facts title={t.facts.title} facts={facts} />
      <CurlBlock line={line} queryNames={query_names} />
    </div>
  );
}

/** Which parameter or field was refused, and the rule in words. */
function RefusedFields({ refused }: { readonly refused: LogEntry['refused'] }) {
  const t = useTexts(logsTexts);
  return (
    <section aria-label={t.refusedFields} className="rounded-card border border-line p-4">
      <h3 className="m-0 text-14 font-semibold">{t.refusedFields}</h3>
      <ul className="mt-1.5 mb-0 flex list-none flex-col gap-1.5 p-0 text-13">
        {refused.map(({ field, code, message }) => (
          <li key={`${field} ${code}`} className="wrap-anywhere">
            <span className="code">{field}</span> <span className="code text-text-2">{code}</span>
            <span className="block">{message}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function CurlBlock({ line, queryNames }: { readonly line: LogEntry['line']; readonly queryNames: readonly string[] }) {
  const t = useTexts(logsTexts);
  return (
    <section aria-label={t.curl}>
      <h3 className="mt-0 mb-1 text-14 font-semibold">{t.curl}</h3>
      <p className="mt-0 mb-2 text-13 text-text-2">{t.curlHint}</p>
      <CodeBlock text={curlOf(line, queryNames, location.origin)} label={t.curl} />
    </section>
  );
}

/** With milliseconds. */
function DateTimeExact({ at }: { readonly at: string }) {
  const format = useFormat();
  return (
    <span className="flex flex-wrap gap-x-2">
      <time dateTime={at} title={format.zone} className="tabular">
        {format.date(at)} {format.time(at)}
      </time>
      <span className="text-text-2">
        <DateTime at={at} show="relative" />
      </span>
    </span>
  );
}
