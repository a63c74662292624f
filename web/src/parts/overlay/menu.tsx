// Menus. A list has one in each row, of which few are opened: until its first use a menu is its button, and what it is made of is
// fetched once the first screen is complete.
import { cloneElement, type ReactNode, useState } from 'react';
import { notReached } from '../../connection.ts';
import { settled } from '../../settled.tsx';
import type { MenuChoiceProps, MenuItemProps, MenuProps } from './menu-parts.tsx';

type Parts = typeof import('./menu-parts.tsx');
let parts: Parts | null = null;
async function loadParts(): Promise<void> {
  parts ??= await import('./menu-parts.tsx');
}
// A menu opens without a network, too.
void settled.then(loadParts).catch(() => {});

/** `<Menu trigger={<Button>…</Button>}><MenuItem …/></Menu>` */
export function Menu(props: MenuProps) {
  const [isUsed, setUsed] = useState(false);
  if (isUsed && parts) return <parts.UsedMenu {...props} />;
  const use = () => loadParts().then(() => setUsed(true), notReached);
  return cloneElement(props.trigger, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onClick: use,
    onKeyDown: (event) => {
      if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
      event.preventDefault();
      void use();
    },
  });
}

export function MenuItem(props: MenuItemProps) {
  const { MenuItem: Item } = parts!;
  return <Item {...props} />;
}

export function MenuHeading({ children }: { readonly children: ReactNode }) {
  return <div className="px-2 pt-1.5 pb-1 text-12 text-text-3">{children}</div>;
}

export function MenuLine() {
  const { MenuLine: Line } = parts!;
  return <Line />;
}

export function MenuChoice<T extends string>(props: MenuChoiceProps<T>) {
  const { MenuChoice: Choice } = parts!;
  return <Choice {...props} />;
}
