// The program of a process that draws papers (paper-drawing.ts).
import { serveParent } from '../../sharing/worker-program.ts';
import type { Paper } from '../paper.ts';
import { drawAllInto, drawInto, drawPictures } from './draw.ts';

/** Into a file; without a path, as pictures of its pages. */
export type DrawingJob =
  | { readonly paper: Paper; readonly path: string | null }
  | { readonly papers: readonly Paper[]; readonly path: string };

serveParent((job: DrawingJob) => {
  if ('papers' in job) return drawAllInto(job.papers, job.path);
  return job.path === null ? drawPictures(job.paper) : drawInto(job.paper, job.path);
});
