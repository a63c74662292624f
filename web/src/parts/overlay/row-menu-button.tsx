import { Ellipsis } from 'lucide-react';
import type { ComponentProps } from 'react';
import { cx } from '../cx.ts';

/** Opens the menu of a row: `<Menu trigger={<RowMenuButton label="Merkez için işlemler" />}>`. */
export function RowMenuButton({
  label,
  className,
  ...rest
}: Omit<ComponentProps<'button'>, 'children'> & { readonly label: string }) {
  return (
    <button
      type="button"
      {...rest}
      aria-label={label}
      title={label}
      className={cx(
        'inline-grid size-[var(--control)] place-items-center rounded-control text-text-2 hover:bg-soon-bg hover:text-text',
        'data-[popup-open]:bg-soon-bg',
        className,
      )}
    >
      <Ellipsis aria-hidden className="size-4" />
    </button>
  );
}
