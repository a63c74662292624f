// Every panel endpoint: each file of them adds its list here.
import type { PanelRow } from './endpoint.ts';

export const panelRows: readonly PanelRow[] = [];
