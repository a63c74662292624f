// The program of a process that draws papers (paper-drawing.ts).
import { serveParent } from '../../sharing/worker-program.ts';
import type { Paper } from '../paper.ts';
import { drawInto } from './draw.ts';

serveParent(({ paper, path }: { readonly paper: Paper; readonly path: string }) => drawInto(paper, path));
