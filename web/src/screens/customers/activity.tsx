// A customer's activity: calls, visits, notes and system entries, newest first, with a form to add one.

import { useInfiniteQuery } from '@tanstack/react-query';
import { AtSign, Bot, Footprints, type LucideIcon, MessageCircle, MessageSquare, NotebookPen, Phone } from 'lucide-react';
import { useState } from 'react';
import { ACTIVITY_KINDS, MANUAL_KINDS } from '../../../../src/domain/customers/customer-states.ts';
import { startOfDay } from '../../../../src/kit/clock.ts';
import { call } from '../../api.ts';
import { businessNow } from '../../clock.ts';
import type { RawBody } from '../../endpoints.ts';
import { useTexts } from '../../language.ts';
import { Button } from '../../parts/button.tsx';
import { withoutEmpty } from '../../parts/form/form-body.ts';
import { useWrite } from '../../parts/form/form-write.ts';
import { ErrorSummary, problemOf } from '../../parts/input/error-summary.tsx';
import { Field, Select, TextArea, TextInput } from '../../parts/input/field.tsx';
import { ErrorState, Skeleton } from '../../parts/page/states.tsx';
import { FilterSelect } from '../../parts/table/filters.tsx';
import { DateTime } from '../../parts/values.tsx';
import { useMay } from '../../permissions.ts';
import { useCustomersChanged } from '../../records/customers/customers.ts';
import { useStaff } from '../../records/staff.ts';
import { useFormat, useSession } from '../../session.ts';
import { type ActivityKind, type ActivityLine, activityQuery } from './data.ts';
import { customerWriteTexts } from './write-texts.ts';

const ICONS: Readonly<Record<ActivityKind, LucideIcon>> = {
  Arama: Phone,
  SMS: MessageSquare,
  WhatsApp: MessageCircle,
  'E-posta': AtSign,
  Ziyaret: Footprints,
  Not: NotebookPen,
  Sistem: Bot,
};

export function Activity({ customerId }: { readonly customerId: string }) {
  const w = useTexts(customerWriteTexts);
  const may = useMay('customers:write');
  const [kind, setKind] = useState<ActivityKind>();
  const lines = useInfiniteQuery(activityQuery(customerId, kind));
  const kinds = ACTIVITY_KINDS.map((value) => ({ value, label: w.kinds[value] }));
  return (
    <section className="card min-w-0 p-4" aria-label={w.activity}>
      <div className="mb-3 flex flex-wrap items-center justify-between gap-2">
        <h2 className="m-0 text-14 font-semibold">{w.activity}</h2>
        <FilterSelect<ActivityKind> label={w.activityKind} none={w.allKinds} value={kind} options={kinds} onChange={setKind} />
      </div>
      {may && <AddActivity customerId={customerId} />}
      {lines.isPending ? (
        <Skeleton className="h-40 w-full" />
      ) : lines.isError ? (
        <ErrorState error={lines.error} onRetry={lines.refetch} />
      ) : (
        <Lines lines={lines.data.pages.flatMap(({ items }) => items)} isFiltered={kind !== undefined} may={may} />
      )}
      {lines.hasNextPage && (
        <Button look="quiet" busy={lines.isFetchingNextPage} onClick={() => lines.fetchNextPage()} className="mt-2">
          {w.more}
        </Button>
      )}
    </section>
  );
}

interface LinesProps {
  readonly lines: readonly ActivityLine[];
  readonly isFiltered: boolean;
  readonly may: boolean;
}

function Lines({ lines, isFiltered, may }: LinesProps) {
  const w = useTexts(customerWriteTexts);
  if (lines.length === 0) return <p className="m-0 text-text-2">{may && !isFiltered ? w.noActivity : w.noActivityRead}</p>;
  return (
    <ol className="m-0 list-none p-0">
      {lines.map((line) => (
        <Line key={line.id} line={line} />
      ))}
    </ol>
  );
}

function Line({ line }: { readonly line: ActivityLine }) {
  const w = useTexts(customerWriteTexts);
  const Icon = ICONS[line.kind];
  return (
    <li className="relative flex gap-3 pb-4 last:pb-0 before:absolute before:top-7 before:bottom-0 before:left-3.5 before:w-px before:bg-line last:before:hidden">
      <span className="grid size-7 shrink-0 place-items-center rounded-card bg-soon-bg text-soon">
        <Icon aria-hidden className="size-4" />
      </span>
      <div className="min-w-0 flex-1">
        <p className="m-0 flex flex-wrap items-baseline justify-between gap-x-3">
          <span className="font-medium">{w.kinds[line.kind]}</span>
          <span className="text-12 text-text-2">
            <DateTime at={line.occurred_at} />
          </span>
        </p>
        <p className="m-0 whitespace-pre-line wrap-anywhere">{line.note}</p>
        <p className="m-0 text-12 text-text-2">
          {line.source === 'system' ? w.bySystem : line.staff_id && <StaffName id={line.staff_id} />}
        </p>
      </div>
    </li>
  );
}

