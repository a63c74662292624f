// Which role may use which catalog endpoints in the panel, by category; a category expands to its endpoints.
import { useQuery } from '@tanstack/react-query';
import { Check, ChevronDown, ChevronRight, Minus } from 'lucide-react';
import { Fragment, useState } from 'react';
import { ROLES, type Role } from '../../../../src/domain/identity/roles.ts';
import type { Method, Risk } from '../../../../src/kit/endpoint.ts';
import type { RoleCategory } from '../../../../src/panel/account/members.ts';
import { call } from '../../api.ts';
import { useLocale, useTexts } from '../../language.ts';
import { MethodChip, RiskBadge } from '../../parts/badges.tsx';
import { cx } from '../../parts/cx.ts';
import { Loaded } from '../../parts/page/loaded.tsx';
import { partsTexts } from '../../texts/parts.ts';
import { shellTexts } from '../../texts/shell.ts';
import { matrixTexts } from './matrix-texts.ts';

const RISKS: readonly Risk[] = ['read', 'write', 'destructive', 'sensitive'];

export function RoleMatrix() {
  const t = useTexts(matrixTexts);
  const table = useQuery({
    queryKey: ['roles'],
    queryFn: ({ signal }) => call('GET roles', { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <section aria-label={t.endpoints}>
      <p className="mt-0 mb-2 max-w-[72ch] text-text-2">{t.description}</p>
      <Loaded query={table} rows={28}>
        {(data) => <Matrix categories={data} />}
      </Loaded>
    </section>
  );
}

const CELL = 'h-[var(--row)] border-t border-line px-3 py-1 text-start';
/** The first column is sticky while the roles scroll. */
const NAME = 'sticky left-0 z-[1] bg-card';

function Matrix({ categories }: { readonly categories: readonly RoleCategory[] }) {
  const t = useTexts(matrixTexts);
  const shell = useTexts(shellTexts);
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const toggle = (name: string) =>
    setOpen((before) => {
      const next = new Set(before);
      if (!next.delete(name)) next.add(name);
      return next;
    });
  return (
    <section
      aria-label={t.endpoints}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by the keyboard
      tabIndex={0}
      // `relative`, because visually hidden texts inside would otherwise widen the page.
      className="card relative overflow-x-auto"
    >
      <table className="w-full min-w-[860px] border-separate border-spacing-0 text-13">
        <thead>
          <tr className="bg-subtle text-12 text-text-2">
            <th scope="col" className={cx('h-9 rounded-tl-card bg-subtle px-3 text-start font-medium', 'sticky left-0 z-[1]')}>
              {t.category}
            </th>
            {ROLES.map((role) => (
              <th key={role} scope="col" className="h-9 px-3 text-start font-medium">
                {shell.roles[role]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {categories.map((category) => (
            <Category
              key={category.name.en}
              category={category}
              open={open.has(category.name.en)}
              onToggle={() => toggle(category.name.en)}
            />
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface CategoryProps {
  readonly category: RoleCategory;
  readonly open: boolean;
  readonly onToggle: () => void;
}

function Category({ category, open, onToggle }: CategoryProps) {
  const t = useTexts(matrixTexts);
  const locale = useLocale();
  const name = category.name[locale];
  const Icon = open ? ChevronDown : ChevronRight;
  return (
    <Fragment>
      <tr>
        <th scope="row" className={cx(CELL, NAME, 'font-medium')}>
          <button
            type="button"
            aria-expanded={open}
            aria-label={open ? t.collapse(name) : t.expand(name)}
            onClick={onToggle}
            className="-mx-1 inline-flex min-h-7 items-center gap-1 rounded-control px-1 text-start hover:bg-soon-bg"
          >
            <Icon aria-hidden className="size-4 shrink-0 text-text-3" />
            {name}
          </button>
        </th>
        {ROLES.map((role) => (
          <td key={role} className={CELL}>
            <Rights category={category} role={role} />
          </td>
        ))}
      </tr>
      {open && category.rows.map((endpoint) => <EndpointRights key={endpoint.id} endpoint={endpoint} />)}
    </Fragment>
  );
}

/** The rights in words: everything, nothing, or the number of endpoints by risk. */
function Rights({ category, role }: { readonly category: RoleCategory; readonly role: Role }) {
  const t = useTexts(matrixTexts);
  const { risks } = useTexts(partsTexts);
  const allowed = category.rows.filter((endpoint) => endpoint.roles.includes(role));
  if (allowed.length === 0) return <span className="text-text-3">{t.nothing}</span>;
  if (allowed.length === category.rows.length) return <span className="font-medium text-live">{t.all}</span>;
  const parts = RISKS.map((risk) => ({ risk, count: allowed.filter((endpoint) => endpoint.risk === risk).length })).filter(
    ({ count }) => count > 0,
  );
  return (
    <span className="flex flex-wrap gap-x-2 text-text-2">
      {parts.map(({ risk, count }) => (
        <span key={risk} className="whitespace-nowrap">
          {risks[risk]} <span className="tabular">{count}</span>
        </span>
      ))}
    </span>
  );
}

function EndpointRights({ endpoint }: { readonly endpoint: RoleCategory['rows'][number] }) {
  const t = useTexts(matrixTexts);
  const locale = useLocale();
  return (
    <tr>
      <th scope="row" className={cx(CELL, NAME, 'max-w-[56vw] font-normal sm:max-w-none')}>
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1 py-1 pl-5">
          <MethodChip method={endpoint.method as Method} />
          <span className="min-w-0">
            <span className="block">{endpoint.name[locale]}</span>
            <span className="code block wrap-anywhere text-text-2">{endpoint.path}</span>
          </span>
          {endpoint.risk !== 'read' && <RiskBadge risk={endpoint.risk} />}
        </span>
      </th>
      {ROLES.map((role) => {
        const allowed = endpoint.roles.includes(role);
        const Icon = allowed ? Check : Minus;
        return (
          <td key={role} className={CELL}>
            <Icon aria-hidden className={cx('size-4', allowed ? 'text-live' : 'text-text-3')} />
            <span className="sr-only">{allowed ? t.allowed : t.refused}</span>
          </td>
        );
      })}
    </tr>
  );
}
