// Tasks of the staff, which may refer to a customer, sale, vehicle or installment.
import { createBody, patchBody } from '../domain/records/body.ts';
import { listTasks, readTask, TASK_FIELDS, Task } from '../domain/tasks/task.ts';
import { TASK_PRIORITIES, TASK_STATUSES } from '../domain/tasks/task-states.ts';
import { addTask, deleteTask, editTask } from '../domain/tasks/task-writes.ts';
import { del, get, patch, post, resource } from '../kit/endpoint.ts';
import { momentParam, oneOfParam, trueParam, uuidParam } from '../kit/params.ts';

const TaskFilters = {
  status: oneOfParam(TASK_STATUSES),
  assignee_id: uuidParam,
  priority: oneOfParam(TASK_PRIORITIES),
  customer_id: uuidParam,
  sale_id: uuidParam,
  vehicle_id: uuidParam,
  overdue: trueParam,
  due_before: momentParam,
} as const;

export const tasks = resource('Tasks', 'Görevler', [
  get('tasks', 'tasks:read', 'read', 'Yakında', ['List tasks', 'Görevleri listele'], {
    query: TaskFilters,
    lists: Task,
    run: ({ db, query, page, now, account: { timezone } }) => listTasks(db, query, { now, timezone }, page),
  }),
  post('tasks', 'tasks:write', 'write', 'Yakında', ['Add a task', 'Görev ekle'], {
    takes: createBody(TASK_FIELDS),
    returns: Task,
    answers: 201,
    run: ({ work, body }) => addTask(work, body),
  }),
  get('tasks/{task_id}', 'tasks:read', 'read', 'Yakında', ['Read a task', 'Görevi getir'], {
    returns: Task,
    run: ({ db, params, now }) => readTask(db, params.task_id, now),
  }),
  patch('tasks/{task_id}', 'tasks:write', 'write', 'Yakında', ['Edit or move a task', 'Görevi düzenle veya ilerlet'], {
    takes: patchBody(TASK_FIELDS),
    returns: Task,
    run: ({ work, params, body }) => editTask(work, params.task_id, body),
  }),
  del('tasks/{task_id}', 'tasks:write', 'destructive', 'Yakında', ['Delete a task', 'Görevi sil'], {
    returns: Task,
    run: ({ work, params }) => deleteTask(work, params.task_id),
  }),
]);
