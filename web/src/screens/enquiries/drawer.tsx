// One enquiry: how to reach the person, its stage, owner and next step, its history, and the sale.
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { EnquiryDetail } from '../../../../src/domain/enquiries/enquiry-list.ts';
import { isOpenStage, OPEN_STAGES } from '../../../../src/domain/enquiries/enquiry-states.ts';
import { ApiError, call } from '../../api.ts';
import type { RawBody } from '../../endpoints.ts';
import { useTexts } from '../../language.ts';
import { Button, buttonLook } from '../../parts/button.tsx';
import { useWrite } from '../../parts/form/form-write.ts';
import { ErrorSummary } from '../../parts/input/error-summary.tsx';
import { Field, Select, TextArea, TextInput } from '../../parts/input/field.tsx';
import { OutsideLink } from '../../parts/outside-link.tsx';
import { ConfirmDialog } from '../../parts/overlay/confirm-dialog.tsx';
import { Drawer } from '../../parts/overlay/dialog.tsx';
import { notify } from '../../parts/overlay/toast.tsx';
import { Facts } from '../../parts/page/facts.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../parts/page/states.tsx';
import { DateTime, Day, Money } from '../../parts/values.tsx';
import { useMay } from '../../permissions.ts';
import { enquiriesTexts } from '../../records/enquiries/enquiries-texts.ts';
import { useStaff } from '../../records/staff.ts';
import { useRole } from '../../session.ts';
import { useEnquiryChanged } from './changed.ts';
import { CounterOffer } from './counter.tsx';
import { Ending, type EndStage } from './ending.tsx';
import { SellToEnquiry } from './sell.tsx';

export function EnquiryDrawer({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const t = useTexts(enquiriesTexts);
  const enquiry = useQuery({
    queryKey: ['enquiry', id],
    queryFn: ({ signal }) => call('GET enquiries/{enquiry_id}', { params: { enquiry_id: id }, signal }),
  });
  return (
    <Drawer open onClose={onClose} title={enquiry.data?.name ?? (enquiry.data ? t.erased : t.title)}>
      {enquiry.data !== undefined ? (
        <Enquiry key={enquiry.data.id} enquiry={enquiry.data} />
      ) : enquiry.isPending ? (
        <Skeleton className="h-96" />
      ) : enquiry.error instanceof ApiError && enquiry.error.status === 404 ? (
        <EmptyState title={t.gone} />
      ) : (
        <ErrorState error={enquiry.error} onRetry={enquiry.refetch} />
      )}
    </Drawer>
  );
}

function Enquiry({ enquiry }: { readonly enquiry: EnquiryDetail }) {
  const t = useTexts(enquiriesTexts);
  const may = useMay('customers:write') && enquiry.name !== null;
  const isOpen = isOpenStage(enquiry.stage);
  const { phone, vehicle, vehicle_id, offer, source, customer_id, sale_id, lost_reason } = enquiry;
  return (
    <div className="flex flex-col gap-4">
      {phone !== null && (
        <p className="m-0 flex flex-wrap gap-2">
          <OutsideLink to={{ phone, message: '' }} inSandbox="nothing" className={buttonLook('primary')}>
            {t.whatsapp}
          </OutsideLink>
          <OutsideLink to={{ phone }} inSandbox="nothing" className={buttonLook()}>
            {t.call}
          </OutsideLink>
        </p>
      )}
      <Facts
        title={t.stages[enquiry.stage]}
        facts={[
          { name: t.phone, value: phone },
          {
            name: t.vehicle,
            value: vehicle_id && (
              <Link to="/araclar/$vehicleId" params={{ vehicleId: vehicle_id }} className="link">
                {vehicle}
              </Link>
            ),
          },
          { name: t.source, value: t.sources[source] },
          ...(offer ? [{ name: t.offer, value: <Money amount={offer.amount} currency={offer.currency} /> }] : []),
          ...(lost_reason ? [{ name: t.lostReason, value: lost_reason }] : []),
          ...(customer_id
            ? [
                {
                  name: t.customer,
                  value: (
                    <Link to="/musteriler/$customerId" params={{ customerId: customer_id }} className="link">
                      {enquiry.name ?? t.customer}
                    </Link>
                  ),
                },
              ]
            : []),
          ...(sale_id
            ? [
                {
                  name: t.sale,
                  value: (
                    <Link to="/satislar/$saleId" params={{ saleId: sale_id }} className="link">
                      {t.sale}
                    </Link>
                  ),
                },
              ]
            : []),
        ]}
      />
      {may && isOpen && <Steps enquiry={enquiry} />}
      {may && isOpen && offer && <CounterOffer enquiry={enquiry} />}
      {may && isOpen && <SellToEnquiry enquiry={enquiry} />}
      {may && <NewNote enquiry={enquiry} />}
      <History enquiry={enquiry} />
      <Erase enquiry={enquiry} />
    </div>
  );
}

const stagesIn = (t: (typeof enquiriesTexts)['tr']) => [
  ...OPEN_STAGES.map((value) => ({ value: value as string, label: t.stages[value] })),
  { value: 'Kazanıldı', label: t.stages.Kazanıldı },
  { value: 'Kaybedildi', label: t.lost },
];

function Steps({ enquiry }: { readonly enquiry: EnquiryDetail }) {
  const t = useTexts(enquiriesTexts);
  const staff = useStaff();
  const changed = useEnquiryChanged();
  const [end, setEnd] = useState<EndStage | null>(null);
  // Saved with a button, because a phone's date field reports every day that it passes.
  const [step, setStep] = useState(enquiry.next_step_on ?? '');
  const write = useWrite({
    send: (body: RawBody<'PATCH enquiries/{enquiry_id}'>, headers) =>
      call('PATCH enquiries/{enquiry_id}', { params: { enquiry_id: enquiry.id }, rawBody: body, headers }),
    onDone: (saved) => {
      notify({ title: t.changed });
      changed(saved);
    },
  });
  const move = (stage: string) => {
    const isEnd = stage === 'Kazanıldı' || stage === 'Kaybedildi';
    setEnd(isEnd ? stage : null);
    if (!isEnd) write.run({ stage });
  };
  return (
    <section className="card flex flex-col gap-3 p-4">
      <ErrorSummary
        error={write.error}
        names={{ lost_reason: t.lostReason, sale_id: t.sale, next_step_on: t.nextStep, owner_id: t.owner }}
      />
      <Field label={t.stageLabel}>
        <Select value={end ?? enquiry.stage} options={stagesIn(t)} onChange={move} />
      </Field>
      {end && <Ending key={end} stage={end} enquiry={enquiry} write={write} />}
      <Field id="owner_id" label={t.owner}>
        <Select
          value={enquiry.owner_id ?? ''}
          options={[
            { value: '', label: t.noOwner },
            ...staff
              .filter(({ id, active }) => active || id === enquiry.owner_id)
              .map(({ id, full_name }) => ({ value: id, label: full_name })),
          ]}
          onChange={(owner) => write.run({ owner_id: owner === '' ? null : owner })}
        />
      </Field>
      <Field id="next_step_on" label={t.nextStep}>
        <TextInput type="date" value={step} onChange={setStep} />
      </Field>
      {step !== (enquiry.next_step_on ?? '') && (
        <span>
          <Button look="primary" busy={write.isPending} onClick={() => write.run({ next_step_on: step === '' ? null : step })}>
            {t.saveStep}
          </Button>
        </span>
      )}
    </section>
  );
}

function NewNote({ enquiry }: { readonly enquiry: EnquiryDetail }) {
  const t = useTexts(enquiriesTexts);
  const changed = useEnquiryChanged();
  const [text, setText] = useState('');
  const write = useWrite({
    send: (body: RawBody<'POST enquiries/{enquiry_id}/notes'>, headers) =>
      call('POST enquiries/{enquiry_id}/notes', { params: { enquiry_id: enquiry.id }, rawBody: body, headers }),
    onDone: (saved) => {
      setText('');
      changed(saved);
    },
  });
  return (
    <form
      noValidate
      className="flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        write.run({ text });
      }}
    >
      <ErrorSummary error={write.error} names={{ text: t.note }} />
      <Field id="text" label={t.note}>
        <TextArea value={text} maxLength={2000} onChange={setText} />
      </Field>
      <span>
        <Button type="submit" busy={write.isPending} disabled={text.trim() === ''}>
          {t.addNote}
        </Button>
      </span>
    </form>
  );
}

