// The fixed values of tasks and the allowed changes of status. The panel in the browser imports them too.

export const TASK_STATUSES = ['Yapılacak', 'Devam Ediyor', 'Tamamlandı', 'İptal'] as const;

export type TaskStatus = (typeof TASK_STATUSES)[number];

export const TASK_PRIORITIES = ['Düşük', 'Normal', 'Yüksek'] as const;

const MOVES: Readonly<Record<TaskStatus, readonly TaskStatus[]>> = {
  Yapılacak: ['Devam Ediyor', 'Tamamlandı', 'İptal'],
  'Devam Ediyor': ['Yapılacak', 'Tamamlandı', 'İptal'],
  Tamamlandı: ['Yapılacak'],
  İptal: [],
};

export const mayMove = (from: TaskStatus, to: TaskStatus): boolean => from === to || MOVES[from].includes(to);
