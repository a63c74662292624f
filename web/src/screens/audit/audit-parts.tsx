// Parts that the audit list and the view of one entry share.
import { CircleCheck, CircleX } from 'lucide-react';
import { ROLES } from '../../../../src/domain/identity/roles.ts';
import type { AuditLine } from '../../../../src/panel/account/audit.ts';
import { useTexts } from '../../language.ts';
import { Badge } from '../../parts/badges.tsx';
import { shellTexts } from '../../texts/shell.ts';
import { auditTexts } from './texts.ts';

export function OutcomeBadge({ outcome }: { readonly outcome: AuditLine['outcome'] }) {
  const t = useTexts(auditTexts);
  return outcome === 'done' ? (
    <Badge tone="live" icon={CircleCheck}>
      {t.done}
    </Badge>
  ) : (
    <Badge tone="dest" icon={CircleX}>
      {t.denied}
    </Badge>
  );
}

/** The name of the role with which an action was done. */
export function useRoleName(): (role: string | null) => string | null {
  const t = useTexts(auditTexts);
  const { roles } = useTexts(shellTexts);
  return (role) => {
    const known = ROLES.find((one) => one === role);
    if (known !== undefined) return roles[known];
    return role !== null && role in t.special ? t.special[role as keyof typeof t.special] : null;
  };
}
