import { createRoute, Link } from '@tanstack/react-router';
import { useTexts } from '../language.ts';
import { buttonLook } from '../parts/button.tsx';
import { PageHeader } from '../parts/page/page-header.tsx';
import { partsTexts } from '../texts/parts.ts';
import { shellRoute } from './route.tsx';

export function NotFound() {
  const t = useTexts(partsTexts);
  return (
    <>
      <PageHeader title={t.notFound} description={t.notFoundHint} />
      <Link to="/" className={buttonLook('secondary')}>
        {t.toOverview}
      </Link>
    </>
  );
}

/** The page for unknown addresses, within the frame. */
export const notFoundRoute = createRoute({ getParentRoute: () => shellRoute, path: '$', component: NotFound });
