// The release board on a phone: what is most asked for, then each category with its counts, folded until it is opened.
import { ChevronDown } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import type { ReleaseLine } from '../../../../../src/panel/admin/releases.ts';
import { useLocale, useTexts } from '../../../language.ts';
import { cx } from '../../../parts/cx.ts';
import { useCatalog } from '../../endpoint-picker/catalog-data.ts';
import { adminTexts } from '../texts.ts';

/** As many as one looks through without losing the way. */
const MOST_ASKED = 8;

interface ReleaseGroupsProps {
  readonly lines: readonly ReleaseLine[];
  readonly table: (lines: readonly ReleaseLine[], label: string) => ReactNode;
}

export function ReleaseGroups({ lines, table }: ReleaseGroupsProps) {
  const t = useTexts(adminTexts);
  const locale = useLocale();
  const { view } = useCatalog();
  const voted = lines.filter(({ votes }) => votes > 0).slice(0, MOST_ASKED);
  const groups = (view?.categories ?? []).map(({ id, name }) => ({
    id,
    name: name[locale],
    lines: lines.filter(({ category }) => category === id),
  }));
  return (
    <div className="flex flex-col gap-2">
      {voted.length > 0 && <Group name={t.mostRequested} lines={voted} table={table} startsOpen />}
      {groups.map((group) => group.lines.length > 0 && <Group key={group.id} {...group} table={table} />)}
    </div>
  );
}

interface GroupProps extends ReleaseGroupsProps {
  readonly name: string;
  readonly startsOpen?: boolean;
}

function Group({ name, lines, table, startsOpen = false }: GroupProps) {
  const t = useTexts(adminTexts);
  const [isOpen, setOpen] = useState(startsOpen);
  const listId = useId();
  const soon = lines.filter(({ status }) => status !== 'Aktif').length;
  return (
    <section>
      <h2 className="m-0">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={listId}
          onClick={() => setOpen(!isOpen)}
          className="card flex min-h-12 w-full items-center gap-2 px-3 py-2 text-start"
        >
          <span className="min-w-0 flex-1">
            <span className="block text-14 font-semibold wrap-anywhere">{name}</span>
            <span className="block text-12 font-normal text-text-2">{t.groupCounts(lines.length, soon)}</span>
          </span>
          <ChevronDown aria-hidden className={cx('size-4 shrink-0 text-text-2 transition-transform', !isOpen && '-rotate-90')} />
        </button>
      </h2>
      <div id={listId} hidden={!isOpen} className="mt-2">
        {isOpen && table(lines, name)}
      </div>
    </section>
  );
}
