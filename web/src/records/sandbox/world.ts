// The world of the sandbox: its clock, how full it is, and moves of its clock.
import { type QueryClient, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { addMonths, daysBetween } from '../../../../src/domain/clock/days.ts';
import type { WorldView } from '../../../../src/sandbox/world-view.ts';
import { call } from '../../api.ts';
import type { BodyOf } from '../../endpoints.ts';
import { sessionQuery } from '../../session.ts';

export type World = WorldView;
export type ClockTarget = BodyOf<'POST world/clock'>;

/** A key or another tab may move the clock or reset the sandbox. */
const LOOK_MS = 30_000;
const LOOK_MOVING_MS = 500;

export const worldQuery = queryOptions({
  queryKey: ['world'],
  queryFn: ({ signal }) => call('GET world', { signal }),
  refetchInterval: ({ state }) => (state.data?.clock.status === 'advancing' ? LOOK_MOVING_MS : LOOK_MS),
});

/** The session first: it has the time by which screens compute today. */
export async function readAgain(client: QueryClient): Promise<void> {
  await client.refetchQueries({ queryKey: sessionQuery.queryKey });
  await client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] });
}

export function useClock() {
  const client = useQueryClient();
  const move = useMutation({
    mutationFn: (to: ClockTarget) => call('POST world/clock', { body: to }),
    onSettled: () => readAgain(client),
  });
  const world = useQuery({ ...worldQuery, ...(move.isPending ? { refetchInterval: LOOK_MOVING_MS } : {}) });
  return { world, move };
}

/** A month of the calendar, at the same time of the day. */
export const monthFrom = (today: string): ClockTarget => ({ advance: `${daysBetween(today, addMonths(today, 1))}d` });

/** How much of a move is done, from 0 to 1. */
export function shareOf({ now, move }: World['clock']): number {
  if (move === null || move.from === null) return 0;
  const [from, to, at] = [move.from, move.to, now].map((text) => Date.parse(text)) as [number, number, number];
  return to <= from ? 0 : Math.min(1, Math.max(0, (at - from) / (to - from)));
}
