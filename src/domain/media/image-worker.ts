// The program of a worker process (image-worker-pool.ts): resizes one picture at a time until its parent is gone.
import { type ResizeJob, resizeImage } from './image-resize.ts';

// Ctrl-C in a terminal reaches every process; the parent decides when this one ends.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
process.on('disconnect', () => process.exit(0));
process.on('message', (job: ResizeJob) => {
  resizeImage(job).then(
    (result) => process.send!({ result }),
    (error: Error) => process.send!({ failed: error.message }),
  );
});
