// A list of records: a table with a sticky header, cards below 640 px. J and K move between rows, Enter opens one.
import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react';
import { type KeyboardEvent, type MouseEvent, type ReactNode, useEffect, useRef } from 'react';
import { useTexts } from '../../language.ts';
import { partsTexts } from '../../texts/parts.ts';
import { cx } from '../cx.ts';
import { useRowKeys } from './row-keys.ts';

export interface Column<Row> {
  readonly id: string;
  readonly head: string;
  /** The heading on a phone, where the column replaces others that are left out. */
  readonly narrowHead?: string;
  readonly cell: (row: Row) => ReactNode;
  readonly align?: 'end';
  /** Can be sorted by. */
  readonly sorts?: boolean;
  /**
   * On a card: `title` is on top without a label, `hide` is left out, `corner` (the row's menu) is at the top right; `only` is a
   * line of the card and not a column.
   */
  readonly onCard?: 'title' | 'hide' | 'only' | 'corner';
  /** A class for its width: 'w-24'. */
  readonly width?: string;
  /** Gives way to the others where there is no room for all: `first` on all but wide screens, `second` on tablets too. */
  readonly givesWay?: keyof typeof GIVES_WAY;
  /** The heading is only for screen readers, for columns of checkboxes or buttons. */
  readonly headHidden?: boolean;
}

export interface Sort {
  readonly by: string;
  readonly descending: boolean;
}

interface TableProps<Row> {
  /** The accessible name: «API anahtarları». */
  readonly label: string;
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  readonly columns: readonly Column<Row>[];
  /** Called on Enter or a click anywhere in the row; one cell has a real link besides. */
  readonly onOpen?: (row: Row) => void;
  readonly sort?: Sort;
  readonly onSort?: (sort: Sort) => void;
  /** Marks the row that is open beside the list. */
  readonly isCurrent?: (row: Row) => boolean;
  /** Stays a table on phones, without the columns that a card would hide. */
  readonly slim?: boolean;
  /** More columns than a screen holds: the table scrolls in its card. */
  readonly isWide?: boolean;
  /** Shown below the last row: pages, a sum. */
  readonly footer?: ReactNode;
  readonly empty?: ReactNode;
}

/** On small screens rows are laid out as cards; the roles keep the table semantics for screen readers. */
const ROLE = {
  table: { role: 'table' },
  group: { role: 'rowgroup' },
  row: { role: 'row' },
  head: { role: 'columnheader' },
  cell: { role: 'cell' },
};

/** Below 1536 and below 1280 px. Cards have a choice of their own. */
const GIVES_WAY = { first: 'max-2xl:hidden', second: 'sm:max-xl:hidden' } as const;

/** The row's menu stays in sight where the table is wider than its place and scrolls. */
const PINNED = 'max-xl:sm:sticky max-xl:sm:right-0 max-xl:sm:bg-card max-xl:sm:group-hover:bg-subtle';

