// One connector: its source and mapping, its actions, its runs.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Pause, Pencil, Play, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../api.ts';
import { useTexts } from '../../language.ts';
import { Button, buttonLook } from '../../parts/button.tsx';
import { ConfirmDialog } from '../../parts/overlay/confirm-dialog.tsx';
import { Menu, MenuItem } from '../../parts/overlay/menu.tsx';
import { RowMenuButton } from '../../parts/overlay/row-menu-button.tsx';
import { notify } from '../../parts/overlay/toast.tsx';
import { Facts } from '../../parts/page/facts.tsx';
import { Loaded } from '../../parts/page/loaded.tsx';
import { PageHeader } from '../../parts/page/page-header.tsx';
import { BackLink, RecordSkeleton } from '../../parts/page/record.tsx';
import { EmptyState } from '../../parts/page/states.tsx';
import { useMay } from '../../permissions.ts';
import { ConnectorError } from './connector-error.tsx';
import { connectorQuery, formatName, isUnderWay, runsQuery, useImportsChanged } from './data.ts';
import { fieldName, fieldTexts } from './field-texts.ts';
import { ConnectorBadge, Remark } from './import-parts.tsx';
import { RunDialog } from './run-dialog.tsx';
import { RunsTable } from './runs.tsx';
import { importsTexts } from './texts.ts';
import type { Connector } from './wire.ts';

export function ConnectorScreen() {
  const t = useTexts(importsTexts);
  const { connectorId } = useParams({ from: '/shell/ice-aktarim/$connectorId' });
  const connector = useQuery(connectorQuery(connectorId));
  const back = <BackLink to="/ice-aktarim">{t.title}</BackLink>;
  if (connector.isPending) return <RecordSkeleton cards={{ facts: 'h-40', mapped: 'h-40' }} />;
  if (connector.data === undefined) return <ConnectorError error={connector.error} onRetry={connector.refetch} />;
  const shown = connector.data;
  const isBusy = isUnderWay(shown.last_run_status);
  return (
    <>
      <PageHeader
        title={shown.name}
        above={back}
        beside={<ConnectorBadge status={shown.status} />}
        actions={<Acts connector={shown} />}
      />
      {(shown.status === 'Pasif' || isBusy) && (
        <div className="mb-4">
          <Remark tone={isBusy ? 'read' : 'write'}>{isBusy ? t.busyNote : t.pausedNote}</Remark>
        </div>
      )}
      <Runs connectorId={connectorId} />
      <ConnectorFacts connector={shown} />
    </>
  );
}

function Acts({ connector }: { readonly connector: Connector }) {
  const t = useTexts(importsTexts);
  const mayRun = useMay('import:write');
  const mayEdit = useMay('import:write', 'sensitive');
  const mayDelete = useMay('import:write', 'destructive');
  const changed = useImportsChanged();
  const [layer, setLayer] = useState<'run' | 'delete' | null>(null);
  const isBusy = isUnderWay(connector.last_run_status);
  const isOn = connector.status === 'Aktif';
  const move = async () => {
    try {
      await call('PATCH v1/import/connectors/{connector_id}', {
        params: { connector_id: connector.id },
        body: { status: isOn ? 'Pasif' : 'Aktif' },
      });
      notify({ title: isOn ? t.paused : t.resumed });
    } catch (error) {
      notify({ title: t.failed, text: (error as Error).message, failed: true });
    }
    await changed();
  };
  return (
    <>
      {(mayEdit || mayDelete) && (
        <Menu trigger={<RowMenuButton label={t.acts} />}>
          {mayEdit && (
            <MenuItem icon={isOn ? Pause : Play} disabled={isBusy} onSelect={move}>
              {isOn ? t.pause : t.resume}
            </MenuItem>
          )}
          {mayDelete && (
            <MenuItem icon={Trash2} danger disabled={isBusy} onSelect={() => setLayer('delete')}>
              {t.delete}
            </MenuItem>
          )}
        </Menu>
      )}
      {mayEdit && (
        <Link to="/ice-aktarim/$connectorId/duzenle" params={{ connectorId: connector.id }} className={buttonLook()}>
          <Pencil aria-hidden className="size-4" />
          {t.edit}
        </Link>
      )}
      {mayRun && (
        <Button look="primary" icon={Play} disabled={!isOn || isBusy} onClick={() => setLayer('run')}>
          {t.run}
        </Button>
      )}
      {layer === 'run' && <RunDialog connector={connector} dryFirst onClose={() => setLayer(null)} />}
      <Remove connector={connector} open={layer === 'delete'} onClose={() => setLayer(null)} />
    </>
  );
}

