// A write that happens once, however often it is pressed or sent again.
import { type UseMutationResult, useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { ApiError } from '../../api.ts';
import type { Only } from '../../endpoints.ts';

type WriteHeaders = Readonly<Record<string, string>>;

interface WriteOptions<Input, Reply> {
  readonly send: (input: Input, headers: WriteHeaders) => Promise<Reply>;
  readonly onDone?: (reply: Reply, input: Input) => unknown;
}

export type Write<Input, Reply> = Omit<UseMutationResult<Reply, Error, Input>, 'mutate' | 'mutateAsync'> & {
  /** Does nothing while the previous one is running. */
  run<Given extends Input>(input: Given & Only<Given, Input>): void;
  /** The same, returning a promise for dialogs that wait. */
  runAndWait<Given extends Input>(input: Given & Only<Given, Input>): Promise<Reply>;
};

/** The part that a form shows. */
export type WriteState = Pick<Write<never, unknown>, 'error' | 'isPending'>;

/**
 * The idempotency key is made when the form opens and stays until the server has answered, so that sending again after a broken
 * connection is the same write.
 */
export function useWrite<Input, Reply>({ send, onDone }: WriteOptions<Input, Reply>): Write<Input, Reply> {
  const key = useRef<string>(null);
  key.current ??= crypto.randomUUID();
  const underWay = useRef<Promise<Reply>>(null);
  const mutation = useMutation({
    mutationFn: async (input: Input) => {
      try {
        const reply = await send(input, { 'Idempotency-Key': key.current! });
        key.current = crypto.randomUUID();
        return reply;
      } catch (error) {
        if (isDecided(error)) key.current = crypto.randomUUID();
        throw error;
      }
    },
    onSuccess: (reply, input) => onDone?.(reply, input),
  });
  const runAndWait = (input: Input): Promise<Reply> => {
    underWay.current ??= mutation.mutateAsync(input).finally(() => {
      underWay.current = null;
    });
    return underWay.current;
  };
  const { mutate: _, mutateAsync: __, ...state } = mutation;
  // Refusals are in `error`.
  return { ...state, run: (input) => void runAndWait(input).catch(() => {}), runAndWait };
}

/** Whether the server has decided on this key, so that the next try needs a new one. */
export const isDecided = (error: unknown): boolean =>
  error instanceof ApiError &&
  error.status < 500 &&
  error.code !== 'idempotency_in_progress' &&
  error.code !== 'idempotency_key_reused';

/** Refused because an earlier try of this form had already been saved. */
export const isSavedBefore = (error: unknown): boolean => error instanceof ApiError && error.code === 'idempotency_key_reused';
