// What a change of the selection adds, removes and keeps, by category: shown before a template replaces a selection, and before a
// key's policy is changed.
import { Equal, Minus, Plus } from 'lucide-react';
import type { CatalogLine, CatalogView } from '../../../../src/panel/developer/catalog.ts';
import { useLocale, useTexts } from '../../language.ts';
import { MethodChip, RiskBadge, StatusBadge } from '../../parts/badges.tsx';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/overlay/dialog.tsx';
import { type Difference, differenceOf, type Selection } from './selection.ts';
import { pickerTexts } from './texts.ts';

interface DialogProps {
  readonly catalog: CatalogView;
  readonly title: string;
  readonly text: string;
  readonly selection: Selection;
  readonly target: readonly string[];
  readonly onClose: () => void;
  readonly onApply: (selection: Selection, message: string) => void;
}

export function DifferenceDialog({ catalog, title, text, selection, target, onClose, onApply }: DialogProps) {
  const t = useTexts(pickerTexts);
  const difference = differenceOf(selection, target);
  const merged = new Set([...selection, ...target]);
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={title}
      description={text}
      footer={
        <>
          <Button onClick={onClose}>{t.cancel}</Button>
          <Button onClick={() => onApply(merged, t.merged(merged.size))} disabled={difference.added.length === 0}>
            {t.merge}
          </Button>
          <Button look="primary" onClick={() => onApply(new Set(target), t.replaced(target.length))}>
            {t.replace}
          </Button>
        </>
      }
    >
      <DifferenceView catalog={catalog} difference={difference} />
    </Dialog>
  );
}

export function DifferenceView({ catalog, difference }: { readonly catalog: CatalogView; readonly difference: Difference }) {
  const t = useTexts(pickerTexts);
  const { added, removed, same } = difference;
  return (
    <>
      <p className="m-0 mb-3 flex flex-wrap gap-x-4 gap-y-1 text-14 font-medium">
        <span className="inline-flex items-center gap-1 text-live">
          <Plus aria-hidden className="size-4" />
          {t.toAdd(added.length)}
        </span>
        <span className="inline-flex items-center gap-1 text-dest">
          <Minus aria-hidden className="size-4" />
          {t.toRemove(removed.length)}
        </span>
        <span className="inline-flex items-center gap-1 text-text-2">
          <Equal aria-hidden className="size-4" />
          {t.toKeep(same.length)}
        </span>
      </p>
      <Part catalog={catalog} title={t.added} ids={added} open />
      <Part catalog={catalog} title={t.removed} ids={removed} open />
      <Part catalog={catalog} title={t.kept} ids={same} />
    </>
  );
}

interface PartProps {
  readonly catalog: CatalogView;
  readonly title: string;
  readonly ids: readonly string[];
  readonly open?: boolean;
}

function Part({ catalog, title, ids, open = false }: PartProps) {
  const locale = useLocale();
  if (ids.length === 0) return null;
  const chosen = new Set(ids);
  const byCategory = Map.groupBy(
    catalog.rows.filter((endpoint) => chosen.has(endpoint.id)),
    (endpoint) => endpoint.category,
  );
  return (
    <details open={open} className="mb-2">
      <summary className="rounded-control py-1 text-13 font-semibold">
        {title} <span className="tabular font-normal text-text-2">{ids.length}</span>
      </summary>
      {catalog.categories
        .filter(({ id }) => byCategory.has(id))
        .map(({ id, name }) => (
          <div key={id} className="mb-2">
            <p className="m-0 py-1 text-12 text-text-2">{name[locale]}</p>
            <ul className="m-0 list-none p-0">
              {byCategory.get(id)!.map((endpoint) => (
                <DifferenceEndpoint key={endpoint.id} endpoint={endpoint} />
              ))}
            </ul>
          </div>
        ))}
    </details>
  );
}

function DifferenceEndpoint({ endpoint }: { readonly endpoint: CatalogLine }) {
  return (
    <li className="flex flex-wrap items-center gap-2 border-t border-line py-1">
      <MethodChip method={endpoint.method} />
      <span className="code min-w-0 flex-1 basis-40 text-13 wrap-anywhere">{endpoint.path}</span>
      <span className="flex gap-1">
        <RiskBadge risk={endpoint.risk} />
        <StatusBadge status={endpoint.status} />
      </span>
    </li>
  );
}