function History({ enquiry: { entries } }: { readonly enquiry: EnquiryDetail }) {
  const t = useTexts(enquiriesTexts);
  // An offer's value is «Pazar teklifi: 12.600,00 STG».
  const word = (value: string): string =>
    value
      .split(': ')
      .map((part) => (({ ...t.stages, ...t.sources }) as Record<string, string>)[part] ?? part)
      .join(': ');
  return (
    <section aria-label={t.history}>
      <h2 className="mt-0 mb-2 text-14 font-semibold">{t.history}</h2>
      <ol className="m-0 flex list-none flex-col gap-3 p-0">
        {entries.map(({ id, kind, value, text, actor, created_at }) => (
          <li key={id} className="text-13">
            <span className="font-medium">{t.entries[kind]}</span>
            {value !== null && <span>: {kind === 'step' ? <Day day={value} /> : word(value)}</span>}
            {text !== null && <span className="block whitespace-pre-line wrap-anywhere">{text}</span>}
            <span className="block text-12 text-text-2">
              <DateTime at={created_at} />
              {actor !== null && ` · ${actor}`}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

function Erase({ enquiry }: { readonly enquiry: EnquiryDetail }) {
  const t = useTexts(enquiriesTexts);
  const owner = useRole('owner');
  const changed = useEnquiryChanged();
  const [isAsked, setAsked] = useState(false);
  if (!owner || enquiry.name === null) return null;
  return (
    <span>
      <Button look="quiet" onClick={() => setAsked(true)}>
        {t.erase}
      </Button>
      <ConfirmDialog
        open={isAsked}
        danger
        onClose={() => setAsked(false)}
        title={t.erase}
        action={t.erase}
        run={async () => changed(await call('POST enquiries/{enquiry_id}/erase', { params: { enquiry_id: enquiry.id } }))}
      >
        {t.eraseText}
      </ConfirmDialog>
    </span>
  );
}
