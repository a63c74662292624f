// Confirms a change of policy: the difference, removed endpoints that were in use, and the required confirmations.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { CatalogView } from '../../../../../src/panel/developer/catalog.ts';
import type { KeyDetail } from '../../../../../src/panel/keys/key-views.ts';
import { call } from '../../../api.ts';
import { useTexts } from '../../../language.ts';
import { Button } from '../../../parts/button.tsx';
import { ErrorSummary } from '../../../parts/input/error-summary.tsx';
import { Dialog } from '../../../parts/overlay/dialog.tsx';
import { notify } from '../../../parts/overlay/toast.tsx';
import { DifferenceView } from '../../endpoint-picker/difference.tsx';
import { countsOf, type Difference } from '../../endpoint-picker/selection.ts';
import { pickerTexts } from '../../endpoint-picker/texts.ts';
import { endpointUseQuery, useRefreshKeys } from '../key-data.ts';
import { Warning } from '../key-parts.tsx';
import { AsksOwner, confirmationOf, Gate, isConfirmed, sensitiveOf, UNCONFIRMED, useSplit } from '../new/gate.tsx';
import { keysTexts } from '../texts.ts';

interface PolicyProps {
  readonly catalog: CatalogView;
  readonly shown: KeyDetail;
  readonly difference: Difference;
  /** Takes endpoints out of what was picked. */
  readonly onDrop: (ids: readonly string[]) => void;
  readonly onClose: () => void;
}

export function PolicyDialog({ catalog, shown, difference, onDrop, onClose }: PolicyProps) {
  const t = useTexts(keysTexts);
  const words = useTexts(pickerTexts);
  const refresh = useRefreshKeys();
  const [confirmed, setConfirmed] = useState(UNCONFIRMED);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const { requested, granted } = useSplit(catalog.rows, difference.added);
  const added = countsOf(catalog.rows, new Set(granted));
  const apply = async () => {
    setBusy(true);
    try {
      const endpoints = [...difference.same, ...difference.added];
      await call('PATCH keys/{key_id}/policy', {
        params: { key_id: shown.id },
        body: { endpoints, ...confirmationOf(confirmed), ask_owner: requested.length > 0 },
      });
      notify({ title: requested.length > 0 ? t.endpointsAsked(requested.length) : t.policyChanged });
      onClose();
      await refresh();
    } catch (error) {
      setFailure(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={t.policyTitle}
      description={shown.name}
      footer={
        <>
          <Button onClick={onClose}>{words.cancel}</Button>
          <Button look="primary" busy={busy} disabled={!isConfirmed(added, shown.name, confirmed)} onClick={apply}>
            {t.applyPolicy}
          </Button>
        </>
      }
    >
      <ErrorSummary error={failure} />
      <div className="mb-3 flex flex-col gap-2 empty:hidden">
        <CutOff shown={shown} removed={difference.removed} />
        <AsksOwner count={requested.length} />
        <Gate
          added={added}
          sensitive={sensitiveOf(catalog.rows, granted)}
          onDrop={onDrop}
          name={shown.name}
          confirmed={confirmed}
          onConfirm={setConfirmed}
        />
      </div>
      <DifferenceView catalog={catalog} difference={difference} />
    </Dialog>
  );
}

function CutOff({ shown, removed }: { readonly shown: KeyDetail; readonly removed: readonly string[] }) {
  const t = useTexts(keysTexts);
  const use = useQuery(endpointUseQuery(shown.id)).data ?? [];
  const cut = use.filter((line) => line.calls_7d > 0 && removed.includes(line.endpoint));
  if (cut.length === 0) return null;
  return (
    <Warning tone="dest">
      {t.cutsUsed(cut.length)}
      <ul className="m-0 pl-5">
        {cut.map((line) => (
          <li key={line.endpoint} className="code">
            {line.endpoint}
          </li>
        ))}
      </ul>
    </Warning>
  );
}
