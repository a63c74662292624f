// Tabs with their own addresses are links; tabs within a part are Base UI's.
import { Tabs as Base } from '@base-ui/react/tabs';
import { Link } from '@tanstack/react-router';
import { type ComponentProps, type ReactNode, useEffect, useRef } from 'react';
import { cx } from '../cx.ts';

const BAR = 'mb-4 flex gap-1 overflow-x-auto border-b border-line';
const TAB =
  'inline-flex min-h-9 shrink-0 items-center gap-1.5 border-b-2 border-transparent px-2.5 text-13 font-medium text-text-2 no-underline hover:text-text pointer-coarse:min-h-11';

/** `<TabLinks label="Anahtar"><TabLink to="/api-anahtarlari/$id/genel" params={{ id }}>Genel</TabLink>…</TabLinks>` */
export function TabLinks({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  const bar = useRef<HTMLElement>(null);
  // On a phone the tabs scroll, so the open one is scrolled into view.
  useEffect(() => {
    bar.current?.querySelector('[aria-current=page]')?.scrollIntoView({ inline: 'center', block: 'nearest' });
  }, []);
  return (
    <nav ref={bar} aria-label={label} className={BAR}>
      {children}
    </nav>
  );
}

export const TabLink = ((props: ComponentProps<typeof Link>) => (
  <Link
    {...props}
    className={TAB}
    activeProps={{ className: 'border-accent! text-text' }}
    activeOptions={{ includeSearch: false, ...props.activeOptions }}
    replace
  />
)) as typeof Link;

interface TabsProps {
  readonly label: string;
  readonly tabs: readonly { readonly id: string; readonly name: ReactNode; readonly content: ReactNode }[];
}

export function Tabs({ label, tabs }: TabsProps) {
  return (
    <Base.Root defaultValue={tabs[0]?.id ?? null}>
      <Base.List aria-label={label} className={BAR}>
        {tabs.map(({ id, name }) => (
          <Base.Tab key={id} value={id} className={cx(TAB, 'data-[active]:border-accent data-[active]:text-text')}>
            {name}
          </Base.Tab>
        ))}
      </Base.List>
      {tabs.map(({ id, content }) => (
        <Base.Panel key={id} value={id}>
          {content}
        </Base.Panel>
      ))}
    </Base.Root>
  );
}
