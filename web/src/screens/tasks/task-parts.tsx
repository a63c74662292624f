// Small parts of a task: status, due time, linked records.
import { AlarmClock, ArrowDown, ArrowUp, Circle, CircleCheck, CircleDashed, CircleX, type LucideIcon, Minus } from 'lucide-react';
import type { Task } from '../../../../src/domain/tasks/task.ts';
import { useTexts } from '../../language.ts';
import { Badge } from '../../parts/badges.tsx';
import { cx } from '../../parts/cx.ts';
import { DateTime, None } from '../../parts/values.tsx';
import { dayAhead, duePartsOf } from '../../records/due.ts';
import { useStaff } from '../../records/staff.ts';
import { useFormat, useSession } from '../../session.ts';
import type { Priority, Status } from './data.ts';
import { tasksTexts } from './texts.ts';

const STATES: Readonly<Record<Status, { tone: 'read' | 'write' | 'live' | 'soon'; icon: LucideIcon }>> = {
  Yapılacak: { tone: 'read', icon: Circle },
  'Devam Ediyor': { tone: 'write', icon: CircleDashed },
  Tamamlandı: { tone: 'live', icon: CircleCheck },
  İptal: { tone: 'soon', icon: CircleX },
};

export function TaskStatusBadge({ status }: { readonly status: Status }) {
  const t = useTexts(tasksTexts);
  return <Badge {...STATES[status]}>{t.statuses[status]}</Badge>;
}

const PRIORITY: Readonly<Record<Priority, { icon: LucideIcon; colour: string }>> = {
  Düşük: { icon: ArrowDown, colour: 'text-text-3' },
  Normal: { icon: Minus, colour: 'text-text-2' },
  Yüksek: { icon: ArrowUp, colour: 'font-medium text-dest' },
};

export function PriorityMark({ priority }: { readonly priority: Priority }) {
  const t = useTexts(tasksTexts);
  const { icon: Icon, colour } = PRIORITY[priority];
  return (
    <span className={cx('inline-flex items-center gap-1 text-13 whitespace-nowrap', colour)}>
      <Icon aria-hidden className="size-3.5" />
      {t.priorities[priority]}
    </span>
  );
}

/** Shows today and tomorrow in words, and marks overdue tasks. */
export function Due({ task }: { readonly task: Task }) {
  const t = useTexts(tasksTexts);
  const { zone } = useFormat();
  if (task.due_at === null) return <None />;
  const { day, time } = duePartsOf(task.due_at, zone);
  const name = day === dayAhead(0, zone) ? t.today : day === dayAhead(1, zone) ? t.tomorrow : null;
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-0.5">
      {task.is_overdue && (
        <Badge tone="dest" icon={AlarmClock}>
          {t.isOverdue}
        </Badge>
      )}
      <span className="tabular whitespace-nowrap">
        {name === null ? <DateTime at={task.due_at} show="date" /> : <time dateTime={task.due_at}>{name}</time>}
        {time !== '' && ` ${time}`}
      </span>
    </span>
  );
}

export function Assignee({ id }: { readonly id: string | null }) {
  const t = useTexts(tasksTexts);
  const staff = useStaff();
  const mine = useSession().account?.member_id;
  if (id === null) return <None />;
  const found = staff.find((member) => member.id === id);
  if (found === undefined) return <None />;
  return <>{id === mine ? t.me(found.full_name) : found.active ? found.full_name : t.left(found.full_name)}</>;
}
