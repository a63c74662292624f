// Language, theme and density. They are stored in the browser, so that the next page does not flash, and on the server with the
// person.
import { useSyncExternalStore } from 'react';

export type Locale = 'tr' | 'en';
export type Theme = 'system' | 'light' | 'dark';
export type Density = 'normal' | 'compact' | 'comfortable';

export interface Preferences {
  readonly locale: Locale;
  readonly theme: Theme;
  readonly density: Density;
}

const ALLOWED: { readonly [Name in keyof Preferences]: readonly Preferences[Name][] } = {
  locale: ['tr', 'en'],
  theme: ['system', 'light', 'dark'],
  density: ['normal', 'compact', 'comfortable'],
};

function kept<Name extends keyof Preferences>(name: Name): Preferences[Name] | undefined {
  let value: string | null = null;
  try {
    value = localStorage.getItem(`galeri.${name}`);
  } catch {
    // Without storage the defaults are used.
  }
  return ALLOWED[name].find((allowed) => allowed === value);
}

/** Until a language is chosen: the browser's first language that we support. */
const browserLocale = (): Locale =>
  navigator.languages.map((tag) => tag.slice(0, 2)).find((tag) => tag === 'tr' || tag === 'en') ?? 'tr';

let current: Preferences = {
  locale: kept('locale') ?? browserLocale(),
  theme: kept('theme') ?? 'system',
  density: kept('density') ?? 'normal',
};
const listeners = new Set<() => void>();

/** Applies them at once; the caller saves them on the server. */
export function setPreferences(changed: Partial<Preferences>): void {
  current = { ...current, ...changed };
  try {
    for (const [name, value] of Object.entries(current)) localStorage.setItem(`galeri.${name}`, value);
  } catch {
    // Without storage they apply to this page only.
  }
  show();
}

function show(): void {
  dispatchEvent(new Event('galeri:preferences'));
  document.documentElement.lang = current.locale;
  for (const listener of listeners) listener();
}

/** Applies preferences that are chosen in another window of this browser; forms here keep their input. */
export function followOtherWindows(): void {
  addEventListener('storage', ({ key }) => {
    const name = Object.keys(ALLOWED).find((one) => `galeri.${one}` === key) as keyof Preferences | undefined;
    if (name === undefined) return;
    current = { ...current, [name]: kept(name) ?? current[name] };
    show();
  });
}

export function preferences(): Preferences {
  return current;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function usePreference<Name extends keyof Preferences>(name: Name): Preferences[Name] {
  return useSyncExternalStore(subscribe, () => current[name]);
}