export function Table<Row>(props: TableProps<Row>) {
  const { label, rows, rowKey, columns, onOpen, isCurrent, slim = false, isWide = false, footer, empty } = props;
  const body = useRef<HTMLTableSectionElement>(null);
  useRowKeys(body);
  const keepFocus = useKeptFocus(rows);
  if (rows.length === 0 && empty !== undefined) return <div className="card">{empty}</div>;
  return (
    <div className={cx('card', !slim && 'table-cards')}>
      <section
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by the keyboard
        tabIndex={0}
        {...keepFocus}
        // `relative`, so that visually hidden texts are clipped here too and do not widen the page.
        className={cx('relative overflow-x-auto rounded-card', !isWide && 'xl:overflow-visible')}
      >
        <table {...ROLE.table} className="w-full border-separate border-spacing-0 text-start">
          <Head {...props} />
          <tbody {...ROLE.group} ref={body}>
            {rows.map((row) => (
              <tr
                {...ROLE.row}
                key={rowKey(row)}
                tabIndex={-1}
                aria-current={isCurrent?.(row) || undefined}
                onClick={(event) => onOpen && !isControl(event) && onOpen(row)}
                onKeyDown={(event) => opens(event) && onOpen?.(row)}
                className={cx('group', onOpen && 'cursor-pointer hover:bg-subtle', 'aria-[current]:bg-accent-soft')}
              >
                {columns.map((column) => (
                  <td
                    {...ROLE.cell}
                    key={column.id}
                    data-label={column.headHidden ? undefined : column.head}
                    data-card={column.onCard}
                    className={cx(
                      'h-[var(--row)] border-b border-line px-3 py-1 group-last:border-b-0',
                      column.align === 'end' && 'num',
                      column.onCard === 'only' && 'sm:hidden',
                      column.givesWay && GIVES_WAY[column.givesWay],
                      slim && column.onCard === 'hide' && 'max-sm:hidden',
                      column.onCard === 'corner' && PINNED,
                    )}
                  >
                    {column.cell(row)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {footer && <div className="border-t border-line px-3 py-2">{footer}</div>}
    </div>
  );
}

/** If the focused row disappears from the list, the focus moves to the list, or to the screen where the list is empty. */
function useKeptFocus(rows: readonly unknown[]) {
  const list = useRef<HTMLElement>(null);
  const isHere = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: looked at whenever the rows are others
  useEffect(() => {
    if (!isHere.current || document.activeElement !== document.body) return;
    (list.current ?? document.querySelector<HTMLElement>('main h1'))?.focus();
  }, [rows]);
  return {
    ref: list,
    onFocus: () => {
      isHere.current = true;
    },
    onBlur: () => {
      isHere.current = false;
    },
  };
}

function Head<Row>({ columns, sort, onSort, slim = false }: TableProps<Row>) {
  return (
    <thead {...ROLE.group}>
      <tr {...ROLE.row}>
        {columns.map((column) => {
          const sorted = sort?.by === column.id ? (sort.descending ? 'descending' : 'ascending') : undefined;
          return (
            <th
              {...ROLE.head}
              key={column.id}
              scope="col"
              aria-sort={column.sorts ? (sorted ?? 'none') : undefined}
              className={cx(
                'h-9 border-b border-line bg-subtle px-3 text-12 font-medium whitespace-nowrap text-text-2 first:rounded-tl-card last:rounded-tr-card',
                'xl:sticky xl:top-[calc(var(--band)+3.5rem)] xl:z-10',
                column.align === 'end' ? 'text-end' : 'text-start',
                column.onCard === 'only' && 'sm:hidden',
                column.givesWay && GIVES_WAY[column.givesWay],
                slim && column.onCard === 'hide' && 'max-sm:hidden',
                column.width,
                column.onCard === 'corner' && 'sm:right-0 max-xl:sm:sticky max-xl:sm:z-10',
              )}
            >
              {column.sorts && onSort ? (
                <SortButton column={column} sort={sort} onSort={onSort} />
              ) : (
                <>
                  <span className={cx(column.headHidden && 'sr-only', column.narrowHead && 'max-sm:hidden')}>{column.head}</span>
                  {column.narrowHead && <span className="sm:hidden">{column.narrowHead}</span>}
                </>
              )}
            </th>
          );
        })}
      </tr>
    </thead>
  );
}

interface SortButtonProps<Row> {
  readonly column: Column<Row>;
  readonly sort: Sort | undefined;
  readonly onSort: (sort: Sort) => void;
}

function SortButton<Row>({ column, sort, onSort }: SortButtonProps<Row>) {
  const t = useTexts(partsTexts);
  const sorted = sort?.by === column.id;
  const Icon = sorted ? (sort.descending ? ArrowDown : ArrowUp) : ChevronsUpDown;
  return (
    <button
      type="button"
      title={t.sortBy(column.head)}
      onClick={() => onSort({ by: column.id, descending: sorted ? !sort.descending : false })}
      className="-mx-1 inline-flex min-h-6 items-center gap-1 rounded-control px-1 hover:text-text"
    >
      {column.head}
      <Icon aria-hidden className={cx('size-3.5', sorted ? 'text-text' : 'text-text-3')} />
    </button>
  );
}

/** Whether a click belongs to a link, button or checkbox of the row, or to a menu or dialog that the row opened. */
function isControl(event: MouseEvent): boolean {
  const target = event.target as HTMLElement;
  return (
    !event.currentTarget.contains(target) ||
    target.closest('a, button, input, select, textarea, label, [role=menuitem]') !== null ||
    (getSelection()?.toString() ?? '') !== ''
  );
}

function opens(event: KeyboardEvent): boolean {
  return event.key === 'Enter' && event.target === event.currentTarget;
}
