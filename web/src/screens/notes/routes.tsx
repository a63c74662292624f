import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { searchOf } from '../../search-params.ts';
import { shellRoute } from '../../shell/route.tsx';
import { NOTE_SEARCH } from './search.ts';

const notes = createRoute({
  getParentRoute: () => shellRoute,
  path: '/senetler',
  validateSearch: searchOf(...NOTE_SEARCH),
  component: lazyRouteComponent(() => import('./screen.tsx'), 'NotesScreen'),
});

export const notesRoutes = [notes] as const;
