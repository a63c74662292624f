// What an open menu is made of. Fetched before the first menu is opened (menu.tsx).
import { Menu as Base } from '@base-ui/react/menu';
import { Check, type LucideIcon } from 'lucide-react';
import { type ComponentProps, type ReactElement, type ReactNode, useEffect, useRef } from 'react';
import { cx } from '../cx.ts';

const ITEM =
  'flex min-h-8 cursor-default items-center gap-2 rounded-control px-2 py-1 text-13 no-underline outline-none select-none ' +
  'data-[highlighted]:bg-soon-bg data-[disabled]:opacity-55 pointer-coarse:min-h-11';

export interface MenuProps {
  /** A button without handlers of its own. */
  readonly trigger: ReactElement<ComponentProps<'button'>>;
  readonly align?: 'start' | 'end';
  readonly children: ReactNode;
}

/** Opens at once, because the button that it replaces was used. */
export function UsedMenu({ trigger, align = 'end', children }: MenuProps) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // After the event that is still on its way, which would close the menu again as a click outside of it.
    const timer = setTimeout(() => {
      button.current?.focus();
      button.current?.click();
    });
    return () => clearTimeout(timer);
  }, []);
  return (
    <Base.Root>
      <Base.Trigger ref={button} render={trigger} />
      <Base.Portal>
        <Base.Positioner sideOffset={6} align={align} className="z-50">
          <Base.Popup
            data-layer
            className="max-h-(--available-height) min-w-52 overflow-y-auto rounded-card bg-card p-1 shadow-pop outline-none"
          >
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

export interface MenuItemProps {
  readonly icon?: LucideIcon;
  readonly danger?: boolean;
  readonly disabled?: boolean;
  readonly onSelect?: () => void;
  /** Another element than a plain item, such as a link of the router. It has no content of its own. */
  readonly render?: ReactElement;
  /** Of a plain link, which loads its page. */
  readonly href?: string;
  readonly children: ReactNode;
}

export function MenuItem({ icon: Icon, danger = false, disabled = false, onSelect, render, href, children }: MenuItemProps) {
  const shown = href === undefined ? render : (props: ComponentProps<'a'>) => <a {...props} href={href} />;
  return (
    <Base.Item
      disabled={disabled}
      onClick={onSelect}
      {...(shown ? { render: shown } : {})}
      className={cx(ITEM, danger ? 'text-danger' : 'text-text')}
    >
      {Icon && <Icon aria-hidden className={cx('size-4 shrink-0', !danger && 'text-text-3')} />}
      {children}
    </Base.Item>
  );
}

export function MenuLine() {
  return <Base.Separator className="my-1 h-px bg-line" />;
}

export interface MenuChoiceProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly options: readonly { readonly value: T; readonly label: ReactNode }[];
  readonly onChange: (value: T) => void;
}

/** A group of radio items in a menu. */
export function MenuChoice<T extends string>({ label, value, options, onChange }: MenuChoiceProps<T>) {
  return (
    <Base.Group>
      <Base.GroupLabel className="px-2 pt-1.5 pb-1 text-12 text-text-3">{label}</Base.GroupLabel>
      <Base.RadioGroup value={value} onValueChange={(next: T) => onChange(next)}>
        {options.map((option) => (
          <Base.RadioItem key={option.value} value={option.value} closeOnClick className={cx(ITEM, 'text-text')}>
            <span className="grid size-4 place-items-center">
              <Base.RadioItemIndicator>
                <Check aria-hidden className="size-4 text-accent" />
              </Base.RadioItemIndicator>
            </span>
            {option.label}
          </Base.RadioItem>
        ))}
      </Base.RadioGroup>
    </Base.Group>
  );
}
