// Reports that go out by mail every week or every month: the list, and a line to add one. For the owner.

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Mail, Trash2 } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import {
  MAIL_FREQUENCIES,
  MAILED_REPORTS,
  MAX_SCHEDULES,
  type MailFrequency,
} from '../../../../src/domain/reports/shapes-states.ts';
import type { FixedReport } from '../../../../src/domain/reports/words-states.ts';
import type { ReportSchedules } from '../../../../src/panel/files/report-schedules.ts';
import { ApiError, call } from '../../api.ts';
import { useTexts } from '../../language.ts';
import { Button } from '../../parts/button.tsx';
import { withoutEmpty } from '../../parts/form/form-body.ts';
import { Field, Select, TextInput } from '../../parts/input/field.tsx';
import { Dialog } from '../../parts/overlay/dialog.tsx';
import { notify } from '../../parts/overlay/toast.tsx';
import { Loaded } from '../../parts/page/loaded.tsx';
import { DateTime } from '../../parts/values.tsx';
import { useSession } from '../../session.ts';
import { partsTexts } from '../../texts/parts.ts';
import { reportsTexts } from './texts.ts';

const KEY = ['report-schedules'];

export function MailButton({ report }: { readonly report: FixedReport }) {
  const t = useTexts(reportsTexts);
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button icon={Mail} onClick={() => setOpen(true)}>
        {t.mail.open}
      </Button>
      <Dialog open={open} onClose={() => setOpen(false)} title={t.mail.open} description={t.mail.description}>
        {open && <Schedules report={report} />}
      </Dialog>
    </>
  );
}

function Schedules({ report }: { readonly report: FixedReport }) {
  const schedules = useQuery({ queryKey: KEY, queryFn: ({ signal }) => call('GET report-schedules', { signal }) });
  return (
    <Loaded query={schedules} rows={3}>
      {(found) => (
        <div className="flex flex-col gap-4">
          <List {...found} />
          <NewSchedule {...found} report={report} />
        </div>
      )}
    </Loaded>
  );
}

function List({ schedules }: ReportSchedules) {
  const t = useTexts(reportsTexts);
  const p = useTexts(partsTexts);
  const client = useQueryClient();
  const { look } = useSession();
  const remove = useMutation({
    mutationFn: (schedule_id: string) => call('DELETE report-schedules/{schedule_id}', { params: { schedule_id } }),
    onSuccess: (left) => client.setQueryData(KEY, left),
    onError: (error) =>
      notify({ title: t.mail.failed, text: error instanceof ApiError ? error.message : p.offline, failed: true }),
  });
  if (schedules.length === 0) return <p className="m-0 text-13 text-text-2">{t.mail.none}</p>;
  return (
    <ul className="m-0 flex list-none flex-col gap-2 p-0">
      {schedules.map(({ id, report, frequency, email, sent_at }) => (
        <li key={id} className="card flex items-center justify-between gap-3 p-3 text-13">
          <div className="min-w-0">
            <div className="font-medium">
              {t.names[report]} · {t.mail.frequencies[frequency]}
            </div>
            <div className="break-all text-text-2">{email}</div>
            <div className="text-12 text-text-2">
              {sent_at === null ? t.mail.notYet : t.mail.last} {sent_at !== null && <DateTime at={sent_at} />}
            </div>
          </div>
          {!look && (
            <Button
              look="quiet"
              icon={Trash2}
              aria-label={t.mail.remove(t.names[report], email)}
              busy={remove.isPending && remove.variables === id}
              onClick={() => remove.mutate(id)}
            />
          )}
        </li>
      ))}
    </ul>
  );
}

function NewSchedule({ can_mail, schedules, report: shown }: ReportSchedules & { readonly report: FixedReport }) {
  const t = useTexts(reportsTexts);
  const p = useTexts(partsTexts);
  const client = useQueryClient();
  const { look, person } = useSession();
  const [report, setReport] = useState(MAILED_REPORTS.includes(shown) ? shown : MAILED_REPORTS[0]!);
  const [frequency, setFrequency] = useState<MailFrequency>('Haftalık');
  const [email, setEmail] = useState(person.email);
  const add = useMutation({
    mutationFn: () => call('POST report-schedules', { rawBody: withoutEmpty({ report, frequency, email }) }),
    onSuccess: (all) => {
      client.setQueryData(KEY, all);
      notify({ title: t.mail.added });
    },
  });
  if (!can_mail) return <p role="status">{t.mail.noMail}</p>;
  if (look || schedules.length >= MAX_SCHEDULES) return null;
  const problem =
    add.error === null
      ? undefined
      : add.error instanceof ApiError
        ? (add.error.of('email') ?? add.error.of('report') ?? add.error.message)
        : p.offline;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    add.mutate();
  };
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-3">
      <Field label={t.report}>
        <Select
          value={report}
          options={MAILED_REPORTS.map((value) => ({ value: value as string, label: t.names[value] }))}
          onChange={(value) => setReport(value as FixedReport)}
        />
      </Field>
      <Field label={t.mail.frequency}>
        <Select
          value={frequency}
          options={MAIL_FREQUENCIES.map((value) => ({ value: value as string, label: t.mail.frequencies[value] }))}
          onChange={(value) => setFrequency(value as MailFrequency)}
        />
      </Field>
      <Field label={t.mail.email} error={problem}>
        <TextInput type="email" value={email} onChange={setEmail} maxLength={254} />
      </Field>
      <p className="m-0 text-12 text-text-2">{t.mail.when[frequency]}</p>
      <span>
        <Button look="primary" type="submit" busy={add.isPending}>
          {t.mail.add}
        </Button>
      </span>
    </form>
  );
}