/** The name of a member of the staff, even if they have left. */
function StaffName({ id }: { readonly id: string }) {
  return useStaff().find((one) => one.id === id)?.full_name ?? null;
}

/** A short form, so that a call can be noted quickly. */
function AddActivity({ customerId }: { readonly customerId: string }) {
  const w = useTexts(customerWriteTexts);
  const { account } = useSession();
  const { zone } = useFormat();
  const changed = useCustomersChanged();
  const [kind, setKind] = useState<string>('Arama');
  const [note, setNote] = useState('');
  const [at, setAt] = useState('');
  const write = useWrite({
    send: (typed: RawBody<'POST v1/customers/{customer_id}/activity'>, headers) =>
      call('POST v1/customers/{customer_id}/activity', {
        params: { customer_id: customerId },
        rawBody: withoutEmpty(typed),
        headers,
      }),
    onDone: () => {
      setNote('');
      setAt('');
      return changed();
    },
  });
  const add = () =>
    write.run({
      kind,
      note,
      occurred_at: at === '' ? undefined : instantOf(at, zone),
      staff_id: account?.member_id ?? undefined,
    });
  const names = { kind: w.activityKind, note: w.activityNote, occurred_at: w.activityAt };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        add();
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        add();
      }}
      className="mb-4 flex flex-col gap-3 border-b border-line pb-4"
    >
      {/* Visible in the list below; announced to screen readers. */}
      <span role="status" className="sr-only">
        {write.isSuccess && w.activityAdded}
      </span>
      {write.error && <ErrorSummary error={write.error} names={names} />}
      <Field id="note" label={w.activityNote} error={problemOf(write.error, 'note', w.activityNote)}>
        <TextArea rows={2} maxLength={2000} value={note} onChange={setNote} />
      </Field>
      <div className="flex flex-wrap items-end gap-2">
        <div className="w-32">
          <Field id="kind" label={w.activityKind} labelHidden error={problemOf(write.error, 'kind', w.activityKind)}>
            <Select value={kind} onChange={setKind} options={MANUAL_KINDS.map((value) => ({ value, label: w.kinds[value] }))} />
          </Field>
        </div>
        <ActivityTime at={at} onChange={setAt} error={write.error} />
        <Button look="primary" type="submit" busy={write.isPending} className="ml-auto">
          {w.activityAdd}
        </Button>
      </div>
    </form>
  );
}

interface ActivityTimeProps {
  /** Empty for now. */
  readonly at: string;
  readonly onChange: (at: string) => void;
  readonly error: unknown;
}

function ActivityTime({ at, onChange, error }: ActivityTimeProps) {
  const w = useTexts(customerWriteTexts);
  const { zone } = useFormat();
  if (at === '')
    return (
      <Button look="quiet" onClick={() => onChange(localNow(zone))}>
        {w.activityEarlier}
      </Button>
    );
  return (
    <>
      <div className="w-52">
        <Field id="occurred_at" label={w.activityAt} labelHidden error={problemOf(error, 'occurred_at', w.activityAt)}>
          <TextInput type="datetime-local" max={localNow(zone)} value={at} onChange={onChange} />
        </Field>
      </div>
      <Button look="quiet" onClick={() => onChange('')}>
        {w.activityNow}
      </Button>
    </>
  );
}

/** `2026-11-15T09:30`, in the dealer's time zone. */
function localNow(zone: string): string {
  const parts = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' }).format(
    businessNow(),
  );
  return parts.replace(' ', 'T');
}

/** Converts it back to an instant; the server refuses a half-typed one. */
function instantOf(local: string, zone: string): string {
  const match = /^(\d{4}-\d\d-\d\d)T(\d\d):(\d\d)/.exec(local);
  if (match === null) return local;
  const [, day, hours, minutes] = match;
  return new Date(startOfDay(day!, zone).getTime() + (Number(hours) * 60 + Number(minutes)) * 60_000).toISOString();
}
