import { createRoute } from '@tanstack/react-router';
import { lazyScreen } from '../../lazy-screen.ts';
import { searchOf } from '../../search-params.ts';
import { shellRoute } from '../../shell/route.tsx';
import { NOTE_SEARCH } from './search.ts';

const notes = createRoute({
  getParentRoute: () => shellRoute,
  path: '/senetler',
  validateSearch: searchOf(...NOTE_SEARCH),
  component: lazyScreen(() => import('./screen.tsx'), 'NotesScreen'),
});

export const notesRoutes = [notes] as const;
