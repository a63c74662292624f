// What is typed into a form: text by field, what differs from how it began, and a draft that outlives a reload or a new sign-in.
import { useEffect, useRef, useState } from 'react';
import { useSession } from '../../session.ts';

export type FormValues = Readonly<Record<string, string>>;

export interface Form<V extends FormValues> {
  readonly initial: V;
  readonly values: V;
  set(name: keyof V & string, value: string): void;
  /** Names whose value is another than at the beginning. */
  readonly changed: readonly (keyof V & string)[];
  readonly isDirty: boolean;
  /** What had been begun here before was brought back. */
  readonly isRestored: boolean;
  /** Forgets what was typed, and the draft. */
  clear(): void;
  /** The record has become another meanwhile: what was typed stays, everything else is as it is there now. */
  rebase(now: V): void;
  /** What was typed is saved, or is given up: no draft is kept, and the page may be left. */
  release(): void;
  /** Leaving now would lose something. */
  holds(): boolean;
}

interface FormOptions {
  /** Keeps a draft in this tab under this name. */
  readonly draft?: string;
  /** Never in the draft: what is written and never shown. */
  readonly secret?: readonly string[];
}

export function useForm<V extends FormValues>(initial: V, { draft, secret = [] }: FormOptions = {}): Form<V> {
  const { person, account } = useSession();
  const place = draft === undefined ? null : `galeri.form.${person.id}.${account?.id}.${draft}`;
  const [began, setBegan] = useState(initial);
  const [found] = useState(() => begunBefore(place, initial));
  const [values, setValues] = useState<V>({ ...began, ...found });
  const [isRestored, setRestored] = useState(Object.keys(found).length > 0);
  const changed = Object.keys(values).filter((name) => values[name] !== began[name]) as (keyof V & string)[];
  const kept = JSON.stringify(
    Object.fromEntries(changed.filter((name) => !secret.includes(name)).map((name) => [name, values[name]])),
  );
  useEffect(() => {
    if (place === null) return;
    if (kept === '{}') sessionStorage.removeItem(place);
    else sessionStorage.setItem(place, kept);
  }, [place, kept]);
  // Known at once, not with the next drawing: a save and the way to the record are one step.
  const isReleased = useRef(false);
  return {
    initial: began,
    values,
    set: (name, value) => setValues((present) => ({ ...present, [name]: value })),
    changed,
    isDirty: changed.length > 0,
    isRestored,
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
      if (place !== null) sessionStorage.removeItem(place);
    },
    holds: () => changed.length > 0 && !isReleased.current,
  };
}

/** Of what was kept, the fields this form has. */
function begunBefore<V extends FormValues>(place: string | null, initial: V): Partial<V> {
  if (place === null) return {};
  try {
    const found = JSON.parse(sessionStorage.getItem(place) ?? '{}') as Record<string, unknown>;
    return Object.fromEntries(
      Object.entries(found).filter(([name, value]) => name in initial && typeof value === 'string'),
    ) as Partial<V>;
  } catch {
    return {};
  }
}
