import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTexts } from '../../language.ts';
import { buttonLook } from '../../parts/button.tsx';
import { PageHeader } from '../../parts/page/page-header.tsx';
import { useSession } from '../../session.ts';
import { partsTexts } from '../../texts/parts.ts';

/** Shows a message to everyone else; the server refuses them anyway. */
export function OnlyAdmins({ children }: { readonly children: ReactNode }) {
  const t = useTexts(partsTexts);
  const { person } = useSession();
  if (person.is_admin) return children;
  return (
    <>
      <PageHeader title={t.forbidden} description={t.forbiddenHint} />
      <Link to="/" className={buttonLook('secondary')}>
        {t.toOverview}
      </Link>
    </>
  );
}
