// The program of a process that resizes pictures (image-worker-pool.ts).
import { serveParent } from '../sharing/worker-program.ts';
import { type ResizeJob, resizeImage } from './image-resize.ts';

serveParent((job: ResizeJob) => resizeImage(job));
