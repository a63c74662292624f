// The program of a drawing process (image-worker-pool.ts): draws what it is told to, one picture at a time, until its parent is gone.
import { drawImage, type ToDraw } from './image-resize.ts';

// Ctrl-C in a terminal reaches every process; the parent decides when this one ends.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
process.on('disconnect', () => process.exit(0));
process.on('message', (job: ToDraw) => {
  drawImage(job).then(
    (drawn) => process.send!({ drawn }),
    (error: Error) => process.send!({ failed: error.message }),
  );
});
