// The confirmation for giving a key more endpoints: a checkbox for destructive endpoints, the key's name for sensitive ones. The server
// requires the same, and the password.
import type { CatalogLine } from '../../../../../src/panel/developer/catalog.ts';
import { useLocale, useTexts } from '../../../language.ts';
import { Button } from '../../../parts/button.tsx';
import { Checkbox } from '../../../parts/input/choices.tsx';
import { Field, TextInput } from '../../../parts/input/field.tsx';
import { useBeyond } from '../../endpoint-picker/beyond.ts';
import type { Counts } from '../../endpoint-picker/selection.ts';
import { Warning } from '../key-parts.tsx';
import { keysTexts } from '../texts.ts';

export interface Confirmed {
  readonly accepts: boolean;
  readonly typed: string;
}

export const UNCONFIRMED: Confirmed = { accepts: false, typed: '' };

/** `added`: the number of new endpoints by risk. */
export const isConfirmed = (added: Counts, name: string, { accepts, typed }: Confirmed): boolean =>
  (added.risks.destructive === 0 || accepts) && (added.risks.sensitive === 0 || typed.trim() === name.trim());

/** The sensitive endpoints among those with the ids. */
export const sensitiveOf = (endpoints: readonly CatalogLine[], ids: Iterable<string>): CatalogLine[] => {
  const idSet = new Set(ids);
  return endpoints.filter((endpoint) => endpoint.risk === 'sensitive' && idSet.has(endpoint.id));
};

export const confirmationOf = ({ accepts, typed }: Confirmed) => ({
  ...(accepts ? { accepts_destructive: true } : {}),
  ...(typed.trim() === '' ? {} : { typed_name: typed.trim() }),
});

interface GateProps {
  readonly added: Counts;
  /** The new sensitive endpoints, by name. */
  readonly sensitive: readonly CatalogLine[];
  /** Leaves them out; null where the endpoints are not picked here. */
  readonly onDrop: ((ids: readonly string[]) => void) | null;
  readonly name: string;
  readonly confirmed: Confirmed;
  readonly onConfirm: (confirmed: Confirmed) => void;
}

export function Gate({ added, sensitive: endpoints, onDrop, name, confirmed, onConfirm }: GateProps) {
  const t = useTexts(keysTexts);
  const locale = useLocale();
  const { destructive, sensitive } = added.risks;
  return (
    <>
      {destructive > 0 && (
        <Warning tone="dest">
          <p className="m-0 mb-1">{t.holdsDestructive(destructive)}</p>
          <Checkbox
            id="accepts_destructive"
            label={t.acceptDestructive}
            checked={confirmed.accepts}
            onChange={(accepts) => onConfirm({ ...confirmed, accepts })}
          />
        </Warning>
      )}
      {sensitive > 0 && (
        <Warning tone="sens">
          <p className="m-0 mb-1">{t.holdsSensitive(sensitive)}</p>
          <ul className="mt-0 mb-2 pl-5">
            {endpoints.map((endpoint) => (
              <li key={endpoint.id}>
                {endpoint.name[locale]} {endpoint.status !== 'Aktif' && <span className="text-text-2">({t.notLiveYet})</span>}
              </li>
            ))}
          </ul>
          {onDrop !== null && added.all > endpoints.length && (
            <Button className="mb-3" onClick={() => onDrop(endpoints.map((endpoint) => endpoint.id))}>
              {t.dropSensitive(sensitive)}
            </Button>
          )}
          <Field id="typed_name" label={t.typeName(name.trim())} hint={t.passwordNext}>
            <TextInput
              value={confirmed.typed}
              onChange={(typed) => onConfirm({ ...confirmed, typed })}
              autoComplete="off"
              spellCheck={false}
            />
          </Field>
        </Warning>
      )}
    </>
  );
}

/** The endpoints that an owner has to confirm, and those that the person gives. */
export function useSplit(endpoints: readonly CatalogLine[], ids: readonly string[]) {
  const beyond = useBeyond();
  const idSet = new Set(ids);
  const requested = endpoints.filter((endpoint) => idSet.has(endpoint.id) && beyond(endpoint)).map((endpoint) => endpoint.id);
  return { requested, granted: ids.filter((id) => !requested.includes(id)) };
}

export function AsksOwner({ count }: { readonly count: number }) {
  const t = useTexts(keysTexts);
  return count === 0 ? null : <Warning>{t.asksOwner(count)}</Warning>;
}
