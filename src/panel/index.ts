// Every panel endpoint: each file of them adds its list here.

import { auditRows } from './audit.ts';
import { branchRows } from './branches.ts';
import { catalogRows } from './catalog.ts';
import { countRows } from './counts.ts';
import type { PanelRow } from './endpoint.ts';
import { keyRows } from './keys.ts';
import { memberRows } from './members.ts';
import { sessionRows } from './session.ts';
import { settingsRows } from './settings.ts';
import { viewRows } from './views.ts';
import { voteRows } from './votes.ts';

export const panelRows: readonly PanelRow[] = [
  ...sessionRows,
  ...settingsRows,
  ...memberRows,
  ...branchRows,
  ...auditRows,
  ...keyRows,
  ...viewRows,
  ...countRows,
  ...catalogRows,
  ...voteRows,
];
