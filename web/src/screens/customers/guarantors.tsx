// A customer's guarantors: listed on the customer's page, added and edited in a drawer.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { call, callTagged, type Tagged } from '../../api.ts';
import type { RawBody } from '../../endpoints.ts';
import { useLocale, useTexts } from '../../language.ts';
import { Button } from '../../parts/button.tsx';
import { FormLayer } from '../../parts/form/form.tsx';
import { isEmptyBody } from '../../parts/form/form-body.ts';
import { editingQuery, useEdit } from '../../parts/form/form-edit.ts';
import { ChoiceField, type FieldsOf } from '../../parts/form/form-fields.tsx';
import { type Form, useForm } from '../../parts/form/form-state.ts';
import { formTexts } from '../../parts/form/form-texts.ts';
import { useWrite, type WriteState } from '../../parts/form/form-write.ts';
import { ConfirmDialog } from '../../parts/overlay/confirm-dialog.tsx';
import { Drawer } from '../../parts/overlay/dialog.tsx';
import { Menu, MenuItem } from '../../parts/overlay/menu.tsx';
import { RowMenuButton } from '../../parts/overlay/row-menu-button.tsx';
import { notify } from '../../parts/overlay/toast.tsx';
import { ErrorState, Skeleton } from '../../parts/page/states.tsx';
import { useMay } from '../../permissions.ts';
import { Email, Phone } from '../../records/customers/contact.tsx';
import { fullName } from '../../records/customers/customers.ts';
import { type Guarantor, guarantorsQuery } from '../../records/customers/guarantors.ts';
import { ContactFields, PersonalFields, usePersonNames } from '../../records/customers/person-fields.tsx';
import { GUARANTOR_KEPT, type GuarantorForm, guarantorBody, guarantorEdit } from '../../records/customers/person-values.ts';
import { guarantorForm } from './form-values.ts';
import { customerWriteTexts, RELATIONSHIP_NAMES, relationshipWord } from './write-texts.ts';

const readGuarantor = (id: string, signal?: AbortSignal) =>
  callTagged('GET v1/guarantors/{guarantor_id}', { params: { guarantor_id: id }, signal });

/** The open layer: the form for a new or an existing guarantor, or the dialog to delete one. */
type Open = { readonly form: Guarantor | null } | { readonly deletes: Guarantor } | null;

export function Guarantors({ customerId }: { readonly customerId: string }) {
  const w = useTexts(customerWriteTexts);
  const may = useMay('guarantors:write');
  const guarantors = useQuery(guarantorsQuery(customerId));
  const [open, setOpen] = useState<Open>(null);
  const close = () => setOpen(null);
  return (
    <section className="card min-w-0 p-4" aria-label={w.guarantors}>
      <div className="mb-2 flex flex-wrap items-center justify-between gap-2">
        <h2 className="m-0 text-14 font-semibold">{w.guarantors}</h2>
        {may && (
          <Button icon={Plus} onClick={() => setOpen({ form: null })}>
            {w.guarantorAdd}
          </Button>
        )}
      </div>
      {guarantors.isPending ? (
        <Skeleton className="h-10 w-full" />
      ) : guarantors.isError ? (
        <ErrorState error={guarantors.error} onRetry={guarantors.refetch} />
      ) : guarantors.data.items.length === 0 ? (
        <p className="m-0 text-text-2">{w.noGuarantors}</p>
      ) : (
        <ul className="m-0 list-none divide-y divide-line p-0">
          {guarantors.data.items.map((guarantor) => (
            <Line key={guarantor.id} guarantor={guarantor} onOpen={may ? setOpen : undefined} />
          ))}
        </ul>
      )}
      {open && 'form' in open && open.form === null && <NewGuarantor customerId={customerId} onClose={close} />}
      {open && 'form' in open && open.form !== null && <GuarantorLayer id={open.form.id} onClose={close} />}
      {open && 'deletes' in open && <GuarantorDelete guarantor={open.deletes} onClose={close} />}
    </section>
  );
}

interface LineProps {
  readonly guarantor: Guarantor;
  /** Absent for roles that may only read. */
  readonly onOpen: ((open: Open) => void) | undefined;
}

function Line({ guarantor, onOpen }: LineProps) {
  const w = useTexts(customerWriteTexts);
  const f = useTexts(formTexts);
  const locale = useLocale();
  return (
    <li className="flex items-start justify-between gap-2 py-2">
      <div className="min-w-0">
        <p className="m-0 font-medium wrap-anywhere">{fullName(guarantor)}</p>
        <p className="m-0 flex flex-wrap gap-x-3 text-13 text-text-2">
          <span>{guarantor.relationship ? relationshipWord(locale, guarantor.relationship) : f.notSet}</span>
          <Phone phone={guarantor.phone} />
          {guarantor.email && <Email email={guarantor.email} />}
          {guarantor.active_sale_count > 0 && <span>{w.activeSales(guarantor.active_sale_count)}</span>}
        </p>
      </div>
      {onOpen && (
        <Menu trigger={<RowMenuButton label={w.guarantorActs(fullName(guarantor))} />}>
          <MenuItem icon={Pencil} onSelect={() => onOpen({ form: guarantor })}>
            {w.edit}
          </MenuItem>
          <MenuItem icon={Trash2} danger onSelect={() => onOpen({ deletes: guarantor })}>
            {w.delete}
          </MenuItem>
        </Menu>
      )}
    </li>
  );
}

