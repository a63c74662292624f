// When two people edit a record at once, the second sees what has changed and loses nothing.
import { queryOptions } from '@tanstack/react-query';
import { useRef } from 'react';
import { ApiError, type Tagged } from '../../api.ts';
import { type Form, type FormValue, type FormValues, isSame } from './form-state.ts';
import { useWrite, type Write } from './form-write.ts';

/** Reads a record with its ETag, by `callTagged`. */
export type ReadRecord<T> = (signal?: AbortSignal) => Promise<Tagged<T>>;

/** Reads the record when a form opens, and never again while it is open. */
export const editingQuery = <T>(key: readonly [kind: string, id: string], read: ReadRecord<T>) =>
  queryOptions({
    queryKey: ['editing', ...key],
    queryFn: ({ signal }) => read(signal),
    gcTime: 0,
    staleTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });

export interface OtherChange {
  readonly name: string;
  /** The current value, as the form would hold it. */
  readonly now: FormValue;
  /** Another value was typed in this form. */
  readonly isTyped: boolean;
}

/** Someone else has saved since the form was opened; the form is now based on their version. */
export class EditConflict extends ApiError {
  readonly changes: readonly OtherChange[];
  constructor({ status, code, message, requestId }: ApiError, changes: readonly OtherChange[]) {
    super(status, code, message, [], requestId);
    this.changes = changes;
  }
}

export interface EditOptions<T, V extends FormValues, Body> {
  /** The record with which the form began. */
  readonly began: Tagged<T>;
  readonly read: ReadRecord<T>;
  /** `call` of the endpoint that edits it. */
  readonly send: (body: Body, headers: Readonly<Record<string, string>>) => Promise<T>;
  readonly form: Form<V>;
  readonly toForm: (record: T) => V;
  readonly onDone: (now: T) => unknown;
}

/** After so many conflicts in which no field of the form had changed, the refusal is shown. */
const MAX_TRIES = 3;

export function useEdit<T, V extends FormValues, Body>(options: EditOptions<T, V, Body>): Write<Body, T> {
  const { began, read, form, toForm, onDone } = options;
  const etag = useRef(began.etag);
  const send: EditOptions<T, V, Body>['send'] = async (body, headers) => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await options.send(body, { ...headers, ...(etag.current === null ? {} : { 'If-Match': etag.current }) });
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'precondition_failed') throw error;
        const now = await read();
        etag.current = now.etag;
        const changes = changesOf(form, toForm(now.data));
        if (changes.length > 0) {
          form.rebase(toForm(now.data));
          throw new EditConflict(error, changes);
        }
        // No field of the form has changed, for example only a photo was added: try again.
        if (tries >= MAX_TRIES) throw error;
      }
    }
  };
  return useWrite({ send, onDone });
}

const changesOf = <V extends FormValues>(form: Form<V>, now: V): OtherChange[] =>
  Object.keys(now)
    .filter((name) => !isSame(now[name], form.initial[name]))
    .map((name) => ({
      name,
      now: now[name] ?? null,
      isTyped: !isSame(form.values[name], form.initial[name]) && !isSame(form.values[name], now[name]),
    }));
