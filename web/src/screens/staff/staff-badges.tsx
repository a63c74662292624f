import { CircleCheck, CircleSlash, LogIn, Minus, ShieldCheck } from 'lucide-react';
import { useTexts } from '../../language.ts';
import { Badge } from '../../parts/badges.tsx';
import type { StaffPerson } from './staff-person.ts';
import { staffTexts } from './texts.ts';
import { usersTexts } from './users-texts.ts';

/** Whether the person signs in, and with a second step. */
export function SignInBadge({ person: { signs_in, member } }: { readonly person: StaffPerson }) {
  const t = useTexts(staffTexts);
  const u = useTexts(usersTexts);
  if (member?.has_totp)
    return (
      <Badge tone="live" icon={ShieldCheck}>
        {u.totpOn}
      </Badge>
    );
  return (
    <Badge tone={signs_in ? 'read' : 'soon'} icon={signs_in ? LogIn : Minus}>
      {signs_in ? t.yes : t.no}
    </Badge>
  );
}

export function StateBadge({ active }: { readonly active: boolean }) {
  const t = useTexts(staffTexts);
  return (
    <Badge tone={active ? 'live' : 'soon'} icon={active ? CircleCheck : CircleSlash}>
      {active ? t.active : t.inactive}
    </Badge>
  );
}
