// What Ctrl+K can begin, besides going to a screen.
import type { LinkProps } from '@tanstack/react-router';
import { Banknote, CalendarDays, CarFront, HandCoins, Handshake, Hourglass, type LucideIcon, UserPlus } from 'lucide-react';
import { mayUse } from '../../../src/domain/identity/roles.ts';
import type { Scope } from '../../../src/kit/endpoint.ts';
import type { Session } from '../session.ts';
import type { paletteTexts } from './palette-texts.ts';

export interface PaletteAct {
  readonly name: keyof (typeof paletteTexts)['tr']['acts'];
  readonly icon: LucideIcon;
  /** Without one, the act asks for a sale first. */
  readonly to?: NonNullable<LinkProps['to']>;
  readonly scope: Scope;
}

const ACTS: readonly PaletteAct[] = [
  { name: 'sell', icon: Handshake, to: '/satislar/yeni', scope: 'sales:write' },
  { name: 'collect', icon: HandCoins, scope: 'collections:write' },
  { name: 'today', icon: CalendarDays, to: '/tahsilat', scope: 'collections:read' },
  { name: 'aging', icon: Hourglass, to: '/tahsilat/yaslandirma', scope: 'collections:read' },
  { name: 'till', icon: Banknote, to: '/tahsilat/kasa', scope: 'collections:read' },
  { name: 'newVehicle', icon: CarFront, to: '/araclar/yeni', scope: 'vehicles:write' },
  { name: 'newCustomer', icon: UserPlus, to: '/musteriler/yeni', scope: 'customers:write' },
];

export function actsFor({ account, look }: Session): readonly PaletteAct[] {
  if (account === null) return [];
  const isReading = look || account.status === 'Askıda';
  const may = (scope: Scope) => {
    const reads = scope.endsWith(':read');
    return (reads || !isReading) && mayUse(account.role, { scope, risk: reads ? 'read' : 'write' });
  };
  return ACTS.filter(({ scope }) => may(scope));
}
