// The state of a form: its values by field, what has changed, and a draft that survives a reload or a new sign-in.
import { useEffect, useRef, useState } from 'react';
import { beforeSignIn } from '../../api.ts';
import { useSession } from '../../session.ts';

/** Text as it was typed, a checkbox, or a list or object that a part of the form edits. */
export type FormValue = string | boolean | object | null;
export type FormValues = Readonly<Record<string, FormValue>>;
/** The fields of a form that hold text. */
export type TextName<V extends FormValues> = { [K in keyof V]: V[K] extends string ? K : never }[keyof V] & string;
/** The fields of a form that are checkboxes. */
export type CheckName<V extends FormValues> = { [K in keyof V]: V[K] extends boolean ? K : never }[keyof V] & string;

/** Lists and objects are replaced, never changed in place; the same content is no change. */
export const isSame = (one: unknown, other: unknown): boolean => one === other || JSON.stringify(one) === JSON.stringify(other);

/** What a field needs of its form. A form of more fields fits too. */
export interface FieldState<V extends FormValues> {
  readonly initial: V;
  readonly values: V;
  set<K extends keyof V & string>(name: K, value: V[K]): void;
}

export interface Form<V extends FormValues> extends FieldState<V> {
  /** The names of changed fields. */
  readonly changed: readonly (keyof V & string)[];
  readonly isDirty: boolean;
  /** A draft was restored. */
  readonly isRestored: boolean;
  /** Some of its fields are never in a draft. */
  readonly hasSecrets: boolean;
  /** Discards the changes and the draft. */
  clear(): void;
  /** Bases the form on a newer version of the record: typed values stay, all others are updated. */
  rebase(now: V): void;
  /** The changes are saved or given up: the draft is deleted, and the page may be left. */
  release(): void;
  /** Whether leaving now would lose changes. */
  holds(): boolean;
}

interface FormOptions {
  /** The name of a draft that is kept in this tab. */
  readonly draft?: string;
  /** Write-only fields, which are never in the draft. */
  readonly secret?: readonly string[];
}

export function useForm<V extends FormValues>(initial: V, { draft, secret = [] }: FormOptions = {}): Form<V> {
  const { person, account } = useSession();
  // The initial values distinguish the forms of two records on one page.
  const [ownName] = useState(() => `${location.pathname}:${JSON.stringify(initial)}`);
  const name = draft ?? ownName;
  const place = `galeri.form.${person.id}.${account?.id}.${name}`;
  const [began, setBegan] = useState(initial);
  const [found] = useState(() => restoreDraft(place, initial));
  const [values, setValues] = useState<V>({ ...began, ...found });
  const [isRestored, setRestored] = useState(Object.keys(found).length > 0);
  const changed = Object.keys(values).filter((name) => !isSame(values[name], began[name])) as (keyof V & string)[];
  const kept = JSON.stringify(
    Object.fromEntries(changed.filter((name) => !secret.includes(name)).map((name) => [name, values[name]])),
  );
  useEffect(() => {
    const keep = () => (kept === '{}' ? sessionStorage.removeItem(place) : sessionStorage.setItem(place, kept));
    if (draft !== undefined) return keep();
    // Without a draft, only an ended session keeps what was typed, until the form is opened again.
    sessionStorage.removeItem(place);
    return beforeSignIn(keep);
  }, [place, kept, draft]);
  // A ref, because it must be known before the next render: saving navigates away at once.
  const isReleased = useRef(false);
  return {
    initial: began,
    values,
    set: (name, value) => setValues((present) => ({ ...present, [name]: value })),
    changed,
    isDirty: changed.length > 0,
    isRestored,
    hasSecrets: secret.length > 0,
    clear: () => {
      setValues(began);
      setRestored(false);
    },
    rebase: (now) => {
      setBegan(now);
      setValues((present) => ({ ...now, ...Object.fromEntries(changed.map((name) => [name, present[name]])) }));
    },
    release: () => {
      isReleased.current = true;
      sessionStorage.removeItem(place);
    },
    holds: () => changed.length > 0 && !isReleased.current,
  };
}

/** Clears a field's error once its value has changed since it was sent. */
export function useFixedFields<V extends FormValues>(
  { values }: Pick<Form<V>, 'values'>,
  error: unknown,
): (field: string) => boolean {
  const [sent, setSent] = useState({ error, values });
  if (sent.error !== error) setSent({ error, values });
  return (field) => sent.error === error && !isSame(sent.values[field], values[field]);
}

/** The draft's values of fields that this form has. */
function restoreDraft<V extends FormValues>(place: string, initial: V): Partial<V> {
  try {
    const found = JSON.parse(sessionStorage.getItem(place) ?? '{}') as Record<string, unknown>;
    return Object.fromEntries(
      Object.entries(found).filter(([name, value]) => name in initial && kindOf(value) === kindOf(initial[name])),
    ) as Partial<V>;
  } catch {
    return {};
  }
}

/** A draft of an older version may hold another kind of value. Null is an object that is not there. */
const kindOf = (value: unknown): string => (Array.isArray(value) ? 'list' : typeof value);
