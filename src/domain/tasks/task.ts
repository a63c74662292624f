// A task: its fields, its status transitions, and its API representation.
import { endOf, type Moment, startOf } from '../../kit/clock.ts';
import type { Db } from '../../kit/db.ts';
import { deletedOrNot, listPage, type Page, type Paging } from '../../kit/page.ts';
import { readDay } from '../../kit/params.ts';
import { columnsOf, flag, nullable as maybe, type Of, object, oneOf, text, timestamp, uuid } from '../../kit/schema.ts';
import { own, rawSql, type Sql, sql } from '../../kit/sql.ts';
import {
  type Field,
  type Fields,
  instantField,
  nullable,
  oneOfField,
  required,
  textField,
  uuidField,
  type Values,
  withDefault,
} from '../records/fields.ts';
import { TASK_PRIORITIES, TASK_STATUSES, type TaskStatus } from './task-states.ts';

/** A date means the end of that day, because a task due on a day may still be done on it. */
const dueField: Field<Date> = {
  ...instantField,
  read: (value, context) => {
    const day = typeof value === 'string' ? readDay(value) : null;
    return day === null ? instantField.read(value, context) : new Date(endOf({ day }, context.timeZone).getTime() - 1);
  },
};

export const TASK_FIELDS = {
  title: required(textField(200)),
  description: nullable(textField(5000, { lines: true })),
  status: withDefault(oneOfField(TASK_STATUSES), '`Yapılacak`'),
  priority: withDefault(oneOfField(TASK_PRIORITIES), '`Normal`'),
  due_at: nullable(dueField),
  assignee_id: nullable(uuidField),
  customer_id: nullable(uuidField),
  sale_id: nullable(uuidField),
  vehicle_id: nullable(uuidField),
  installment_id: nullable(uuidField),
} as const satisfies Fields;
export type TaskValues = Values<typeof TASK_FIELDS>;

const shape = {
  id: uuid(),
  title: text('Ayşe Hanım’ı ara'),
  description: maybe(text('Taksit tarihini konuş.')),
  status: oneOf(TASK_STATUSES),
  priority: oneOf(TASK_PRIORITIES),
  due_at: maybe(timestamp()),
  assignee_id: maybe(uuid()),
  customer_id: maybe(uuid()),
  sale_id: maybe(uuid()),
  vehicle_id: maybe(uuid()),
  installment_id: maybe(uuid()),
  completed_at: maybe(timestamp()),
};
const times = { created_at: timestamp(), updated_at: timestamp() };
export const Task = object({ ...shape, is_overdue: flag(), ...times });
export type Task = Of<typeof Task>;

/** Past its due time and not done yet. */
const overdue = (now: Date): Sql => sql`(due_at is not null and due_at < ${now} and status in ('Yapılacak', 'Devam Ediyor'))`;

const shown = (now: Date): Sql => sql`${columnsOf(object(shape))}, ${overdue(now)} as is_overdue, ${columnsOf(object(times))}`;

export const readTask = (db: Db, id: string, now: Date, which: 'live' | 'any' = 'live'): Promise<Task> =>
  db.last<Task>(sql`select ${shown(now)} from ${own('tasks')} where id = ${id} and (deleted_at is null or ${which === 'any'})`);

const LINKS = ['assignee_id', 'customer_id', 'sale_id', 'vehicle_id'] as const;

export interface TaskFilter extends Partial<Record<(typeof LINKS)[number], string | undefined>> {
  readonly status?: TaskStatus | undefined;
  readonly priority?: (typeof TASK_PRIORITIES)[number] | undefined;
  readonly overdue?: true | undefined;
  readonly due_before?: Moment | undefined;
  readonly deleted?: true | undefined;
}

const SOONEST_FIRST = rawSql('due_at asc nulls last, created_at desc, id desc');

export function listTasks(
  db: Db,
  filter: TaskFilter,
  { now, timezone }: { readonly now: Date; readonly timezone: string },
  page: Paging,
): Promise<Page> {
  const where = [deletedOrNot(filter.deleted)];
  if (filter.status !== undefined) where.push(sql`status = ${filter.status}`);
  if (filter.priority !== undefined) where.push(sql`priority = ${filter.priority}`);
  for (const link of LINKS) if (filter[link] !== undefined) where.push(sql`${rawSql(link)} = ${filter[link]}`);
  if (filter.overdue) where.push(overdue(now));
  if (filter.due_before !== undefined) where.push(sql`due_at < ${startOf(filter.due_before, timezone)}`);
  return listPage(db, { table: 'tasks', shows: shown(now), where, order: SOONEST_FIRST, timely: true }, page);
}
