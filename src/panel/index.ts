// Every panel endpoint: each file of them adds its list here.
import type { PanelRow } from './endpoint.ts';
import { sessionRows } from './session.ts';

export const panelRows: readonly PanelRow[] = [...sessionRows];
