// The staff's tasks: open ones first, added in one line, completed with one click, edited in a drawer.
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Plus, X } from 'lucide-react';
import type { Task } from '../../../../src/domain/tasks/task.ts';
import { TASK_PRIORITIES, TASK_STATUSES } from '../../../../src/domain/tasks/task-states.ts';
import type { Page } from '../../api.ts';
import { useTexts } from '../../language.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { ChoiceChips } from '../../parts/input/choice-chips.tsx';
import { Loaded } from '../../parts/page/loaded.tsx';
import { PageHeader } from '../../parts/page/page-header.tsx';
import { EmptyState } from '../../parts/page/states.tsx';
import { FilterBar, FilterSelect } from '../../parts/table/filters.tsx';
import { ListEmpty } from '../../parts/table/list-empty.tsx';
import { Pagination } from '../../parts/table/pagination.tsx';
import { useShortcut } from '../../parts/table/row-keys.ts';
import { type Column, Table } from '../../parts/table/table.tsx';
import { None } from '../../parts/values.tsx';
import { useMay } from '../../permissions.ts';
import { CustomerName } from '../../records/customers/customer-name.tsx';
import { dayAhead } from '../../records/due.ts';
import { useStaff } from '../../records/staff.ts';
import { VehicleName } from '../../records/vehicles/vehicle-name.tsx';
import { useSession } from '../../session.ts';
import { Complete } from './complete.tsx';
import { EVERY, isOpen, NEW_TASK, type TaskSearch, tasksQuery } from './data.ts';
import { NewTask, TaskLayer } from './form.tsx';
import { QuickAdd } from './quick-add.tsx';
import { Assignee, Due, PriorityMark, TaskStatusBadge } from './task-parts.tsx';
import { tasksTexts } from './texts.ts';

const OVERDUE = 'overdue';
const DUE = 'due';

export function TasksScreen() {
  const t = useTexts(tasksTexts);
  const search: TaskSearch = useSearch({ from: '/shell/gorevler' });
  const navigate = useNavigate({ from: '/gorevler' });
  const may = useMay('tasks:write');
  const { gorev, ...filters } = search;
  const tasks = useQuery(tasksQuery(filters));
  const go = (next: TaskSearch) => navigate({ search: next });
  const close = () => go(filters);
  useShortcut('x', completeFocused);
  return (
    <>
      <PageHeader
        title={t.title}
        description={t.description}
        actions={
          may && (
            <Button look="primary" icon={Plus} onClick={() => go({ ...search, gorev: NEW_TASK })}>
              {t.create}
            </Button>
          )
        }
      />
      {may && <QuickAdd search={filters} />}
      <TaskFilters search={filters} onChange={go} />
      <Loaded query={tasks} rows={8}>
        {(page) => <TasksTable page={page} search={filters} onChange={go} current={gorev} />}
      </Loaded>
      {may && <p className="mt-3 hidden text-12 text-text-3 lg:block">{t.keys}</p>}
      {gorev === NEW_TASK && may && <NewTask search={filters} onClose={close} />}
      {gorev !== undefined && gorev !== NEW_TASK && <TaskLayer id={gorev} onClose={close} />}
    </>
  );
}

/** Completes the focused row. */
function completeFocused(): void {
  document.activeElement?.closest('tr')?.querySelector<HTMLButtonElement>('button[data-complete]')?.click();
}

interface ListProps {
  readonly search: TaskSearch;
  readonly onChange: (search: TaskSearch) => void;
}

function TaskFilters({ search, onChange }: ListProps) {
  const t = useTexts(tasksTexts);
  const staff = useStaff();
  const { account } = useSession();
  const mine = account?.member_id;
  const zone = account!.timezone;
  const { limit } = search;
  const set = (changed: TaskSearch) => onChange({ ...search, ...changed, offset: '' });
  const people = staff
    .filter(({ id, active }) => active || id === search.assignee_id)
    .map(({ id, full_name }) => ({ value: id, label: id === mine ? t.me(full_name) : full_name }))
    .sort((one, other) => Number(other.value === mine) - Number(one.value === mine));
  const { limit: _, offset: __, ...filters } = search;
  return (
    <>
      <ChoiceChips
        label={t.views}
        value={search.overdue ? OVERDUE : search.due_before && !search.status ? DUE : (search.status ?? '')}
        chips={[
          { value: '', label: t.open },
          { value: DUE, label: t.dueToday },
          { value: OVERDUE, label: t.overdue },
          ...TASK_STATUSES.map((value) => ({ value: value as string, label: t.statuses[value] })),
          { value: EVERY, label: t.every },
        ]}
        onChange={(view) =>
          set({
            status: view === OVERDUE || view === DUE ? '' : view,
            overdue: view === OVERDUE ? 'true' : '',
            due_before: view === DUE ? dayAhead(1, zone) : '',
          })
        }
      />
      <FilterBar onClear={Object.values(filters).some(Boolean) ? () => onChange(limit ? { limit } : {}) : undefined}>
        <FilterSelect
          label={t.assignee}
          none={t.anyone}
          value={search.assignee_id}
          options={people}
          onChange={(assignee_id) => set({ assignee_id: assignee_id ?? '' })}
        />
        <FilterSelect
          label={t.priority}
          none={t.anyPriority}
          value={search.priority}
          options={TASK_PRIORITIES.map((value) => ({ value: value as string, label: t.priorities[value] }))}
          onChange={(priority) => set({ priority: priority ?? '' })}
        />
        {search.customer_id && (
          <Narrowed name={t.ofCustomer} onRemove={() => set({ customer_id: '' })}>
            <CustomerName id={search.customer_id} />
          </Narrowed>
        )}
        {search.vehicle_id && (
          <Narrowed name={t.ofVehicle} onRemove={() => set({ vehicle_id: '' })}>
            <VehicleName id={search.vehicle_id} />
          </Narrowed>
        )}
      </FilterBar>
    </>
  );
}

