// Adds a task in one line: title, due time, Enter. It is linked to the record by which the list is filtered.

import { Plus } from 'lucide-react';
import { type FormEvent, useRef, useState } from 'react';
import { call } from '../../api.ts';
import type { RawBody } from '../../endpoints.ts';
import { useTexts } from '../../language.ts';
import { Button } from '../../parts/button.tsx';
import { withoutEmpty } from '../../parts/form/form-body.ts';
import { useWrite } from '../../parts/form/form-write.ts';
import { problemOf } from '../../parts/input/error-summary.tsx';
import { Field, Select, TextInput } from '../../parts/input/field.tsx';
import { notify } from '../../parts/overlay/toast.tsx';
import { useShortcut } from '../../parts/table/row-keys.ts';
import { dayAhead } from '../../records/due.ts';
import { useFormat } from '../../session.ts';
import { partsTexts } from '../../texts/parts.ts';
import { type TaskSearch, useTasksChanged } from './data.ts';
import { tasksTexts } from './texts.ts';

const DAYS = { none: null, today: 0, tomorrow: 1, week: 7 } as const;
type When = keyof typeof DAYS;

export function QuickAdd({ search }: { readonly search: TaskSearch }) {
  const t = useTexts(tasksTexts);
  const p = useTexts(partsTexts);
  const { zone } = useFormat();
  const changed = useTasksChanged();
  const form = useRef<HTMLFormElement>(null);
  const [title, setTitle] = useState('');
  const [when, setWhen] = useState<When>('none');
  useShortcut('c', () => form.current?.querySelector('input')?.focus());
  const write = useWrite({
    send: (typed: RawBody<'POST v1/tasks'>, headers) => call('POST v1/tasks', { rawBody: withoutEmpty(typed), headers }),
    onDone: () => {
      setTitle('');
      notify({ title: t.added });
      return changed();
    },
  });
  const add = (event: FormEvent) => {
    event.preventDefault();
    if (title.trim() === '') return;
    const days = DAYS[when];
    const { assignee_id, customer_id, vehicle_id, priority } = search;
    const optional = { assignee_id, customer_id, vehicle_id, priority };
    write.run({
      title: title.trim(),
      ...(days === null ? {} : { due_at: dayAhead(days, zone) }),
      ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value)),
    });
  };
  const refused = problemOf(write.error, 'title', t.names.title) ?? write.error?.message;
  return (
    <form ref={form} onSubmit={add} noValidate className="card mb-4 flex flex-wrap items-start gap-2 p-3">
      <div className="min-w-0 flex-1 basis-full sm:basis-64">
        <Field label={t.quick} labelHidden error={write.isError ? (refused ?? p.failed) : undefined}>
          <TextInput value={title} onChange={setTitle} maxLength={200} placeholder={t.quickPlaceholder} autoComplete="off" />
        </Field>
      </div>
      <div className="min-w-32 flex-1 sm:flex-none">
        <Field label={t.quickDue} labelHidden>
          <Select
            value={when}
            onChange={(next) => setWhen(next as When)}
            options={(Object.keys(DAYS) as When[]).map((value) => ({ value, label: t.dues[value] }))}
          />
        </Field>
      </div>
      <Button type="submit" icon={Plus} busy={write.isPending} disabled={title.trim() === ''}>
        {t.quickAdd}
      </Button>
    </form>
  );
}
