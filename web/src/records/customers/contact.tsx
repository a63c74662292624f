// A customer's phone and e-mail. Masked values are shown without a link.

import { Ban, type LucideIcon, Shield, ShieldCheck, TriangleAlert } from 'lucide-react';
import type { RiskLevel } from '../../../../src/domain/customers/customer-states.ts';
import { phoneText } from '../../../../src/domain/formats/phone-text.ts';
import { useTexts } from '../../language.ts';
import { Badge } from '../../parts/badges.tsx';
import { OutsideLink } from '../../parts/outside-link.tsx';
import { None } from '../../parts/values.tsx';
import { customerTexts } from './customer-texts.ts';

const LEVELS: Readonly<Record<RiskLevel, { tone: 'live' | 'soon' | 'write' | 'dest'; icon: LucideIcon }>> = {
  low: { tone: 'live', icon: ShieldCheck },
  medium: { tone: 'soon', icon: Shield },
  high: { tone: 'write', icon: TriangleAlert },
  blocked: { tone: 'dest', icon: Ban },
};

export function RiskBadge({ level }: { readonly level: RiskLevel }) {
  const t = useTexts(customerTexts);
  return <Badge {...LEVELS[level]}>{t.levels[level]}</Badge>;
}

const isMasked = (text: string): boolean => text.includes('•');
const LINK = 'text-text no-underline hover:underline';

/** `plain`: without a link, for lists, where a click opens the row. */
interface Plain {
  readonly plain?: boolean;
}

export function Phone({ phone, plain = false }: Plain & { readonly phone: string }) {
  const text = <span className="tabular whitespace-nowrap">{phoneText(phone)}</span>;
  return plain || isMasked(phone) ? (
    text
  ) : (
    <OutsideLink to={{ phone }} inSandbox="text" className={LINK}>
      {text}
    </OutsideLink>
  );
}

export function Email({ email, plain = false }: Plain & { readonly email: string | null }) {
  if (email === null) return <None />;
  return plain || isMasked(email) ? (
    <span className="wrap-anywhere">{email}</span>
  ) : (
    <OutsideLink to={{ email }} inSandbox="text" className={`${LINK} wrap-anywhere`}>
      {email}
    </OutsideLink>
  );
}
