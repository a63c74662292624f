// The fixed words of tasks and how a status moves. Read by the panel in the browser too.

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
