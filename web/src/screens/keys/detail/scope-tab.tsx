// Kapsam: the endpoints of the key. Changes are collected, reviewed as a difference, and then saved.
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import type { CatalogView } from '../../../../../src/panel/developer/catalog.ts';
import type { KeyDetail } from '../../../../../src/panel/keys/key-views.ts';
import type { KeySetup } from '../../../../../src/panel/keys/keys.ts';
import { useTexts } from '../../../language.ts';
import { Button } from '../../../parts/button.tsx';
import { ErrorState, SkeletonRows } from '../../../parts/page/states.tsx';
import { useSession } from '../../../session.ts';
import { useCatalog, useDecidingCatalog } from '../../endpoint-picker/catalog-data.ts';
import { DifferenceDialog } from '../../endpoint-picker/difference.tsx';
import { filterFrom, searchFrom } from '../../endpoint-picker/filter-address.ts';
import { Picker } from '../../endpoint-picker/picker.tsx';
import { differenceOf, type Selection, withEndpoints } from '../../endpoint-picker/selection.ts';
import { Templates } from '../../endpoint-picker/templates.tsx';
import { endpointUseQuery, keyQuery, useKeySetup, useMayChange } from '../key-data.ts';
import { BottomBar, Rail, RailButton, type RailProps, WITH_RAIL } from '../new/rail.tsx';
import { keysTexts } from '../texts.ts';
import { EndpointRequestCard } from './endpoint-request.tsx';
import { PolicyDialog } from './policy-dialog.tsx';

const route = getRouteApi('/shell/api-anahtarlari/$keyId/kapsam');

export function ScopeTab() {
  const { keyId } = route.useParams();
  const { data } = useSuspenseQuery(keyQuery(keyId));
  const { view, error, retry } = useCatalog();
  const setup = useKeySetup();
  if (view !== null && setup !== null)
    return <ScopeEditor key={data.endpoints.join('|')} shown={data} catalog={view} setup={setup} />;
  return error ? <ErrorState error={error} onRetry={retry} /> : <SkeletonRows rows={12} />;
}

interface EditorProps {
  readonly shown: KeyDetail;
  readonly catalog: CatalogView;
  readonly setup: KeySetup;
}

function ScopeEditor({ shown, catalog, setup }: EditorProps) {
  const search = route.useSearch();
  const navigate = useNavigate();
  const { account } = useSession();
  const { may } = useMayChange();
  const deciding = useDecidingCatalog(catalog);
  const held = useMemo(() => new Set(shown.endpoints), [shown.endpoints]);
  const [selection, setSelection] = useState<Selection>(held);
  const readOnly = !may || shown.state === 'revoked';
  const previewed = {
    environment: shown.environment,
    endpoints: selection,
    allowedIps: shown.allowed_ips,
    expiresAt: shown.expires_at === null ? null : new Date(shown.expires_at).getTime(),
    revoked: shown.state === 'revoked',
    authorizations: shown.authorizations,
    accountSuspended: account?.status === 'Askıda',
  };
  const rail = { catalog: deciding, previewed, sandboxShared: setup.sandbox_shared, address: setup.your_address };
  return (
    <div className={WITH_RAIL}>
      <div className="min-w-0">
        {shown.row_request && <EndpointRequestCard catalog={catalog} shown={shown} request={shown.row_request} />}
        {!readOnly && <LeastPrivilege catalog={catalog} shown={shown} selection={selection} onSelect={setSelection} />}
        {!readOnly && <Templates catalog={catalog} selection={selection} onSelect={setSelection} />}
        <Picker
          catalog={catalog}
          selection={selection}
          onSelect={setSelection}
          filter={filterFrom(search)}
          onFilter={(filter) => navigate({ to: '.', search: searchFrom(filter), replace: true, resetScroll: false })}
          readOnly={readOnly}
          marked={search.satir}
        />
        <ChangeBar
          catalog={catalog}
          shown={shown}
          selection={selection}
          onUndo={() => setSelection(held)}
          onDrop={(ids) => setSelection((present) => withEndpoints(present, ids, false))}
          readOnly={readOnly}
          rail={rail}
        />
      </div>
      <Rail {...rail} />
    </div>
  );
}

interface ChangeProps {
  readonly catalog: CatalogView;
  readonly shown: KeyDetail;
  readonly selection: Selection;
}

interface BarProps extends ChangeProps {
  readonly onUndo: () => void;
  readonly onDrop: (ids: readonly string[]) => void;
  readonly readOnly: boolean;
  readonly rail: RailProps;
}

function ChangeBar({ catalog, shown, selection, onUndo, onDrop, readOnly, rail }: BarProps) {
  const t = useTexts(keysTexts);
  const [open, setOpen] = useState(false);
  const difference = differenceOf(shown.endpoints, selection);
  const changed = difference.added.length + difference.removed.length > 0;
  return (
    <BottomBar stays>
      {!readOnly && (
        <>
          <Button look="primary" disabled={!changed || selection.size === 0} onClick={() => setOpen(true)}>
            {t.editPolicy}
          </Button>
          {changed && (
            <Button look="quiet" onClick={onUndo}>
              {t.undoChanges}
            </Button>
          )}
        </>
      )}
      <span role="status" className="text-13 text-text-2">
        {selection.size === 0
          ? t.pickFirst
          : changed
            ? t.changes(difference.added.length, difference.removed.length)
            : t.noChanges}
      </span>
      <span className="ml-auto">
        <RailButton {...rail} />
      </span>
      {open && (
        <PolicyDialog catalog={catalog} shown={shown} difference={difference} onDrop={onDrop} onClose={() => setOpen(false)} />
      )}
    </BottomBar>
  );
}

const WEEK_MS = 7 * 86_400_000;

/** U8: suggests removing endpoints that the key has not used for a month. */
function LeastPrivilege({
  catalog,
  shown,
  selection,
  onSelect,
}: ChangeProps & { readonly onSelect: (selection: Selection) => void }) {
  const t = useTexts(keysTexts);
  const [open, setOpen] = useState(false);
  const use = useQuery(endpointUseQuery(shown.id)).data;
  // A week of traffic first: a key that was made yesterday has not shown yet what it needs.
  const isYoung = Date.now() - new Date(shown.created_at).getTime() < WEEK_MS;
  if (use === undefined || shown.last_used_at === null || isYoung) return null;
  const used = use.map((line) => line.endpoint).filter((id) => shown.endpoints.includes(id));
  return (
    <div className="mb-4 flex flex-wrap items-center gap-2 text-13 text-text-2">
      <span className="tabular">{used.length === 0 ? t.noneUsed : t.usedEndpoints(used.length, shown.endpoint_count)}</span>
      {used.length > 0 && used.length < shown.endpoint_count && <Button onClick={() => setOpen(true)}>{t.suggest}</Button>}
      {open && (
        <DifferenceDialog
          catalog={catalog}
          title={t.leastTitle}
          text={t.leastText}
          selection={selection}
          target={used}
          onClose={() => setOpen(false)}
          onApply={(next) => {
            setOpen(false);
            onSelect(next);
          }}
        />
      )}
    </div>
  );
}