interface LayerProps {
  readonly onClose: () => void;
}

function useSaved(customerId: string, onClose: () => void): (now: Guarantor) => Promise<void> {
  const w = useTexts(customerWriteTexts);
  const client = useQueryClient();
  return (now) => {
    notify({ title: w.guarantorSaved(fullName(now)) });
    onClose();
    return client.invalidateQueries({ queryKey: ['guarantors', customerId] });
  };
}

function NewGuarantor({ customerId, onClose }: LayerProps & { readonly customerId: string }) {
  const form = useForm(guarantorForm(null), { secret: GUARANTOR_KEPT });
  const write = useWrite({
    send: (typed: RawBody<'POST v1/customers/{customer_id}/guarantors'>, headers) =>
      call('POST v1/customers/{customer_id}/guarantors', {
        params: { customer_id: customerId },
        rawBody: typed,
        headers,
      }),
    onDone: useSaved(customerId, onClose),
  });
  return (
    <GuarantorFields isNew form={form} write={write} onSubmit={() => write.run(guarantorBody(form.values))} onClose={onClose} />
  );
}

/** Reads the latest version instead of using the list's. */
function GuarantorLayer({ id, onClose }: LayerProps & { readonly id: string }) {
  const w = useTexts(customerWriteTexts);
  const read = useQuery(editingQuery(['guarantor', id], (signal) => readGuarantor(id, signal)));
  if (read.data !== undefined) return <EditGuarantor began={read.data} onClose={onClose} />;
  return (
    <Drawer open onClose={onClose} title={w.guarantorEdit}>
      {read.isError ? <ErrorState error={read.error} onRetry={read.refetch} /> : <Skeleton className="h-96" />}
    </Drawer>
  );
}

function EditGuarantor({ began, onClose }: LayerProps & { readonly began: Tagged<Guarantor> }) {
  const guarantor = began.data;
  const form = useForm(guarantorForm(guarantor), { secret: GUARANTOR_KEPT });
  const write = useEdit({
    began,
    read: (signal) => readGuarantor(guarantor.id, signal),
    send: (typed: RawBody<'PATCH v1/guarantors/{guarantor_id}'>, headers) =>
      call('PATCH v1/guarantors/{guarantor_id}', { params: { guarantor_id: guarantor.id }, rawBody: typed, headers }),
    form,
    toForm: guarantorForm,
    onDone: useSaved(guarantor.customer_id, onClose),
  });
  const submit = () => {
    const body = guarantorEdit(form.values, form.changed);
    if (isEmptyBody(body)) onClose();
    else write.run(body);
  };
  return <GuarantorFields isNew={false} form={form} write={write} onSubmit={submit} onClose={onClose} />;
}

interface GuarantorFieldsProps extends LayerProps {
  readonly isNew: boolean;
  readonly form: Form<GuarantorForm>;
  readonly write: WriteState;
  readonly onSubmit: () => void;
}

function GuarantorFields({ isNew, form, write, onSubmit, onClose }: GuarantorFieldsProps) {
  const w = useTexts(customerWriteTexts);
  const f = useTexts(formTexts);
  const locale = useLocale();
  const names = usePersonNames();
  const of: FieldsOf<GuarantorForm> = { form, error: write.error, names };
  return (
    <FormLayer
      drawer
      form={form}
      names={names}
      error={write.error}
      isBusy={write.isPending}
      onSubmit={onSubmit}
      onClose={onClose}
      title={isNew ? w.guarantorNew : w.guarantorEdit}
      {...(isNew ? { action: w.guarantorAdd } : {})}
    >
      <ContactFields of={of} isNew={isNew} />
      <ChoiceField
        of={of}
        name="relationship"
        optional
        none={f.notSet}
        options={RELATIONSHIP_NAMES.map((value) => ({ value, label: relationshipWord(locale, value) }))}
      />
      <PersonalFields of={of} isNew={isNew} />
    </FormLayer>
  );
}

function GuarantorDelete({ guarantor, onClose }: { readonly guarantor: Guarantor; readonly onClose: () => void }) {
  const w = useTexts(customerWriteTexts);
  const client = useQueryClient();
  const write = useWrite({
    send: (_: undefined, headers) =>
      call('DELETE v1/guarantors/{guarantor_id}', { params: { guarantor_id: guarantor.id }, headers }),
    onDone: () => {
      notify({ title: w.guarantorDeleted(fullName(guarantor)) });
      void client.invalidateQueries({ queryKey: ['guarantors', guarantor.customer_id] });
    },
  });
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={w.guarantorDeleteTitle(fullName(guarantor))}
      action={w.delete}
      run={() => write.runAndWait(undefined)}
    >
      {w.guarantorDeleteText}
    </ConfirmDialog>
  );
}
