// Edits several vehicles at once, and shows which were changed and why others were not.
import { CircleCheck, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { VEHICLE_SOURCES } from '../../../../../src/domain/stock/stock-states.ts';
import type { BulkUpdated } from '../../../../../src/domain/stock/vehicle-bulk.ts';
import type { Vehicle } from '../../../../../src/domain/stock/vehicle-view.ts';
import type { Of } from '../../../../../src/kit/schema.ts';
import { call } from '../../../api.ts';
import { useLocale, useTexts } from '../../../language.ts';
import { Button } from '../../../parts/button.tsx';
import { FormLayer } from '../../../parts/form/form.tsx';
import { ChoiceField, type FieldsOf, MoneyField, TextField } from '../../../parts/form/form-fields.tsx';
import { useForm } from '../../../parts/form/form-state.ts';
import { formTexts } from '../../../parts/form/form-texts.ts';
import { useWrite } from '../../../parts/form/form-write.ts';
import { Checkbox } from '../../../parts/input/choices.tsx';
import { Field, TextInput } from '../../../parts/input/field.tsx';
import { Dialog } from '../../../parts/overlay/dialog.tsx';
import { Money, Plate } from '../../../parts/values.tsx';
import { useBranches } from '../../../records/branches.ts';
import { wireWord } from '../../../records/vehicles/vehicle-texts.ts';
import { partsTexts } from '../../../texts/parts.ts';
import { useStockWords, useVehiclesChanged } from '../data.ts';
import { useFieldNames } from '../field-names.ts';
import { vehicleWriteTexts } from '../write-texts.ts';
import { type ChangedPrice, keepForUndo } from './bulk-undo.tsx';
import {
  BULK_FIELDS,
  type BulkField,
  type BulkForm,
  type BulkPatch,
  PRICE_STEPS,
  patchesOf,
  percentOf,
  priceBy,
} from './bulk-values.ts';

type BulkReply = Of<typeof BulkUpdated>;

interface BulkDialogProps {
  readonly vehicles: readonly Vehicle[];
  /** Called with the vehicles that were not changed. */
  readonly onDone: (left: readonly Vehicle[]) => void;
  readonly onClose: () => void;
}

export function BulkDialog({ vehicles, onDone, onClose }: BulkDialogProps) {
  // Fixed on opening, because the selection changes afterwards.
  const [chosen] = useState(vehicles);
  const [reply, setReply] = useState<BulkReply>();
  if (reply) return <BulkResult vehicles={chosen} reply={reply} onClose={onClose} />;
  const showReply = (next: BulkReply) => {
    setReply(next);
    onDone(next.results.flatMap((result) => (result.status === 'failed' ? [chosen[result.index]!] : [])));
  };
  return <BulkFields vehicles={chosen} onReply={showReply} onClose={onClose} />;
}

interface BulkFieldsProps {
  readonly vehicles: readonly Vehicle[];
  readonly onReply: (reply: BulkReply) => void;
  readonly onClose: () => void;
}

function BulkFields({ vehicles, onReply, onClose }: BulkFieldsProps) {
  const w = useTexts(vehicleWriteTexts);
  const changed = useVehiclesChanged();
  const names = useFieldNames();
  const form = useForm<BulkForm>({
    price: '',
    currency: vehicles[0]?.currency ?? 'TL',
    priceWay: 'set',
    percent: '',
    round_to: '',
    city: '',
    branch_id: '',
    source: 'Satın Alma',
    stock_date: '',
  });
  const [ticked, setTicked] = useState<readonly BulkField[]>([]);
  const [fault, setFault] = useState<string>();
  const write = useWrite({
    send: (updates: BulkPatch[], headers) => call('POST v1/vehicles/bulk-update', { body: { updates }, headers }),
    onDone: (reply) => {
      keepForUndo(changedPrices(vehicles, ticked, form.values, reply));
      void changed();
      onReply(reply);
    },
  });
  const isPercent = ticked.includes('price') && form.values.priceWay !== 'set';
  const submit = () => {
    if (ticked.length === 0) return setFault(w.bulkNone);
    if (isPercent && percentOf(form.values.percent) === undefined) return setFault(w.bulkPercentFault);
    setFault(undefined);
    write.run(patchesOf(vehicles, ticked, form.values));
  };
  const of: FieldsOf<BulkForm> = { form, error: write.error, names };
  return (
    <FormLayer
      drawer
      form={form}
      names={names}
      error={write.error}
      isBusy={write.isPending}
      onSubmit={submit}
      onClose={onClose}
      title={w.bulkTitle(vehicles.length)}
      description={w.bulkText}
      action={w.bulkRun(vehicles.length)}
    >
      {BULK_FIELDS.map((name) => (
        <div key={name} className="flex flex-col gap-2 border-b border-line pb-3 last:border-b-0">
          <Checkbox
            label={<span className="font-medium">{labelOf(w, name)}</span>}
            checked={ticked.includes(name)}
            onChange={(on) => setTicked(on ? [...ticked, name] : ticked.filter((one) => one !== name))}
          />
          {ticked.includes(name) && <BulkValue of={of} name={name} vehicles={vehicles} />}
        </div>
      ))}
      {fault && (
        <p role="alert" className="m-0 text-13 font-medium text-danger">
          {fault}
        </p>
      )}
    </FormLayer>
  );
}

/** Of the vehicles whose price was changed. */
function changedPrices(
  vehicles: readonly Vehicle[],
  ticked: readonly BulkField[],
  values: BulkForm,
  { results }: BulkReply,
): ChangedPrice[] {
  if (!ticked.includes('price')) return [];
  const patches = patchesOf(vehicles, ticked, values);
  return results.flatMap(({ index, status }) => {
    const [vehicle, patch] = [vehicles[index], patches[index]];
    if (status === 'failed' || vehicle === undefined || typeof patch?.price !== 'string') return [];
    const { id, price, currency } = vehicle;
    return [{ id, price, currency, changed_price: patch.price, changed_currency: patch.currency ?? currency } as ChangedPrice];
  });
}

type Words = (typeof vehicleWriteTexts)['tr'];

const labelOf = (w: Words, name: BulkField): string =>
  ({ price: w.bulkPrice, city: w.bulkCity, branch_id: w.bulkBranch, source: w.bulkSource, stock_date: w.bulkDate })[name];

interface BulkValueProps {
  readonly of: FieldsOf<BulkForm>;
  readonly name: BulkField;
  readonly vehicles: readonly Vehicle[];
}

function BulkValue({ of, name, vehicles }: BulkValueProps) {
  const f = useTexts(formTexts);
  const locale = useLocale();
  const branches = useBranches();
  const words = useStockWords('');
  if (name === 'price') return <BulkPrice of={of} vehicles={vehicles} />;
  if (name === 'city') return <TextField of={of} name="city" maxLength={60} suggestions={words?.cities} />;
  if (name === 'stock_date') return <TextField of={of} name="stock_date" type="date" />;
  const options =
    name === 'source'
      ? VEHICLE_SOURCES.map((value) => ({ value, label: wireWord(locale, value) }))
      : branches.map(({ id, name: label }) => ({ value: id, label }));
  return <ChoiceField of={of} name={name} options={options} {...(name === 'branch_id' ? { none: f.notSet } : {})} />;
}

function BulkPrice({ of, vehicles }: Omit<BulkValueProps, 'name'>) {
  const w = useTexts(vehicleWriteTexts);
  const { values, set } = of.form;
  const way = values.priceWay;
  const percent = percentOf(values.percent);
  const ways = (['set', 'up', 'down'] as const).map((value) => ({ value, label: w.bulkPriceWays[value] }));
  return (
    <div className="flex flex-col gap-3">
      <ChoiceField of={{ ...of, names: { ...of.names, priceWay: w.bulkPriceWay } }} name="priceWay" options={ways} />
      {way === 'set' ? (
        <MoneyField of={of} name="price" currency="currency" />
      ) : (
        <div className="grid grid-cols-2 gap-3">
          <Field label={w.bulkPercent}>
            <TextInput
              inputMode="decimal"
              autoComplete="off"
              value={values.percent}
              onChange={(value) => set('percent', value)}
            />
          </Field>
          <ChoiceField
            of={{ ...of, names: { ...of.names, round_to: w.bulkRound } }}
            name="round_to"
            none={w.bulkNotRounded}
            options={PRICE_STEPS.map((value) => ({ value, label: value }))}
          />
        </div>
      )}
      {way !== 'set' && percent !== undefined && (
        <section aria-label={w.bulkPreview} className="max-h-48 overflow-y-auto rounded-control bg-subtle p-2 text-13">
          <ul className="m-0 flex list-none flex-col gap-1 p-0">
            {vehicles.map(({ id, plate, price, currency }) => (
              <li key={id} className="flex flex-wrap items-center justify-between gap-x-3">
                <Plate plate={plate} />
                <span className="text-text-2">
                  <Money amount={price} currency={currency} short /> →{' '}
                  <strong className="font-medium text-text">
                    <Money
                      amount={priceBy(price, way === 'up' ? 'up' : 'down', percent, values.round_to)}
                      currency={currency}
                      short
                    />
                  </strong>
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

function BulkResult({
  vehicles,
  reply,
  onClose,
}: {
  readonly vehicles: readonly Vehicle[];
  readonly reply: BulkReply;
  readonly onClose: () => void;
}) {
  const w = useTexts(vehicleWriteTexts);
  const p = useTexts(partsTexts);
  const failed = reply.results.flatMap((result) => (result.status === 'failed' ? [result] : []));
  const Icon = failed.length === 0 ? CircleCheck : TriangleAlert;
  return (
    <Dialog
      open
      onClose={onClose}
      title={w.bulkEdit}
      footer={
        <Button look="primary" onClick={onClose}>
          {p.close}
        </Button>
      }
    >
      <p role="status" className="m-0 flex items-center gap-2 py-1 font-medium">
        <Icon aria-hidden className={`size-4 shrink-0 ${failed.length === 0 ? 'text-live' : 'text-write'}`} />
        {w.bulkDone(reply.updated, reply.failed)}
      </p>
      {failed.length > 0 && (
        <section aria-label={w.bulkFailed}>
          <p className="mt-1 mb-2 text-13 text-text-2">{w.bulkFailedHint}</p>
          <ul className="m-0 flex list-none flex-col divide-y divide-line p-0">
            {failed.map(({ index, error }) => {
              const vehicle = vehicles[index];
              return (
                <li key={index} className="flex flex-col gap-1 py-2">
                  <span className="flex flex-wrap items-center gap-2">
                    <Plate plate={vehicle?.plate ?? null} />
                    {vehicle && `${vehicle.brand} ${vehicle.model}`}
                  </span>
                  <span className="text-13 text-danger">
                    {error.details.map(({ message }) => message).join(' ') || error.message}
                  </span>
                </li>
              );
            })}
          </ul>
        </section>
      )}
    </Dialog>
  );
}
