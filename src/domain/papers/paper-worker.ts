// The program of a drawing process (paper-drawing.ts): draws one paper at a time until its parent is gone.
import { drawInto } from './draw.ts';
import type { Paper } from './paper.ts';

// Ctrl-C in a terminal reaches every process; the parent decides when this one ends.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
process.on('disconnect', () => process.exit(0));
process.on('message', ({ paper, path }: { readonly paper: Paper; readonly path: string }) => {
  drawInto(paper, path).then(
    (drawn) => process.send!({ drawn }),
    (error: Error) => process.send!({ failed: error.message }),
  );
});
