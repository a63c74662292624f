// The confirmation for giving a key more rows: a checkbox for destructive rows, the key's name for sensitive ones. The server
// requires the same, and the password.
import { useTexts } from '../../language.ts';
import { Checkbox } from '../../parts/choices.tsx';
import { Field, TextInput } from '../../parts/field.tsx';
import type { Counts } from '../endpoint-picker/selection.ts';
import { useMayChange } from './key-data.ts';
import { Warning } from './key-parts.tsx';
import { keysTexts } from './texts.ts';

export interface Confirmed {
  readonly accepts: boolean;
  readonly typed: string;
}

export const UNCONFIRMED: Confirmed = { accepts: false, typed: '' };

/** `added`: the number of new rows by risk. */
export const isConfirmed = (added: Counts, name: string, owner: boolean, { accepts, typed }: Confirmed): boolean =>
  (added.risks.destructive === 0 || accepts) && (added.risks.sensitive === 0 || (owner && typed.trim() === name.trim()));

export const confirmationOf = ({ accepts, typed }: Confirmed) => ({
  ...(accepts ? { accepts_destructive: true } : {}),
  ...(typed.trim() === '' ? {} : { typed_name: typed.trim() }),
});

interface GateProps {
  readonly added: Counts;
  readonly name: string;
  readonly confirmed: Confirmed;
  readonly onConfirm: (confirmed: Confirmed) => void;
}

export function Gate({ added, name, confirmed, onConfirm }: GateProps) {
  const t = useTexts(keysTexts);
  const { owner } = useMayChange();
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
          <p className="m-0 mb-2">{t.holdsSensitive(sensitive)}</p>
          {owner ? (
            <Field id="typed_name" label={t.typeName(name.trim())} hint={t.passwordNext}>
              <TextInput
                value={confirmed.typed}
                onChange={(typed) => onConfirm({ ...confirmed, typed })}
                autoComplete="off"
                spellCheck={false}
              />
            </Field>
          ) : (
            <p className="m-0 font-medium">{t.ownerOnly}</p>
          )}
        </Warning>
      )}
    </>
  );
}
