// Endpoints that a developer has asked for: the owner confirms or refuses them, others see that they wait.
import { useState } from 'react';
import type { CatalogView } from '../../../../../src/panel/developer/catalog.ts';
import type { KeyDetail } from '../../../../../src/panel/keys/key-views.ts';
import { call } from '../../../api.ts';
import { useLocale, useTexts } from '../../../language.ts';
import { Button } from '../../../parts/button.tsx';
import { ErrorSummary } from '../../../parts/input/error-summary.tsx';
import { notify } from '../../../parts/overlay/toast.tsx';
import { countsOf } from '../../endpoint-picker/selection.ts';
import { useMayChange, useRefreshKeys } from '../key-data.ts';
import { confirmationOf, Gate, isConfirmed, sensitiveOf, UNCONFIRMED } from '../new/gate.tsx';
import { keysTexts } from '../texts.ts';

interface EndpointRequestProps {
  readonly catalog: CatalogView;
  readonly shown: KeyDetail;
  readonly request: NonNullable<KeyDetail['row_request']>;
}

export function EndpointRequestCard({ catalog, shown, request }: EndpointRequestProps) {
  const t = useTexts(keysTexts);
  const locale = useLocale();
  const { owner } = useMayChange();
  const endpoints = catalog.rows.filter(({ id }) => request.endpoints.includes(id));
  return (
    <section aria-label={t.endpointRequest(endpoints.length)} className="card mb-4 border-write p-4">
      <h2 className="mt-0 mb-1 text-14 font-semibold">{t.endpointRequest(endpoints.length)}</h2>
      <p className="mt-0 mb-2 text-13 text-text-2">{t.endpointRequestText(request.asked_by_name)}</p>
      <ul className="mt-0 mb-3 max-h-60 overflow-y-auto pl-5 text-13">
        {endpoints.map((endpoint) => (
          <li key={endpoint.id}>
            {endpoint.name[locale]} <span className="code text-12 text-text-2">{endpoint.id}</span>
          </li>
        ))}
      </ul>
      {owner && <Decision catalog={catalog} shown={shown} request={request} />}
    </section>
  );
}

function Decision({ catalog, shown, request }: EndpointRequestProps) {
  const t = useTexts(keysTexts);
  const refresh = useRefreshKeys();
  const [confirmed, setConfirmed] = useState(UNCONFIRMED);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const added = countsOf(catalog.rows, new Set(request.endpoints));
  const params = { key_id: shown.id, request_id: request.id };
  const decide = async (confirms: boolean) => {
    setBusy(true);
    try {
      if (confirms) {
        const body = { ...confirmationOf(confirmed), endpoints: request.endpoints };
        await call('POST keys/{key_id}/row-requests/{request_id}/confirm', { params, body });
      } else await call('POST keys/{key_id}/row-requests/{request_id}/refuse', { params });
      notify({ title: confirms ? t.endpointsConfirmed : t.endpointsRefused });
      await refresh();
    } catch (error) {
      setFailure(error);
      await refresh();
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <ErrorSummary error={failure} />
      <div className="mb-3 flex flex-col gap-2 empty:hidden">
        <Gate
          added={added}
          sensitive={sensitiveOf(catalog.rows, request.endpoints)}
          onDrop={null}
          name={shown.name}
          confirmed={confirmed}
          onConfirm={setConfirmed}
        />
      </div>
      <div className="flex flex-wrap gap-2">
        <Button look="primary" busy={busy} disabled={!isConfirmed(added, shown.name, confirmed)} onClick={() => decide(true)}>
          {t.endpointsConfirm}
        </Button>
        <Button disabled={busy} onClick={() => decide(false)}>
          {t.endpointsRefuse}
        </Button>
      </div>
    </>
  );
}
