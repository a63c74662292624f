// «Satışı düzenle»: people, papers and contract at any time their state allows; price and plan until the first money, with the plan
// that saving would make beside them.
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { call, callTagged, type Tagged } from '../../../api.ts';
import type { RawBody } from '../../../endpoints.ts';
import { useLocale, useTexts } from '../../../language.ts';
import { useDryRun } from '../../../parts/form/dry-run.ts';
import { RecordForm } from '../../../parts/form/form.tsx';
import { amountOf } from '../../../parts/form/form-amount.ts';
import { editingQuery } from '../../../parts/form/form-edit.ts';
import type { FieldsOf } from '../../../parts/form/form-fields.tsx';
import { useForm } from '../../../parts/form/form-state.ts';
import { BackLink } from '../../../parts/page/record.tsx';
import { EditScreen, useRecordEdit } from '../../../parts/page/record-screens.tsx';
import { useMay } from '../../../permissions.ts';
import {
  type PlanWithInstallments,
  planQuery,
  type SaleDetail,
  saleCollectionsQuery,
  useSalesChanged,
} from '../../../records/sales/sales.ts';
import { areInstallmentsFilled } from '../../sale-acts/own-installments.tsx';
import { SalePreviewCard } from '../new/new-preview.tsx';
import { salesTexts } from '../texts.ts';
import {
  ContractSection,
  LockedNote,
  NotesSection,
  PapersSection,
  PeopleSection,
  TermsSection,
  useEditNames,
} from './edit-sections.tsx';
import { editSaleTexts } from './edit-texts.ts';
import { type EditForm, editBody, isTerm, saleForm } from './edit-values.ts';

const readSale = (saleId: string, signal?: AbortSignal) =>
  callTagged('GET v1/sales/{sale_id}', { params: { sale_id: saleId }, ...(signal ? { signal } : {}) });

export function EditSaleScreen() {
  const t = useTexts(salesTexts);
  const e = useTexts(editSaleTexts);
  const may = useMay('sales:write');
  const { saleId } = useParams({ from: '/shell/satislar/$saleId/duzenle' });
  const read = useQuery(editingQuery(['sale', saleId], (signal) => readSale(saleId, signal)));
  const plan = useQuery(planQuery(saleId)).data;
  const collections = useQuery(saleCollectionsQuery(saleId, 0)).data;
  const back = (
    <BackLink to="/satislar/$saleId" params={{ saleId }}>
      {read.data?.data.sale_no ?? t.back}
    </BackLink>
  );
  return (
    <EditScreen
      read={read}
      may={may}
      title={e.title}
      texts={t}
      list="/satislar"
      back={back}
      cards={{ people: 'h-40', papers: 'h-60' }}
    >
      {(sale) => (plan && collections ? <EditSale began={sale} plan={plan} hasMoney={collections.items.length > 0} /> : null)}
    </EditScreen>
  );
}

interface EditSaleProps {
  readonly began: Tagged<SaleDetail>;
  readonly plan: PlanWithInstallments;
  /** A collection was ever made. */
  readonly hasMoney: boolean;
}

function EditSale({ began, plan, hasMoney }: EditSaleProps) {
  const sale = began.data;
  const e = useTexts(editSaleTexts);
  const locale = useLocale();
  const navigate = useNavigate();
  const params = { sale_id: sale.id };
  const toForm = (now: SaleDetail) => saleForm(now, plan, locale);
  const form = useForm<EditForm>(toForm(sale), { draft: `sale.${sale.id}` });
  const { write, submit, back } = useRecordEdit({
    began,
    read: (signal) => readSale(sale.id, signal),
    send: (typed: RawBody<'PATCH v1/sales/{sale_id}'>, headers) =>
      call('PATCH v1/sales/{sale_id}', { params, rawBody: typed, headers }),
    form,
    toForm,
    toBody: editBody,
    saved: e.saved,
    onSaved: useSalesChanged(),
    leave: () => navigate({ to: '/satislar/$saleId', params: { saleId: sale.id }, replace: true }),
  });
  const terms = form.changed.filter(isTerm);
  const preview = useDryRun(
    'sale-edit',
    isPreviewable(form.values, terms) ? editBody(form.values, terms) : null,
    (typed, _, signal) => call('POST sales/{sale_id}/preview', { params, rawBody: typed, signal }),
  );
  const names = useEditNames();
  const of: FieldsOf<EditForm> = { form, error: write.error, names };
  const isCancelled = sale.status === 'İptal';
  const isLocked = isCancelled || hasMoney || plan.installments.some(({ status }) => status === 'Yapılandırıldı');
  return (
    <RecordForm
      form={form}
      names={names}
      error={write.error}
      isBusy={write.isPending}
      onSubmit={submit}
      onCancel={back}
      aside={!isLocked && <SalePreviewCard preview={preview} names={names} none={e.previewNone} />}
    >
      <PapersSection of={of} />
      {!isCancelled && <PeopleSection of={of} customerId={sale.customer_id} />}
      {!isCancelled && <ContractSection of={of} sale={sale} />}
      {isLocked ? <LockedNote isCancelled={isCancelled} /> : <TermsSection of={of} sale={sale} preview={preview.reply} />}
      <NotesSection of={of} />
    </RecordForm>
  );
}

function isPreviewable(values: EditForm, terms: readonly string[]): boolean {
  if (terms.length === 0 || amountOf(values.sale_price) === undefined) return false;
  return values.pay_by !== 'rows' || areInstallmentsFilled(values.rows);
}
