// «İhtar mektubu»: a deadline, then the letter to be printed, and whether the sale is now at the stage of a notice.

import { useState } from 'react';
import { addressOf, call } from '../../api.ts';
import type { RawBody } from '../../endpoints.ts';
import { formatFor } from '../../format.ts';
import { useLocale, useTexts } from '../../language.ts';
import { Button } from '../../parts/button.tsx';
import { FormLayer } from '../../parts/form/form.tsx';
import { withoutEmpty } from '../../parts/form/form-body.ts';
import { type FieldsOf, TextField } from '../../parts/form/form-fields.tsx';
import { useForm } from '../../parts/form/form-state.ts';
import { useWrite } from '../../parts/form/form-write.ts';
import { ErrorSummary } from '../../parts/input/error-summary.tsx';
import { Dialog } from '../../parts/overlay/dialog.tsx';
import { notify } from '../../parts/overlay/toast.tsx';
import { useMay } from '../../permissions.ts';
import { PaperLink } from '../../records/documents/papers.tsx';
import { useSalesChanged, useToday } from '../../records/sales/sales.ts';
import { noticeTexts } from './notice-texts.ts';

interface NoticeProps {
  readonly saleId: string;
  readonly onClose: () => void;
}

const DAYS = 7;
const daysAfter = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);

export function Notice({ saleId, onClose }: NoticeProps) {
  const t = useTexts(noticeTexts);
  const today = useToday();
  const changed = useSalesChanged();
  const [written, setWritten] = useState<Written | null>(null);
  const form = useForm({ deadline: daysAfter(today, DAYS) });
  const write = useWrite({
    send: (typed: RawBody<'POST sales/{sale_id}/notice'>, headers) =>
      call('POST sales/{sale_id}/notice', { params: { sale_id: saleId }, rawBody: withoutEmpty(typed), headers }),
    onDone: (logged) => {
      setWritten(logged);
      return changed();
    },
  });
  if (written !== null) return <Ready saleId={saleId} written={written} onClose={onClose} />;
  const names = { deadline: t.deadline };
  const of: FieldsOf<typeof form.values> = { form, error: write.error, names };
  return (
    <FormLayer
      form={form}
      names={names}
      error={write.error}
      isBusy={write.isPending}
      onSubmit={() => write.run({ deadline: form.values.deadline })}
      onClose={onClose}
      title={t.notice}
      description={t.noticeText}
      action={t.write}
    >
      <TextField of={of} name="deadline" type="date" min={daysAfter(today, 1)} autoFocus />
    </FormLayer>
  );
}

interface Written {
  readonly deadline: string;
  readonly legal_stage: string;
}

function Ready({ saleId, written, onClose }: NoticeProps & { readonly written: Written }) {
  const t = useTexts(noticeTexts);
  const locale = useLocale();
  const changed = useSalesChanged();
  const may = useMay('sales:write') && written.legal_stage === 'Yok';
  const stage = useWrite({
    send: (_: undefined, headers) =>
      call('PATCH v1/sales/{sale_id}', { params: { sale_id: saleId }, body: { legal_stage: 'İhtar' }, headers }),
    onDone: () => {
      notify({ title: t.staged });
      return changed();
    },
  });
  const href = addressOf('GET sales/{sale_id}/notice.pdf', {
    params: { sale_id: saleId },
    query: { deadline: written.deadline },
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title={t.ready}
      description={t.readyText(formatFor(locale, 'UTC').date(written.deadline))}
      footer={
        <>
          <Button onClick={onClose}>{t.close}</Button>
          <PaperLink title={t.notice} href={href} look="primary">
            {t.open}
          </PaperLink>
        </>
      }
    >
      <ErrorSummary error={stage.error} names={{}} />
      {may && !stage.isSuccess && (
        <Button busy={stage.isPending} onClick={() => stage.run(undefined)}>
          {t.stage}
        </Button>
      )}
    </Dialog>
  );
}
