// A task in a drawer beside the list, editable by those who may.

import { useQuery } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { Task } from '../../../../src/domain/tasks/task.ts';
import { mayMove, TASK_PRIORITIES, TASK_STATUSES } from '../../../../src/domain/tasks/task-states.ts';
import { ApiError, call, type Tagged } from '../../api.ts';
import type { RawBody } from '../../endpoints.ts';
import { useTexts } from '../../language.ts';
import { Button } from '../../parts/button.tsx';
import { FormLayer } from '../../parts/form/form.tsx';
import { changesOf, filled, withoutEmpty } from '../../parts/form/form-body.ts';
import { editingQuery, useEdit } from '../../parts/form/form-edit.ts';
import { ChoiceField, type FieldsOf, LinesField, TextField } from '../../parts/form/form-fields.tsx';
import { type Form, useForm } from '../../parts/form/form-state.ts';
import { useWrite, type WriteState } from '../../parts/form/form-write.ts';
import { problemOf } from '../../parts/input/error-summary.tsx';
import { Field, TextInput } from '../../parts/input/field.tsx';
import { ConfirmDialog } from '../../parts/overlay/confirm-dialog.tsx';
import { Drawer } from '../../parts/overlay/dialog.tsx';
import { notify } from '../../parts/overlay/toast.tsx';
import { Facts } from '../../parts/page/facts.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../parts/page/states.tsx';
import { DateTime } from '../../parts/values.tsx';
import { useMay } from '../../permissions.ts';
import { CustomerName } from '../../records/customers/customer-name.tsx';
import { CustomerPicker } from '../../records/customers/customer-picker.tsx';
import { duePartsOf, dueToSend } from '../../records/due.ts';
import { useStaff } from '../../records/staff.ts';
import { VehicleName } from '../../records/vehicles/vehicle-name.tsx';
import { VehiclePicker } from '../../records/vehicles/vehicle-picker.tsx';
import { useFormat } from '../../session.ts';
import { readTask, type TaskSearch, useTasksChanged } from './data.ts';
import { Assignee, Due, PriorityMark, TaskStatusBadge } from './task-parts.tsx';
import { tasksTexts } from './texts.ts';

interface LayerProps {
  readonly onClose: () => void;
}

export function TaskLayer({ id, onClose }: LayerProps & { readonly id: string }) {
  const t = useTexts(tasksTexts);
  const may = useMay('tasks:write');
  const task = useQuery(editingQuery(['task', id], (signal) => readTask(id, signal)));
  if (task.data !== undefined && may) return <EditTask key={id} began={task.data} onClose={onClose} />;
  return (
    <Drawer open onClose={onClose} title={t.editTitle}>
      {task.data !== undefined ? (
        <TaskFacts task={task.data.data} />
      ) : task.isPending ? (
        <Skeleton className="h-96" />
      ) : task.error instanceof ApiError && task.error.status === 404 ? (
        <EmptyState title={t.gone} />
      ) : (
        <ErrorState error={task.error} onRetry={task.refetch} />
      )}
    </Drawer>
  );
}

function TaskFacts({ task }: { readonly task: Task }) {
  const t = useTexts(tasksTexts);
  const n = t.names;
  return (
    <Facts
      title={task.title}
      facts={[
        { name: n.status, value: <TaskStatusBadge status={task.status} /> },
        { name: n.due_at, value: <Due task={task} /> },
        { name: n.priority, value: <PriorityMark priority={task.priority} /> },
        { name: n.assignee_id, value: <Assignee id={task.assignee_id} /> },
        { name: n.customer_id, value: task.customer_id && <CustomerName id={task.customer_id} /> },
        { name: n.vehicle_id, value: task.vehicle_id && <VehicleName id={task.vehicle_id} /> },
        { name: n.description, value: task.description && <span className="whitespace-pre-wrap">{task.description}</span> },
        { name: t.createdAt, value: <DateTime at={task.created_at} /> },
        { name: t.completedAt, value: <DateTime at={task.completed_at} /> },
      ]}
    />
  );
}

