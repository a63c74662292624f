// An enquiry ends with a sale that was made in its own screen, or it is lost for a reason.
import { useState } from 'react';
import type { EnquiryDetail } from '../../../../src/domain/enquiries/enquiry-list.ts';
import type { RawBody } from '../../endpoints.ts';
import { useTexts } from '../../language.ts';
import { Button } from '../../parts/button.tsx';
import type { Write } from '../../parts/form/form-write.ts';
import { problemOf } from '../../parts/input/error-summary.tsx';
import { Field, TextInput } from '../../parts/input/field.tsx';
import { enquiriesTexts } from '../../records/enquiries/enquiries-texts.ts';
import { SalePicker } from '../../records/sales/sale-picker.tsx';

export type EndStage = 'Kazanıldı' | 'Kaybedildi';

interface EndingProps {
  readonly stage: EndStage;
  readonly enquiry: EnquiryDetail;
  readonly write: Write<RawBody<'PATCH enquiries/{enquiry_id}'>, EnquiryDetail>;
}

export function Ending({ stage, enquiry: { customer_id }, write }: EndingProps) {
  const t = useTexts(enquiriesTexts);
  const [reason, setReason] = useState('');
  const [sale, setSale] = useState('');
  const save = () => {
    if (stage === 'Kazanıldı') write.run({ stage, sale_id: sale === '' ? null : sale });
    else write.run({ stage, lost_reason: reason.trim() === '' ? null : reason });
  };
  return (
    <>
      {stage === 'Kazanıldı' ? (
        <SalePicker
          id="sale_id"
          label={t.sale}
          only={customer_id === null ? {} : { customer_id }}
          error={problemOf(write.error, 'sale_id', t.sale)}
          value={sale}
          onChange={setSale}
        />
      ) : (
        <Field id="lost_reason" label={t.lostReason} error={problemOf(write.error, 'lost_reason', t.lostReason)}>
          <TextInput value={reason} maxLength={200} onChange={setReason} />
        </Field>
      )}
      <span>
        <Button look="primary" busy={write.isPending} onClick={save}>
          {t.save}
        </Button>
      </span>
    </>
  );
}
