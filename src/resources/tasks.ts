// What the staff have to do, tied to a customer, sale, vehicle or installment where it helps.
import { del, get, patch, post, resource } from '../kit/endpoint.ts';

export const tasks = resource('Tasks', 'Görevler', [
  get('tasks', 'tasks:read', 'read', 'Yakında', ['List tasks', 'Görevleri listele']),
  post('tasks', 'tasks:write', 'write', 'Yakında', ['Add a task', 'Görev ekle']),
  get('tasks/{task_id}', 'tasks:read', 'read', 'Yakında', ['Read a task', 'Görevi getir']),
  patch('tasks/{task_id}', 'tasks:write', 'write', 'Yakında', ['Edit or move a task', 'Görevi düzenle veya ilerlet']),
  del('tasks/{task_id}', 'tasks:write', 'destructive', 'Yakında', ['Delete a task', 'Görevi sil']),
]);