const initialOf = (task: Task | null, search: TaskSearch, zone: string) => ({
  title: task?.title ?? '',
  description: task?.description ?? '',
  status: (task?.status ?? 'Yapılacak') as string,
  priority: (task?.priority ?? search.priority ?? 'Normal') as string,
  ...due(task, zone),
  assignee_id: task?.assignee_id ?? (task === null ? (search.assignee_id ?? '') : ''),
  customer_id: task?.customer_id ?? (task === null ? (search.customer_id ?? '') : ''),
  vehicle_id: task?.vehicle_id ?? (task === null ? (search.vehicle_id ?? '') : ''),
});

function due(task: Task | null, zone: string) {
  const { day, time } = duePartsOf(task?.due_at ?? null, zone);
  return { due_day: day, due_time: time };
}

type TaskFormValues = ReturnType<typeof initialOf>;

export const createBody = (values: TaskFormValues, zone: string): RawBody<'POST v1/tasks'> => ({
  title: filled(values.title),
  description: filled(values.description),
  status: filled(values.status),
  priority: filled(values.priority),
  due_at: dueToSend({ day: values.due_day, time: values.due_time }, zone) ?? undefined,
  assignee_id: filled(values.assignee_id),
  customer_id: filled(values.customer_id),
  vehicle_id: filled(values.vehicle_id),
});

export function editBody(values: TaskFormValues, changed: readonly string[], zone: string): RawBody<'PATCH v1/tasks/{task_id}'> {
  const { required, optional, has } = changesOf(values, changed);
  return {
    title: required('title'),
    description: optional('description'),
    status: required('status'),
    priority: required('priority'),
    due_at: has('due_day', 'due_time') ? dueToSend({ day: values.due_day, time: values.due_time }, zone) : undefined,
    assignee_id: optional('assignee_id'),
    customer_id: optional('customer_id'),
    vehicle_id: optional('vehicle_id'),
  };
}

/** A new task, linked to the record by which the list is filtered. */
export function NewTask({ search, onClose }: LayerProps & { readonly search: TaskSearch }) {
  const t = useTexts(tasksTexts);
  const { zone } = useFormat();
  const changed = useTasksChanged();
  const form = useForm(initialOf(null, search, zone));
  const write = useWrite({
    send: (typed: RawBody<'POST v1/tasks'>, headers) => call('POST v1/tasks', { rawBody: withoutEmpty(typed), headers }),
    onDone: () => {
      notify({ title: t.added });
      onClose();
      return changed();
    },
  });
  const submit = () => write.run(createBody(form.values, zone));
  return <TaskForm task={null} form={form} write={write} onSubmit={submit} onClose={onClose} />;
}

function EditTask({ began, onClose }: LayerProps & { readonly began: Tagged<Task> }) {
  const t = useTexts(tasksTexts);
  const { zone } = useFormat();
  const changed = useTasksChanged();
  const task = began.data;
  const toForm = (now: Task) => initialOf(now, {}, zone);
  const form = useForm(toForm(task));
  const write = useEdit({
    began,
    read: (signal) => readTask(task.id, signal),
    send: (typed: RawBody<'PATCH v1/tasks/{task_id}'>, headers) =>
      call('PATCH v1/tasks/{task_id}', { params: { task_id: task.id }, rawBody: typed, headers }),
    form,
    toForm,
    onDone: () => {
      notify({ title: t.saved });
      onClose();
      return changed();
    },
  });
  const submit = () => (form.isDirty ? write.run(editBody(form.values, form.changed, zone)) : onClose());
  return <TaskForm task={task} form={form} write={write} onSubmit={submit} onClose={onClose} />;
}

interface TaskFormProps extends LayerProps {
  /** Null for a new task. */
  readonly task: Task | null;
  readonly form: Form<TaskFormValues>;
  readonly write: WriteState;
  readonly onSubmit: () => void;
}

