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
  deleted: trueParam,
} as const;

export const tasks = resource('Tasks', 'Görevler', [
  get('tasks', 'tasks:read', 'read', 'Yakında', ['List tasks', 'Görevleri listele'], {
    about: [
      'Returns the tasks of the staff, newest first; `overdue=true` returns late tasks.',
      'Çalışanların yapacakları, en yeniden eskiye; `overdue=true` gecikenleri verir.',
    ],
    query: TaskFilters,
    lists: Task,
    synced: true,
    sorts: true,
    run: ({ db, query, page, now, account: { timezone } }) => listTasks(db, query, { now, timezone }, page),
  }),
  post('tasks', 'tasks:write', 'write', 'Yakında', ['Add a task', 'Görev ekle'], {
    about: [
      'Creates a task, optionally assigned to a person and linked to a customer or vehicle of this account.',
      'Görev ekler; istenirse bir kişiye atanır ve bir müşteri ya da araçla ilişkilendirilir. Belirtilen kayıtlar bu hesapta bulunmalıdır.',
    ],
    refuses: ['unknown_reference'],
    emits: ['task.created', 'task.completed'],
    bodySchema: createBody(TASK_FIELDS),
    returns: Task,
    successStatus: 201,
    run: ({ work, body }) => addTask(work, body),
  }),
  get('tasks/{task_id}', 'tasks:read', 'read', 'Yakında', ['Read a task', 'Görevi getir'], {
    about: [
      'Returns a task: description, due date, assignee, status, and the linked customer, sale, vehicle or installment.',
      'Bir görevin tümü: ne zamana kadar ne yapılacağı, kimin yapacağı, durumu ve ilgili müşteri, satış, araç ya da taksit.',
    ],
    returns: Task,
    run: ({ db, params, now }) => readTask(db, params.task_id, now),
  }),
  patch('tasks/{task_id}', 'tasks:write', 'write', 'Yakında', ['Edit or move a task', 'Görevi düzenle veya ilerlet'], {
    about: [
      'Updates the fields you send and the status. Fails if the current status does not allow the change.',
      'Verilen alanları değiştirir ve görevi ilerletir. Şu anki durumun izin vermediği geçiş reddedilir.',
    ],
    refuses: ['unknown_reference', 'invalid_transition'],
    emits: ['task.updated', 'task.completed'],
    bodySchema: patchBody(TASK_FIELDS),
    returns: Task,
    run: ({ work, params, body }) => editTask(work, params.task_id, body),
  }),
  del('tasks/{task_id}', 'tasks:write', 'destructive', 'Yakında', ['Delete a task', 'Görevi sil'], {
    about: ['Deletes a task.', 'Görevi kaldırır.'],
    emits: ['task.deleted'],
    returns: Task,
    run: ({ work, params }) => deleteTask(work, params.task_id),
  }),
]);
