// The next step of an enquiry is a task: it is made, moved and ended with the step. The task does not name the person, whose data is sealed.

import { endOf } from '../../kit/clock.ts';
import { own, sql, theAccount } from '../../kit/sql.ts';
import type { Work } from '../../kit/work.ts';
import { addTask, editTask } from '../tasks/task-writes.ts';
import { logEntry } from './enquiry.ts';

interface Step {
  readonly task_id: string | null;
  /** Links are null if the record was deleted or the member has left: a task cannot name them. */
  readonly vehicle_id: string | null;
  readonly owner_id: string | null;
  readonly customer_id: string | null;
  readonly next_step_on: string | null;
  /** The task can still be changed. */
  readonly is_open: boolean;
}

const readStep = ({ db }: Work, id: string): Promise<Step> =>
  db.one<Step>(sql`select task_id, next_step_on,
    (select vehicles.id from ${own('vehicles')} where vehicles.id = enquiries.vehicle_id and vehicles.deleted_at is null) as vehicle_id,
    (select members.id from ${own('members')} where members.id = enquiries.owner_id and members.active) as owner_id,
    (select customers.id from ${own('customers')} where customers.id = enquiries.customer_id and customers.deleted_at is null) as customer_id,
    coalesce((select deleted_at is null and status in ('Yapılacak', 'Devam Ediyor') from ${own('tasks')} where tasks.id = task_id), false) as is_open
    from ${own('enquiries')} where id = ${id}`);

/** The enquiry is locked. Null takes the step away. */
export async function setNextStep(work: Work, id: string, day: string | null): Promise<void> {
  const { db, account } = work;
  const step = await readStep(work, id);
  if (step.next_step_on === day && (day === null || step.is_open)) return;
  let task = step.task_id;
  if (day === null) {
    if (step.is_open) await editTask(work, step.task_id!, { status: 'İptal' });
    task = null;
  } else {
    const due_at = new Date(endOf({ day }, account.timezone).getTime() - 1);
    if (step.is_open) await editTask(work, step.task_id!, { due_at });
    else
      task = (await addTask(work, { title: 'Adayı ara', description: `/panel/adaylar?aday=${id}`, due_at, ...linksOf(step) })).id;
  }
  await db.exec(
    sql`update enquiries set next_step_on = ${day}, task_id = ${task} where account_id = ${theAccount} and id = ${id}`,
  );
  logEntry(work, id, { kind: 'step', value: day });
}

const linksOf = ({ owner_id, vehicle_id, customer_id }: Step) => ({ assignee_id: owner_id, vehicle_id, customer_id });

/** The task follows the owner of the enquiry. */
export async function moveStep(work: Work, id: string): Promise<void> {
  const step = await readStep(work, id);
  if (step.is_open) await editTask(work, step.task_id!, linksOf(step));
}

/** The enquiry ended: its task is done if it was won, and no longer needed if it was lost. */
export async function endStep(work: Work, id: string, isWon: boolean): Promise<void> {
  const step = await readStep(work, id);
  if (step.is_open) await editTask(work, step.task_id!, { status: isWon ? 'Tamamlandı' : 'İptal' });
  await work.db.exec(sql`update enquiries set next_step_on = null where account_id = ${theAccount} and id = ${id}`);
}
