// A record edited by two at once: the second is told what has become of it, and loses nothing.
import { queryOptions } from '@tanstack/react-query';
import { useRef } from 'react';
import { ApiError, type Tagged } from '../../api.ts';
import type { Form, FormValues } from './form-state.ts';
import { useWrite, type Write } from './form-write.ts';

/** A record with its tag: `callTagged` of its row. */
export type ReadRecord<T> = (signal?: AbortSignal) => Promise<Tagged<T>>;

/** As it is now, whatever was looked at before, and not another under the hands: the form begins with it. */
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
  /** What stands there now, as the form would show it. */
  readonly now: string;
  /** Something else was typed here for it. */
  readonly isTyped: boolean;
}

/** Someone else has saved since the form was opened; the form stands on their state by now. */
export class EditConflict extends ApiError {
  readonly changes: readonly OtherChange[];
  constructor({ status, code, message, requestId }: ApiError, changes: readonly OtherChange[]) {
    super(status, code, message, [], requestId);
    this.changes = changes;
  }
}

export interface EditOptions<T, V extends FormValues, Body> {
  /** What the form began with. */
  readonly began: Tagged<T>;
  readonly read: ReadRecord<T>;
  /** `call` of the row that edits it. */
  readonly send: (body: Body, headers: Readonly<Record<string, string>>) => Promise<T>;
  readonly form: Form<V>;
  readonly toForm: (record: T) => V;
  readonly onDone: (now: T) => unknown;
}

/** So many times in a row nothing that the form shows had changed: then it is a busy record, and the refusal is shown. */
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
        // Of what the form shows nothing is another: a photo was added, say.
        if (tries >= MAX_TRIES) throw error;
      }
    }
  };
  return useWrite({ send, onDone });
}

const changesOf = <V extends FormValues>(form: Form<V>, now: V): OtherChange[] =>
  Object.keys(now)
    .filter((name) => now[name] !== form.initial[name])
    .map((name) => ({
      name,
      now: now[name] ?? '',
      isTyped: form.values[name] !== form.initial[name] && form.values[name] !== now[name],
    }));
