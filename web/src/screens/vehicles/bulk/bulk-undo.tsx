// Prices of a bulk edit can be put back for ten minutes, where no one has changed them since.
import { Undo2 } from 'lucide-react';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { call } from '../../../api.ts';
import { useTexts } from '../../../language.ts';
import { Button } from '../../../parts/button.tsx';
import { useWrite } from '../../../parts/form/form-write.ts';
import { notify } from '../../../parts/overlay/toast.tsx';
import { useVehiclesChanged } from '../data.ts';
import { vehicleWriteTexts } from '../write-texts.ts';

export interface ChangedPrice {
  readonly id: string;
  readonly price: string;
  readonly currency: string;
  readonly changed_price: string;
  readonly changed_currency: string;
}

const LASTS = 10 * 60_000;
let kept: { readonly until: number; readonly changes: readonly ChangedPrice[] } | null = null;
const listeners = new Set<() => void>();

function keep(next: typeof kept): void {
  kept = next;
  for (const listener of listeners) listener();
}

export const keepForUndo = (changes: readonly ChangedPrice[]): void =>
  keep(changes.length === 0 ? null : { until: Date.now() + LASTS, changes });

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export function BulkUndo() {
  const w = useTexts(vehicleWriteTexts);
  const changed = useVehiclesChanged();
  const undo = useSyncExternalStore(subscribe, () => kept);
  const [, tick] = useState(0);
  useEffect(() => {
    if (undo === null) return;
    const timer = setTimeout(() => tick((n) => n + 1), Math.max(0, undo.until - Date.now()) + 50);
    return () => clearTimeout(timer);
  }, [undo]);
  const write = useWrite({
    send: (changes: readonly ChangedPrice[], headers) =>
      call('POST vehicles/undo-prices', { rawBody: { changes: [...changes] }, headers }),
    onDone: ({ undone, kept: left }) => {
      keep(null);
      notify({ title: w.undone(undone), ...(left > 0 ? { text: w.undoneNot(left) } : {}) });
      return changed();
    },
  });
  if (undo === null || undo.until <= Date.now()) return null;
  return (
    <section aria-label={w.undoPrices} className="card mt-3 flex flex-wrap items-center gap-3 px-3 py-2">
      <span className="min-w-0 flex-1 text-13">{w.undoText(undo.changes.length)}</span>
      {write.error && <span className="text-13 text-danger">{write.error.message}</span>}
      <Button icon={Undo2} busy={write.isPending} onClick={() => write.run(undo.changes)}>
        {w.undoPrices}
      </Button>
    </section>
  );
}
