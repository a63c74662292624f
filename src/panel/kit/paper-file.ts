// A paper generated for the browser: it is sent once and not stored.
import { createReadStream } from 'node:fs';
import { type DrawnPaper, drawPaper } from '../../domain/papers/drawing/paper-drawing.ts';
import type { Paper } from '../../domain/papers/paper.ts';
import { fail } from '../../kit/errors.ts';
import { PanelFile } from './endpoint.ts';

/** The file is deleted once it was sent or the browser has disconnected. */
export function sentOnce(drawn: DrawnPaper, name: string, checkedAt: string | null = null): PanelFile {
  const pieces = async function* () {
    try {
      yield* createReadStream(drawn.path) as AsyncIterable<Uint8Array>;
    } finally {
      await drawn.remove();
    }
  };
  return new PanelFile(`${name}.pdf`, 'application/pdf', pieces(), checkedAt);
}

export const fileOf = async (accountId: string, paper: Paper, name: string): Promise<PanelFile> =>
  sentOnce(await drawPaper(paper, accountId), name);

/** A paper shows names unmasked, so administrators who view the account do not get it. */
export function refuseLook({ look }: { readonly look: unknown }): void {
  if (look) fail('not_permitted');
}