function Narrowed({
  name,
  onRemove,
  children,
}: {
  readonly name: string;
  readonly onRemove: () => void;
  readonly children: React.ReactNode;
}) {
  const t = useTexts(tasksTexts);
  return (
    <span className="inline-flex min-h-[var(--control)] items-center gap-1.5 rounded-control border border-line bg-card pl-2.5 text-13">
      <span className="text-text-2">{name}:</span> {children}
      <IconButton label={t.removeFilter(name)} icon={X} onClick={onRemove} />
    </span>
  );
}

function TasksTable({
  page,
  search,
  onChange,
  current,
}: ListProps & { readonly page: Page<Task>; readonly current: string | undefined }) {
  const t = useTexts(tasksTexts);
  const may = useMay('tasks:write');
  const open = ({ id }: Task) => onChange({ ...search, gorev: id });
  const columns: readonly Column<Task>[] = [
    ...(may
      ? [
          {
            id: 'done',
            head: t.done,
            headHidden: true,
            width: 'w-12',
            onCard: 'corner',
            cell: (task) => <Complete task={task} />,
          } satisfies Column<Task>,
        ]
      : []),
    {
      id: 'title',
      head: t.task,
      onCard: 'title',
      cell: (task) => (
        <Link
          to="/gorevler"
          search={{ ...search, gorev: task.id }}
          className={`font-medium wrap-anywhere no-underline hover:underline ${isOpen(task) ? 'text-text' : 'text-text-2'}`}
        >
          {task.title}
        </Link>
      ),
    },
    { id: 'due', head: t.due, cell: (task) => <Due task={task} /> },
    { id: 'priority', head: t.priority, cell: ({ priority }) => <PriorityMark priority={priority} /> },
    { id: 'status', head: t.status, cell: ({ status }) => <TaskStatusBadge status={status} /> },
    { id: 'assignee', head: t.assignee, cell: ({ assignee_id }) => <Assignee id={assignee_id} /> },
    { id: 'links', head: t.links, cell: (task) => <Links task={task} /> },
  ];
  const isOpenView = !search.status && !search.overdue;
  return (
    <Table
      label={t.label}
      rows={page.items}
      rowKey={({ id }) => id}
      columns={columns}
      onOpen={open}
      isCurrent={({ id }) => id === current}
      empty={<NoTasks search={search} onChange={onChange} />}
      footer={
        isOpenView ? (
          page.hasMore && <p className="m-0 text-13 text-text-2">{t.moreOpen(page.items.length)}</p>
        ) : (
          <Pagination
            page={page}
            onMove={(offset) => onChange({ ...search, offset: offset === 0 ? '' : String(offset) })}
            onLimit={(limit) => onChange({ ...search, limit, offset: '' })}
          />
        )
      }
    />
  );
}

function Links({ task: { customer_id, vehicle_id } }: { readonly task: Task }) {
  if (customer_id === null && vehicle_id === null) return <None />;
  return (
    <span className="flex flex-col items-start text-13 [&_a]:inline-block [&_a]:min-h-6 [&_a]:py-0.5">
      {customer_id && <CustomerName id={customer_id} />}
      {vehicle_id && <VehicleName id={vehicle_id} />}
    </span>
  );
}

function NoTasks({ search, onChange }: ListProps) {
  const t = useTexts(tasksTexts);
  const { limit: _, offset, ...filters } = search;
  const isFiltered = Object.values(filters).some(Boolean);
  return (
    <ListEmpty
      pastEnd={offset ? { title: t.lastPage, toFirst: () => onChange({ ...search, offset: '' }) } : undefined}
      noMatch={isFiltered && { title: t.noMatch, clear: () => onChange({}) }}
    >
      <EmptyState title={t.emptyTitle}>{t.emptyText}</EmptyState>
    </ListEmpty>
  );
}
