import type { ReactNode } from 'react';
import { useTexts } from '../../language.ts';
import { PageHeader } from '../../parts/page-header.tsx';
import { useSession } from '../../session.ts';
import { partsTexts } from '../../texts/parts.ts';

/** The server refuses everyone else anyway; this says so without asking it. */
export function OnlyAdmins({ children }: { readonly children: ReactNode }) {
  const t = useTexts(partsTexts);
  const { person } = useSession();
  return person.is_admin ? children : <PageHeader title={t.forbidden} />;
}
