// The open tasks of a customer or vehicle on its page, with a button to complete and a line to add one.
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import type { Task } from '../../../../src/domain/tasks/task.ts';
import { useTexts } from '../../language.ts';
import { Button } from '../../parts/button.tsx';
import { ErrorState, Skeleton } from '../../parts/page/states.tsx';
import { useMay } from '../../permissions.ts';
import { Complete } from './complete.tsx';
import { EVERY, NEW_TASK, tasksQuery } from './data.ts';
import { Assignee, Due, PriorityMark } from './task-parts.tsx';
import { tasksTexts } from './texts.ts';

const NewTask = lazy(async () => ({ default: (await import('./form.tsx')).NewTask }));
const TaskLayer = lazy(async () => ({ default: (await import('./form.tsx')).TaskLayer }));

interface RecordTasksProps {
  /** The record, which filters the list and to which a new task is linked. */
  readonly of: { readonly customer_id: string } | { readonly vehicle_id: string };
  /** The record is deleted, so no task can be added. */
  readonly isClosed?: boolean;
}

const MAX_SHOWN = 5;

export function RecordTasks({ of, isClosed = false }: RecordTasksProps) {
  const t = useTexts(tasksTexts);
  const sees = useMay('tasks:read');
  const may = useMay('tasks:write') && !isClosed;
  const tasks = useQuery({ ...tasksQuery(of), enabled: sees });
  const [open, setOpen] = useState<string | null>(null);
  const close = () => setOpen(null);
  if (!sees) return null;
  return (
    <section className="card min-w-0 p-4" aria-label={t.title}>
      <div className="mb-2 flex flex-wrap items-center justify-between gap-2">
        <h2 className="m-0 text-14 font-semibold">{t.title}</h2>
        {may && (
          <Button icon={Plus} onClick={() => setOpen(NEW_TASK)}>
            {t.create}
          </Button>
        )}
      </div>
      {tasks.isPending ? (
        <Skeleton className="h-10 w-full" />
      ) : tasks.isError ? (
        <ErrorState error={tasks.error} onRetry={tasks.refetch} />
      ) : tasks.data.items.length === 0 ? (
        <p className="m-0 text-text-2">{t.emptyTitle}</p>
      ) : (
        <ul className="m-0 list-none divide-y divide-line p-0">
          {tasks.data.items.slice(0, MAX_SHOWN).map((task) => (
            <Line key={task.id} task={task} onOpen={() => setOpen(task.id)} />
          ))}
        </ul>
      )}
      <p className="mt-2 mb-0 text-13">
        <Link to="/gorevler" search={{ ...of, status: EVERY }} className="link inline-block min-h-6 py-0.5">
          {(tasks.data?.items.length ?? 0) > MAX_SHOWN ? t.allOpen(tasks.data!.items.length) : t.allOfThis}
        </Link>
      </p>
      <Suspense>
        {open === NEW_TASK && <NewTask search={of} onClose={close} />}
        {open !== null && open !== NEW_TASK && <TaskLayer id={open} onClose={close} />}
      </Suspense>
    </section>
  );
}

function Line({ task, onOpen }: { readonly task: Task; readonly onOpen: () => void }) {
  const may = useMay('tasks:write');
  return (
    <li className="flex items-center gap-2 py-2">
      {may && <Complete task={task} />}
      <div className="min-w-0 flex-1">
        <button type="button" onClick={onOpen} className="min-h-6 text-start font-medium wrap-anywhere hover:underline">
          {task.title}
        </button>
        <div className="flex flex-wrap items-center gap-x-3 gap-y-0.5 text-13 text-text-2">
          {task.due_at !== null && <Due task={task} />}
          {task.priority !== 'Normal' && <PriorityMark priority={task.priority} />}
          {task.assignee_id !== null && <Assignee id={task.assignee_id} />}
        </div>
      </div>
    </li>
  );
}
