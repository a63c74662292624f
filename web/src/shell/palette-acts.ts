// What Ctrl+K can begin, besides going to a screen.
import type { LinkProps } from '@tanstack/react-router';
import {
  Banknote,
  CalendarDays,
  CarFront,
  ChartNoAxesCombined,
  FileInput,
  HandCoins,
  Handshake,
  Hourglass,
  KeyRound,
  ListChecks,
  type LucideIcon,
  MessagesSquare,
  Receipt,
  UserPlus,
} from 'lucide-react';
import { mayUse, type Role } from '../../../src/domain/identity/roles.ts';
import type { Scope } from '../../../src/kit/endpoint.ts';
import type { Session } from '../session.ts';
import type { paletteTexts } from './palette-texts.ts';

export interface PaletteAct {
  readonly name: keyof (typeof paletteTexts)['tr']['acts'];
  readonly icon: LucideIcon;
  /** Without one, the act asks for a sale first. */
  readonly to?: NonNullable<LinkProps['to']>;
  readonly search?: Readonly<Record<string, string>>;
  readonly scope?: Scope;
  /** A role that may read the endpoint but not this sum of it. */
  readonly notFor?: Role;
  /** The roles that may, where no endpoint of the catalog says it. */
  readonly who?: readonly Role[];
}

const ACTS: readonly PaletteAct[] = [
  { name: 'sell', icon: Handshake, to: '/satislar/yeni', scope: 'sales:write' },
  { name: 'collect', icon: HandCoins, scope: 'collections:write' },
  { name: 'today', icon: CalendarDays, to: '/tahsilat', scope: 'collections:read' },
  { name: 'aging', icon: Hourglass, to: '/tahsilat/yaslandirma', scope: 'collections:read', notFor: 'sales' },
  { name: 'till', icon: Banknote, to: '/tahsilat/kasa', who: ['owner', 'finance'] },
  { name: 'newExpense', icon: Receipt, to: '/giderler', search: { yeni: '1' }, who: ['owner', 'finance', 'sales'] },
  { name: 'newVehicle', icon: CarFront, to: '/araclar/yeni', scope: 'vehicles:write' },
  { name: 'newCustomer', icon: UserPlus, to: '/musteriler/yeni', scope: 'customers:write' },
  { name: 'newEnquiry', icon: MessagesSquare, to: '/adaylar', scope: 'customers:write' },
  { name: 'newTask', icon: ListChecks, to: '/gorevler', scope: 'tasks:write' },
  { name: 'calendar', icon: CalendarDays, to: '/tahsilat/takvim', scope: 'collections:read' },
  { name: 'cashFlow', icon: ChartNoAxesCombined, to: '/tahsilat/nakit-akisi', scope: 'collections:read', notFor: 'sales' },
  { name: 'upload', icon: FileInput, to: '/ice-aktarim/yeni', who: ['owner'] },
  { name: 'newKey', icon: KeyRound, to: '/api-anahtarlari/yeni', who: ['owner', 'developer'] },
  { name: 'invite', icon: UserPlus, to: '/ekip', who: ['owner'] },
];

export function actsFor({ account, look }: Session): readonly PaletteAct[] {
  if (account === null) return [];
  const isReading = look || account.status === 'Askıda';
  const may = (scope: Scope) => {
    const reads = scope.endsWith(':read');
    return (reads || !isReading) && mayUse(account.role, { scope, risk: reads ? 'read' : 'write' });
  };
  return ACTS.filter(({ notFor }) => notFor !== account.role).filter(({ scope, who }) =>
    scope === undefined ? !isReading && who!.includes(account.role) : may(scope),
  );
}
