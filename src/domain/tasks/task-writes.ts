// Writes on a task: add, edit, delete.
import { fail } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import { own, sql, theAccount } from '../../kit/sql.ts';
import type { Work } from '../../kit/work.ts';
import type { CreateBody } from '../records/body.ts';
import { type Columns, changedColumns, ERASED_WORDS, insertRecord, lockRecords, updateRecord } from '../records/record.ts';
import { requireReferences } from '../records/references.ts';
import { emitChange } from '../writes/record-events.ts';
import { readTask, TASK_FIELDS, type Task, type TaskValues } from './task.ts';
import { mayMove, type TaskStatus } from './task-states.ts';

export async function addTask(work: Work, values: CreateBody<typeof TASK_FIELDS>): Promise<Task> {
  const { db, now } = work;
  await requireLinks(work, values);
  const id = newId(now.getTime());
  const { status = 'Yapılacak' } = values;
  await insertRecord(db, 'tasks', {
    id,
    ...values,
    status,
    ...completion(status, now),
    created_at: now,
    updated_at: work.updatedAt(),
  });
  const task = await readTask(db, id, now);
  emitTaskEvent(work, 'created', task);
  if (status === 'Tamamlandı') emitTaskEvent(work, 'completed', task);
  return task;
}

export async function editTask(work: Work, id: string, values: TaskValues): Promise<Task> {
  const { db, now } = work;
  const stored = await lockTask(work, id);
  const { status = stored.status } = values;
  if (!mayMove(stored.status, status)) fail('invalid_transition', { words: { from: stored.status, to: status } });
  const changes = changedColumns(stored, values);
  if (Object.keys(changes).length === 0) return readTask(db, id, now);
  await requireLinks(work, changes);
  const moved = status === stored.status ? {} : completion(status, now);
  const before = await readTask(db, id, now);
  await updateRecord(db, 'tasks', id, { ...changes, ...moved, updated_at: work.updatedAt() });
  const task = await readTask(db, id, now);
  emitTaskEvent(work, 'updated', task, before);
  if (status !== stored.status && status === 'Tamamlandı') emitTaskEvent(work, 'completed', task);
  return task;
}

export async function deleteTask(work: Work, id: string): Promise<Task> {
  const { db, now } = work;
  await lockTask(work, id);
  await updateRecord(db, 'tasks', id, { deleted_at: now, updated_at: work.updatedAt() });
  const task = await readTask(db, id, now, 'any');
  emitTaskEvent(work, 'deleted', task);
  return task;
}

type StoredTask = Columns & { readonly status: TaskStatus };

/** Locks the task with this id; throws not_found if there is none or it is deleted. */
async function lockTask({ db }: Work, id: string): Promise<StoredTask> {
  const [found] = await lockRecords<StoredTask>(db, 'tasks', Object.keys(TASK_FIELDS), sql`id = ${id}`);
  return found ?? fail('not_found');
}

const completion = (status: TaskStatus, now: Date) => ({ completed_at: status === 'Tamamlandı' ? now : null });

const requireLinks = ({ db }: Work, body: TaskValues): Promise<void> =>
  requireReferences(db, [
    ['vehicle_id', 'vehicles', body.vehicle_id],
    ['sale_id', 'sales', body.sale_id],
    ['installment_id', 'installments', body.installment_id],
    ['customer_id', 'customers', body.customer_id],
    ['assignee_id', 'members', body.assignee_id],
  ]);

/** Whether the sale has an open task with this title. */
export async function hasOpenTask({ db }: Work, saleId: string, title: string): Promise<boolean> {
  const found =
    await db.rows(sql`select id from ${own('tasks')} where sale_id = ${saleId} and title = ${title} and deleted_at is null
    and status in ('Yapılacak', 'Devam Ediyor') limit 1`);
  return found.length > 0;
}

/** Cancels the open tasks about an erased customer and removes their texts. The events do not carry the previous values. */
export async function forgetTasksOf(work: Work, customerId: string): Promise<number> {
  const { db, now } = work;
  const changed = await db.rows<{
    id: string;
    deleted_at: Date | null;
  }>(sql`update tasks set title = ${ERASED_WORDS}, description = null,
      status = case when status in ('Yapılacak', 'Devam Ediyor') then 'İptal' else status end, updated_at = ${work.updatedAt()}
    where account_id = ${theAccount} and customer_id = ${customerId} and (title <> ${ERASED_WORDS} or description is not null)
    returning id, deleted_at`);
  const live = changed.filter(({ deleted_at }) => deleted_at === null);
  for (const { id } of live.toSorted((one, other) => (one.id < other.id ? -1 : 1)))
    emitTaskEvent(work, 'updated', await readTask(db, id, now));
  return changed.length;
}

const emitTaskEvent = (work: Work, verb: 'created' | 'updated' | 'completed' | 'deleted', task: Task, before?: Task): void =>
  emitChange(work, { kind: 'task', path: `tasks/${task.id}` }, verb, task, before);