function TaskForm({ task, form, write, onSubmit, onClose }: TaskFormProps) {
  const t = useTexts(tasksTexts);
  const names = { ...t.names, due_day: t.due, due_time: t.dueTime };
  return (
    <FormLayer
      drawer
      form={form}
      names={names}
      words={{ status: t.statuses, priority: t.priorities }}
      error={write.error}
      isBusy={write.isPending}
      onSubmit={onSubmit}
      onClose={onClose}
      title={task === null ? t.newTitle : t.editTitle}
      {...(task === null ? { action: t.create } : {})}
    >
      <TaskFields task={task} of={{ form, error: write.error, names }} />
      {task !== null && <DeleteTask task={task} onGone={onClose} />}
    </FormLayer>
  );
}

function TaskFields({ task, of }: { readonly task: Task | null; readonly of: FieldsOf<TaskFormValues> }) {
  const t = useTexts(tasksTexts);
  const staff = useStaff();
  const { values, set } = of.form;
  const statuses =
    task === null ? [] : [task.status, ...TASK_STATUSES.filter((to) => to !== task.status && mayMove(task.status, to))];
  const people = staff.filter(({ id, active }) => active || id === values.assignee_id);
  return (
    <>
      <TextField of={of} name="title" maxLength={200} autoFocus={task === null} />
      <LinesField of={of} name="description" maxLength={5000} optional />
      <div className="grid grid-cols-2 items-start gap-3">
        <Field id="due_at" label={t.due} optional hint={t.dueHint} error={problemOf(of.error, 'due_at', t.names.due_at)}>
          <TextInput type="date" value={values.due_day} onChange={(day) => set('due_day', day)} />
        </Field>
        <Field label={t.dueTime} optional>
          <TextInput
            type="time"
            value={values.due_time}
            disabled={values.due_day === ''}
            onChange={(time) => set('due_time', time)}
          />
        </Field>
        <ChoiceField of={of} name="priority" options={TASK_PRIORITIES.map((value) => ({ value, label: t.priorities[value] }))} />
        {statuses.length > 1 && (
          <ChoiceField of={of} name="status" options={statuses.map((value) => ({ value, label: t.statuses[value] }))} />
        )}
      </div>
      <ChoiceField
        of={of}
        name="assignee_id"
        optional
        none={t.unassigned}
        options={people.map(({ id, full_name }) => ({ value: id, label: full_name }))}
      />
      <CustomerPicker
        id="customer_id"
        label={t.names.customer_id}
        optional
        error={problemOf(of.error, 'customer_id', t.names.customer_id)}
        value={values.customer_id}
        onChange={(id) => set('customer_id', id)}
      />
      <VehiclePicker
        id="vehicle_id"
        optional
        label={t.names.vehicle_id}
        error={problemOf(of.error, 'vehicle_id', t.names.vehicle_id)}
        value={values.vehicle_id}
        onChange={(id) => set('vehicle_id', id)}
      />
    </>
  );
}

function DeleteTask({ task, onGone }: { readonly task: Task; readonly onGone: () => void }) {
  const t = useTexts(tasksTexts);
  const may = useMay('tasks:write', 'destructive');
  const changed = useTasksChanged();
  const [asks, setAsks] = useState(false);
  if (!may) return null;
  const remove = async () => {
    await call('DELETE v1/tasks/{task_id}', { params: { task_id: task.id } });
    notify({ title: t.deleted });
    onGone();
    await changed();
  };
  return (
    <div className="border-t border-line pt-3">
      <Button look="quiet" icon={Trash2} className="text-danger!" onClick={() => setAsks(true)}>
        {t.delete}
      </Button>
      <ConfirmDialog open={asks} onClose={() => setAsks(false)} title={t.deleteTitle} action={t.delete} run={remove}>
        {t.deleteText(task.title)}
      </ConfirmDialog>
    </div>
  );
}
