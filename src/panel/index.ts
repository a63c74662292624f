// Every panel endpoint: each file of them adds its list here.

import { catalogRows } from './catalog.ts';
import { countRows } from './counts.ts';
import type { PanelRow } from './endpoint.ts';
import { keyRows } from './keys.ts';
import { sessionRows } from './session.ts';
import { viewRows } from './views.ts';
import { voteRows } from './votes.ts';

export const panelRows: readonly PanelRow[] = [
  ...sessionRows,
  ...keyRows,
  ...viewRows,
  ...countRows,
  ...catalogRows,
  ...voteRows,
];
