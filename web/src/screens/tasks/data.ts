// Queries and mutations of the task screens.
import { keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query';
import type { Task } from '../../../../src/domain/tasks/task.ts';
import { call, callPage, callTagged, type Page } from '../../api.ts';

import type { QueryOf } from '../../endpoints.ts';

export type Status = Task['status'];
export type Priority = Task['priority'];

export const isOpen = ({ status }: Pick<Task, 'status'>): boolean => status === 'Yapılacak' || status === 'Devam Ediyor';

/** The value in the address that shows all statuses. Without a status only open tasks are shown. */
export const EVERY = 'hepsi';
export const NEW_TASK = 'yeni';

export interface TaskSearch {
  readonly status?: string;
  readonly assignee_id?: string;
  readonly priority?: string;
  readonly overdue?: string;
  /** Tasks that are due before this day. */
  readonly due_before?: string;
  readonly customer_id?: string;
  readonly vehicle_id?: string;
  readonly limit?: string;
  readonly offset?: string;
  /** The task that is open beside the list. */
  readonly gorev?: string;
}

const MAX_OPEN = 100;

export const tasksQuery = (search: Omit<TaskSearch, 'gorev'>) =>
  queryOptions({
    queryKey: ['tasks', search],
    queryFn: ({ signal }) => readTasks(search, signal),
    placeholderData: keepPreviousData,
  });

type TaskQuery = QueryOf<'GET v1/tasks'>;

function readTasks({ status, ...rest }: Omit<TaskSearch, 'gorev'>, signal: AbortSignal): Promise<Page<Task>> {
  const ask = (query: TaskQuery) => callPage('GET v1/tasks', { query, signal });
  if (status === EVERY || rest.overdue) return ask({ ...rest });
  if (status) return ask({ ...rest, status });
  return readOpen({ ...rest, limit: MAX_OPEN, offset: '' }, ask);
}

/** Open tasks have two statuses but the API filters by one, so both are requested and merged. */
async function readOpen(query: TaskQuery, ask: (query: TaskQuery) => Promise<Page<Task>>): Promise<Page<Task>> {
  const pages = await Promise.all([ask({ ...query, status: 'Yapılacak' }), ask({ ...query, status: 'Devam Ediyor' })]);
  const items = pages.flatMap((page) => page.items).sort(soonestFirst);
  const hasMore = pages.some((page) => page.hasMore);
  return { items, limit: items.length, offset: 0, hasMore, total: hasMore ? null : items.length };
}

const LAST = '\uffff';

/** The server's order: tasks without a due time last, newest first for equal times. */
const soonestFirst = (one: Task, other: Task): number =>
  compare(one.due_at ?? LAST, other.due_at ?? LAST) || compare(other.created_at, one.created_at) || compare(other.id, one.id);

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** With the ETag, for editing. */
export const readTask = (id: string, signal?: AbortSignal) =>
  callTagged('GET v1/tasks/{task_id}', { params: { task_id: id }, signal });

export function useTasksChanged(): () => Promise<unknown> {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: ['tasks'] });
}

export const setStatus = (id: string, status: Status): Promise<Task> =>
  call('PATCH v1/tasks/{task_id}', { params: { task_id: id }, body: { status } });

/** Restores the previous status; «Devam Ediyor» can be reached only through «Yapılacak». */
export async function reopen(id: string, before: Status): Promise<void> {
  await setStatus(id, 'Yapılacak');
  if (before === 'Devam Ediyor') await setStatus(id, before);
}
