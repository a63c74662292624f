// The five templates. Before a template replaces a selection made by hand, it shows what would change.
import { useState } from 'react';
import { TEMPLATES, type Template, templateEndpoints } from '../../../../src/domain/keys/key-policy.ts';
import type { CatalogView } from '../../../../src/panel/developer/catalog.ts';
import { useTexts } from '../../language.ts';
import { notify } from '../../parts/overlay/toast.tsx';
import { DifferenceDialog } from './difference.tsx';
import { differenceOf, type Selection } from './selection.ts';
import { pickerTexts } from './texts.ts';

interface TemplatesProps {
  readonly catalog: CatalogView;
  readonly selection: Selection;
  readonly onSelect: (selection: Selection) => void;
}

export const templateIds = (template: Template, catalog: CatalogView): string[] =>
  templateEndpoints(template, catalog.rows).map((endpoint) => endpoint.id);

const isTemplate = (selection: Selection, catalog: CatalogView): boolean =>
  TEMPLATES.some((template) => {
    const ids = templateIds(template, catalog);
    return ids.length === selection.size && ids.every((id) => selection.has(id));
  });

export function Templates({ catalog, selection, onSelect }: TemplatesProps) {
  const t = useTexts(pickerTexts);
  const [pending, setPending] = useState<Template | null>(null);
  const apply = (next: Selection, title: string) => {
    onSelect(next);
    notify({ title, undo: { label: t.undo, run: () => onSelect(selection) } });
  };
  const choose = (template: Template) => {
    const target = templateIds(template, catalog);
    const { added, removed } = differenceOf(selection, target);
    if (added.length + removed.length === 0) return;
    // Only what was picked by hand can be lost; one template in place of another is a change of mind.
    if (selection.size > 0 && !isTemplate(selection, catalog)) setPending(template);
    else apply(new Set(target), t.templateApplied(t.templateNames[template], target.length));
  };
  return (
    <section aria-labelledby="templates" className="mb-5">
      <h2 id="templates" className="m-0 text-14 font-semibold">
        {t.templates}
      </h2>
      <p className="mt-0.5 mb-2 text-13 text-text-2">{t.templatesHint}</p>
      <div className="grid grid-cols-2 gap-2 sm:grid-cols-3">
        {TEMPLATES.map((template) => (
          <TemplateCard key={template} template={template} catalog={catalog} selection={selection} onChoose={choose} />
        ))}
      </div>
      {pending !== null && (
        <DifferenceDialog
          catalog={catalog}
          title={t.diffTitle(t.templateNames[pending])}
          text={t.diffText}
          selection={selection}
          target={templateIds(pending, catalog)}
          onClose={() => setPending(null)}
          onApply={(next, title) => {
            setPending(null);
            apply(next, title);
          }}
        />
      )}
    </section>
  );
}

interface CardProps extends Omit<TemplatesProps, 'onSelect'> {
  readonly template: Template;
  readonly onChoose: (template: Template) => void;
}

function TemplateCard({ template, catalog, selection, onChoose }: CardProps) {
  const t = useTexts(pickerTexts);
  const endpoints = templateEndpoints(template, catalog.rows);
  const live = endpoints.filter((endpoint) => endpoint.status === 'Aktif').length;
  const chosen = endpoints.length === selection.size && endpoints.every((endpoint) => selection.has(endpoint.id));
  return (
    <button
      type="button"
      aria-pressed={chosen}
      onClick={() => onChoose(template)}
      className="card flex flex-col items-start gap-0.5 px-3 py-2 text-start hover:border-line-strong aria-pressed:border-accent aria-pressed:bg-accent-soft"
    >
      <span className="text-13 font-medium">{t.templateNames[template]}</span>
      <span className={live === 0 ? 'tabular text-12 text-write' : 'tabular text-12 text-text-2'}>
        {t.templateFacts(endpoints.length, live)}
      </span>
    </button>
  );
}
