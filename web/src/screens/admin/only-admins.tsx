import type { ReactNode } from 'react';
import { useTexts } from '../../language.ts';
import { EmptyState } from '../../parts/states.tsx';
import { useSession } from '../../session.ts';
import { partsTexts } from '../../texts/parts.ts';

/** The server refuses everyone else anyway; this says so without asking it. */
export function OnlyAdmins({ children }: { readonly children: ReactNode }) {
  const t = useTexts(partsTexts);
  const { person } = useSession();
  return person.is_admin ? children : <EmptyState title={t.forbidden} />;
}