function Remove({ connector, open, onClose }: { connector: Connector; open: boolean; onClose: () => void }) {
  const t = useTexts(importsTexts);
  const navigate = useNavigate();
  const client = useQueryClient();
  const changed = useImportsChanged();
  const remove = async () => {
    await call('DELETE v1/import/connectors/{connector_id}', { params: { connector_id: connector.id } });
    notify({ title: t.deleted });
    await navigate({ to: '/ice-aktarim' });
    // The connector is gone, but its runs stay readable.
    client.removeQueries({ queryKey: connectorQuery(connector.id).queryKey });
    void changed();
  };
  return (
    <ConfirmDialog open={open} onClose={onClose} title={t.deleteTitle} action={t.delete} run={remove}>
      <strong className="block wrap-anywhere text-text">{connector.name}</strong>
      {t.deleteText}
    </ConfirmDialog>
  );
}

function Runs({ connectorId }: { readonly connectorId: string }) {
  const t = useTexts(importsTexts);
  const { offset } = useSearch({ from: '/shell/ice-aktarim/$connectorId' });
  const navigate = useNavigate({ from: '/ice-aktarim/$connectorId' });
  const runs = useQuery(runsQuery({ connector_id: connectorId, limit: '10', ...(offset ? { offset } : {}) }));
  return (
    <section aria-label={t.recentRuns} className="mb-6">
      <h2 className="mt-0 mb-2 text-16 font-semibold">{t.recentRuns}</h2>
      <Loaded query={runs} rows={3}>
        {(page) => (
          <RunsTable
            page={page}
            onMove={(next) => navigate({ search: next === 0 ? {} : { offset: String(next) } })}
            empty={<EmptyState title={t.noRuns}>{t.noRunsText}</EmptyState>}
          />
        )}
      </Loaded>
    </section>
  );
}

function ConnectorFacts({ connector }: { readonly connector: Connector }) {
  const t = useTexts(importsTexts);
  const names = useTexts(fieldTexts);
  const { config, target, transport, type, key_field, schedule, has_credentials } = connector;
  return (
    <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
      <Facts
        title={t.facts}
        facts={[
          { name: t.target, value: t.targets[target] },
          { name: t.transport, value: transport === 'url' ? <span className="code">{config.url}</span> : t.transportFile },
          { name: t.type, value: formatName(type) },
          ...(config.delimiter ? [{ name: t.delimiter, value: t.delimiters[config.delimiter] ?? config.delimiter }] : []),
          ...(config.encoding ? [{ name: t.encoding, value: t.encodings[config.encoding] ?? config.encoding }] : []),
          ...(config.sheet ? [{ name: t.sheet, value: config.sheet }] : []),
          ...(config.number_format ? [{ name: t.numberFormat, value: t.numberFormats[config.number_format] }] : []),
          ...(config.record_path ? [{ name: t.recordPath, value: <span className="code">{config.record_path}</span> }] : []),
          { name: t.key, value: fieldName(names, key_field) },
          { name: t.schedule, value: t.schedules[schedule] },
          ...(transport === 'url' ? [{ name: t.login, value: has_credentials ? t.loginKept : t.loginNone }] : []),
        ]}
      />
      <Facts
        title={t.mapped}
        facts={Object.entries(config.mapping).map(([field, column]) => ({ name: fieldName(names, field)!, value: column }))}
      />
    </div>
  );
}
