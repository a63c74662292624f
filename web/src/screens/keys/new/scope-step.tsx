// The first step: what the key may do.
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { CatalogView } from '../../../../../src/panel/developer/catalog.ts';
import { filterFrom, searchFrom } from '../../endpoint-picker/filter-address.ts';
import { Picker } from '../../endpoint-picker/picker.tsx';
import type { Selection } from '../../endpoint-picker/selection.ts';
import { Templates } from '../../endpoint-picker/templates.tsx';
import type { KeyDraft } from './draft.ts';

const route = getRouteApi('/shell/api-anahtarlari/yeni');

interface ScopeStepProps {
  readonly catalog: CatalogView;
  readonly draft: KeyDraft;
  readonly change: (changes: Partial<KeyDraft>) => void;
}

export function ScopeStep({ catalog, draft, change }: ScopeStepProps) {
  const search = route.useSearch();
  const navigate = useNavigate();
  const selection = useMemo(() => new Set(draft.endpoints), [draft.endpoints]);
  const select = (next: Selection) => change({ endpoints: [...next] });
  return (
    <>
      <Templates catalog={catalog} selection={selection} onSelect={select} />
      <Picker
        catalog={catalog}
        selection={selection}
        onSelect={select}
        filter={filterFrom(search)}
        onFilter={(filter) =>
          navigate({ to: '.', search: { adim: search.adim, ...searchFrom(filter) }, replace: true, resetScroll: false })
        }
      />
    </>
  );
}
