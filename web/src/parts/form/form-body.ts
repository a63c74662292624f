// The body that a form sends. A field whose value is undefined is not sent.
import type { FormValues, TextName } from './form-state.ts';

/** Without empty texts: of a new record, the server reports an empty field as missing instead of as too short. */
export const withoutEmpty = <B extends object>(body: B): Partial<B> =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== '')) as Partial<B>;

/** Some fields of an object. */
export const picked = <T extends object, Name extends keyof T>(values: T, names: readonly Name[]): Partial<Pick<T, Name>> =>
  Object.fromEntries(names.map((name) => [name, values[name]])) as Partial<Pick<T, Name>>;

/** Whether a body has nothing to send. */
export const isEmptyBody = (body: object): boolean => Object.values(body).every((value) => value === undefined);

/** A text without the spaces around it; undefined where it is empty. */
export function filled(typed: string): string | undefined;
export function filled<T>(typed: string, send: (text: string) => T): T | undefined;
export function filled(typed: string, send: (text: string) => unknown = (text) => text): unknown {
  return typed.trim() === '' ? undefined : send(typed.trim());
}

/** Write-only fields. They begin empty; empty means unchanged, and a checkbox clears the stored value. */
export type KeptValues<Name extends string> = Readonly<Record<Name, string> & Record<ClearName<Name>, boolean>>;
type ClearName<Name extends string> = `${Name}?clear`;

/** The name of the form value which says that the stored value is to be cleared. */
export const clearName = <Name extends string>(name: Name): ClearName<Name> => `${name}?clear`;

export const emptyKept = <Name extends string>(names: readonly Name[]): KeptValues<Name> =>
  Object.fromEntries(
    names.flatMap((name) => [
      [name, ''],
      [clearName(name), false],
    ]),
  ) as KeptValues<Name>;

type Send<T> = (text: string) => T;
const asText = (text: string): string => text;

/** The fields of an edit: each is undefined unless it was changed. */
export function changesOf<V extends FormValues>(values: V, changed: readonly string[]) {
  const textOf = (name: TextName<V>): string | undefined =>
    changed.includes(name) ? (values[name] as string).trim() : undefined;
  /** A field that cannot be empty; the server refuses it where it is. */
  function required(name: TextName<V>): string | undefined;
  function required<T>(name: TextName<V>, send: Send<T>): T | string | undefined;
  function required(name: TextName<V>, send: Send<unknown> = asText): unknown {
    const text = textOf(name);
    return text === undefined || text === '' ? text : send(text);
  }
  /** A field that null clears. */
  function optional(name: TextName<V>): string | null | undefined;
  function optional<T>(name: TextName<V>, send: Send<T>): T | null | undefined;
  function optional(name: TextName<V>, send: Send<unknown> = asText): unknown {
    const text = textOf(name);
    return text === undefined ? undefined : text === '' ? null : send(text);
  }
  /** A write-only field. */
  function kept(name: TextName<V>): string | null | undefined;
  function kept<T>(name: TextName<V>, send: Send<T>): T | null | undefined;
  function kept(name: TextName<V>, send: Send<unknown> = asText): unknown {
    const isCleared = changed.includes(clearName(name)) && values[clearName(name)] === true && values[name] === '';
    return isCleared ? null : optional(name, send);
  }
  return { required, optional, kept, has: (...names: (keyof V & string)[]) => names.some((name) => changed.includes(name)) };
}
