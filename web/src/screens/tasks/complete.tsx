// Completes a task with one click, and reopens it with another.
import { Circle, CircleCheck } from 'lucide-react';
import { useState } from 'react';
import type { Task } from '../../../../src/domain/tasks/task.ts';
import { useTexts } from '../../language.ts';
import { IconButton } from '../../parts/button.tsx';
import { notify } from '../../parts/overlay/toast.tsx';
import { partsTexts } from '../../texts/parts.ts';
import { reopen, setStatus, useTasksChanged } from './data.ts';
import { tasksTexts } from './texts.ts';

/** Can be undone for ten seconds. */
export function Complete({ task }: { readonly task: Task }) {
  const t = useTexts(tasksTexts);
  const p = useTexts(partsTexts);
  const changed = useTasksChanged();
  const [busy, setBusy] = useState(false);
  if (task.status === 'İptal') return null;
  const isDone = task.status === 'Tamamlandı';
  const act = async (run: () => Promise<unknown>, message: string, undo?: () => void) => {
    setBusy(true);
    try {
      await run();
      notify({ title: message, text: task.title, ...(undo ? { undo: { label: p.undo, run: undo } } : {}) });
    } catch (error) {
      notify({ title: t.failed, text: (error as Error).message, failed: true });
    } finally {
      await changed();
      setBusy(false);
    }
  };
  const open = () => act(() => reopen(task.id, task.status), t.reopened);
  const complete = () => act(() => setStatus(task.id, 'Tamamlandı'), t.completed, open);
  const label = isDone ? t.reopen(task.title) : t.complete(task.title);
  return (
    <IconButton
      label={label}
      icon={isDone ? CircleCheck : Circle}
      disabled={busy}
      onClick={isDone ? open : complete}
      {...(isDone ? {} : { 'data-complete': true })}
      className={isDone ? 'text-live' : ''}
    />
  );
}
