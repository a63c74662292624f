// Search, order and filters of the board, each of them in the address; and the offer of a reminder rule where there is none.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { BellRing } from 'lucide-react';
import type { Reminder } from '../../../../src/domain/accounts/accounts-states.ts';
import { BOARD_SORTS } from '../../../../src/domain/receivables/receivables-states.ts';
import { call } from '../../api.ts';
import { useTexts } from '../../language.ts';
import { Button } from '../../parts/button.tsx';
import { notify } from '../../parts/overlay/toast.tsx';
import { FilterBar, FilterSelect, SearchInput } from '../../parts/table/filters.tsx';
import { useBranches } from '../../records/branches.ts';
import { useRole, useSession } from '../../session.ts';
import { receivablesTexts } from './texts.ts';

export interface BoardSearch {
  readonly lane?: string | undefined;
  readonly q?: string | undefined;
  readonly sort?: string | undefined;
  readonly mine?: string | undefined;
  readonly branch_id?: string | undefined;
}

/** Without the lane, which only says where to scroll. */
export const filtersOf = ({ lane: _, ...filters }: BoardSearch): Omit<BoardSearch, 'lane'> => filters;

interface BoardFiltersProps {
  readonly search: BoardSearch;
  readonly onChange: (search: BoardSearch) => void;
}

export function BoardFilters({ search, onChange }: BoardFiltersProps) {
  const t = useTexts(receivablesTexts);
  const branches = useBranches();
  const { account } = useSession();
  // The board of a salesperson has their own sales only.
  const isMember = account?.member_id != null && account.role !== 'sales';
  const change = (part: BoardSearch) => onChange({ ...filtersOf(search), ...part });
  const isFiltered = Boolean(search.q || search.mine || search.branch_id);
  return (
    <FilterBar onClear={isFiltered ? () => onChange(search.sort ? { sort: search.sort } : {}) : undefined}>
      <SearchInput label={t.searchBoard} value={search.q ?? ''} onChange={(q) => change({ q })} />
      <FilterSelect
        label={t.order}
        value={search.sort ?? 'delay'}
        options={BOARD_SORTS.map((value) => ({ value: value as string, label: t.orders[value] }))}
        onChange={(sort) => change({ sort: sort === 'delay' ? undefined : sort })}
      />
      {isMember && (
        <FilterSelect
          label={t.whose}
          none={t.everyones}
          value={search.mine}
          options={[{ value: 'true', label: t.mine }]}
          onChange={(mine) => change({ mine })}
        />
      )}
      {(branches.length > 1 || search.branch_id) && (
        <FilterSelect
          label={t.branch}
          none={t.anyBranch}
          value={search.branch_id}
          options={branches.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={(branch_id) => change({ branch_id })}
        />
      )}
    </FilterBar>
  );
}

const FIRST_RULES: readonly Reminder[] = [
  { day: -3, channel: 'WhatsApp', active: true },
  { day: 0, channel: 'WhatsApp', active: true },
];

/** The account's own rules for WhatsApp are switched on; where it has none, two usual ones are added. */
function withRules(rules: readonly Reminder[]): readonly Reminder[] {
  const isWhatsApp = ({ channel }: Reminder): boolean => channel === 'WhatsApp';
  const own = rules.map((rule) => (isWhatsApp(rule) ? { ...rule, active: true } : rule));
  return rules.some(isWhatsApp) ? own : [...own, ...FIRST_RULES];
}

export function RuleOffer() {
  const t = useTexts(receivablesTexts);
  const isOwner = useRole('owner');
  const client = useQueryClient();
  const add = useMutation({
    mutationFn: async () => {
      const { reminders } = await call('GET settings', {});
      return call('PATCH settings', { body: { reminders: [...withRules(reminders)] } });
    },
    onSuccess: () => {
      notify({ title: t.ruleAdded });
      return Promise.all([
        client.invalidateQueries({ queryKey: ['receivables'] }),
        client.invalidateQueries({ queryKey: ['settings'] }),
      ]);
    },
    onError: (error) => notify({ title: t.ruleFailed, text: error.message, failed: true }),
  });
  return (
    <div className="card mb-3 flex flex-wrap items-center gap-x-4 gap-y-2 p-3">
      <BellRing aria-hidden className="size-4 shrink-0 text-write" />
      <p className="m-0 min-w-0 flex-1 basis-60 text-13">
        <span className="font-medium">{t.noRule}</span>{' '}
        <span className="text-text-2">{isOwner ? t.noRuleOffer : t.noRuleAsk}</span>
      </p>
      {isOwner && (
        <Button busy={add.isPending} onClick={() => add.mutate()}>
          {t.addRule}
        </Button>
      )}
    </div>
  );
}
