// The pages with a vehicle's form: create and edit.

import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useRef } from 'react';
import type { VehicleDetail } from '../../../../src/domain/stock/vehicle-view.ts';
import { dayIn } from '../../../../src/kit/clock.ts';
import { call, type Tagged } from '../../api.ts';
import { businessNow } from '../../clock.ts';
import type { RawBody } from '../../endpoints.ts';
import { useTexts } from '../../language.ts';
import { withoutEmpty } from '../../parts/form/form-body.ts';
import { editingQuery } from '../../parts/form/form-edit.ts';
import { useForm } from '../../parts/form/form-state.ts';
import { useWrite } from '../../parts/form/form-write.ts';
import { notify } from '../../parts/overlay/toast.tsx';
import { PageHeader } from '../../parts/page/page-header.tsx';
import { BackLink, RecordSkeleton } from '../../parts/page/record.tsx';
import { EditScreen, Forbidden, useRecordEdit } from '../../parts/page/record-screens.tsx';
import { Plate } from '../../parts/values.tsx';
import { useMay } from '../../permissions.ts';
import { branchesQuery } from '../../records/branches.ts';
import { readVehicle } from '../../records/vehicles/vehicles.ts';
import { useFormat, useSession } from '../../session.ts';
import { useAccountCity, useVehiclesChanged } from './data.ts';
import { VehicleFormFields } from './form.tsx';
import { type BranchPlace, createBody, editBody, KEPT_FIELDS, newVehicleForm, vehicleForm } from './form-values.ts';
import { vehiclesTexts } from './texts.ts';
import { vehicleWriteTexts } from './write-texts.ts';

/** The form's defaults are loaded first, so that nothing changes while typing. */
export function NewVehicleScreen() {
  const t = useTexts(vehiclesTexts);
  const w = useTexts(vehicleWriteTexts);
  const may = useMay('vehicles:write');
  const currency = useSession().account?.default_currency ?? 'TL';
  const city = useAccountCity();
  const branches = useQuery(branchesQuery);
  const ready = city !== undefined && !branches.isPending;
  return (
    <>
      <PageHeader title={w.newTitle} above={<BackLink to="/araclar">{t.back}</BackLink>} />
      {!may ? (
        <Forbidden list="/araclar" toList={t.toList} />
      ) : ready ? (
        <NewVehicle currency={currency} branch={branchOf(branches.data?.items ?? [], city ?? null)} />
      ) : (
        <RecordSkeleton cards={{ vehicle: 'h-[268px]', stock: 'h-[268px]' }} />
      )}
    </>
  );
}

/** The main branch, in the account's city where it names none of its own. */
function branchOf(branches: readonly (BranchPlace & { readonly is_main: boolean })[], city: string | null): BranchPlace {
  const main = branches.find(({ is_main }) => is_main);
  return { id: main?.id ?? '', city: main?.city ?? city };
}

function NewVehicle({ currency, branch }: { readonly currency: string; readonly branch: BranchPlace }) {
  const w = useTexts(vehicleWriteTexts);
  const navigate = useNavigate();
  const changed = useVehiclesChanged();
  const { zone } = useFormat();
  const form = useForm(newVehicleForm(currency, branch, dayIn(businessNow(), zone)), { draft: 'vehicle', secret: KEPT_FIELDS });
  // The target of the pressed button; the write is the same for both.
  const next = useRef<'/araclar/$vehicleId' | '/araclar/$vehicleId/fotograflar'>('/araclar/$vehicleId');
  const write = useWrite({
    send: (typed: RawBody<'POST v1/vehicles'>, headers) => call('POST v1/vehicles', { rawBody: withoutEmpty(typed), headers }),
    onDone: (vehicle) => {
      form.release();
      notify({ title: w.created(`${vehicle.brand} ${vehicle.model}`) });
      void changed(vehicle);
      void navigate({ to: next.current, params: { vehicleId: vehicle.id }, replace: true });
    },
  });
  const saveAndGo = (to: typeof next.current) => () => {
    next.current = to;
    write.run(createBody(form.values));
  };
  return (
    <VehicleFormFields
      form={form}
      write={write}
      vehicle={null}
      onSubmit={saveAndGo('/araclar/$vehicleId')}
      onPhotos={saveAndGo('/araclar/$vehicleId/fotograflar')}
      onCancel={() => navigate({ to: '/araclar' })}
    />
  );
}

export function EditVehicleScreen() {
  const t = useTexts(vehiclesTexts);
  const w = useTexts(vehicleWriteTexts);
  const may = useMay('vehicles:write');
  const { vehicleId } = useParams({ from: '/shell/araclar/$vehicleId/duzenle' });
  const read = useQuery(editingQuery(['vehicle', vehicleId], (signal) => readVehicle(vehicleId, signal)));
  const vehicle = read.data?.data;
  const back = (
    <BackLink to="/araclar/$vehicleId" params={{ vehicleId }}>
      {vehicle ? `${vehicle.brand} ${vehicle.model}` : t.back}
    </BackLink>
  );
  return (
    <EditScreen
      read={read}
      may={may}
      title={w.editTitle}
      texts={t}
      list="/araclar"
      back={back}
      cards={{ vehicle: 'h-[268px]', stock: 'h-[268px]' }}
      beside={({ plate }) => <Plate plate={plate} />}
      refusal={({ deleted_at }) => (deleted_at === null ? undefined : w.deletedNoEdit)}
    >
      {(found) => <EditVehicle began={found} />}
    </EditScreen>
  );
}

function EditVehicle({ began }: { readonly began: Tagged<VehicleDetail> }) {
  const vehicle = began.data;
  const w = useTexts(vehicleWriteTexts);
  const navigate = useNavigate();
  const form = useForm(vehicleForm(vehicle), { draft: `vehicle.${vehicle.id}`, secret: KEPT_FIELDS });
  const { write, submit, back } = useRecordEdit({
    began,
    read: (signal) => readVehicle(vehicle.id, signal),
    send: (typed: RawBody<'PATCH v1/vehicles/{vehicle_id}'>, headers) =>
      call('PATCH v1/vehicles/{vehicle_id}', { params: { vehicle_id: vehicle.id }, rawBody: typed, headers }),
    form,
    toForm: vehicleForm,
    toBody: editBody,
    saved: w.edited,
    onSaved: useVehiclesChanged(),
    leave: () => navigate({ to: '/araclar/$vehicleId', params: { vehicleId: vehicle.id }, replace: true }),
  });
  return <VehicleFormFields form={form} write={write} vehicle={vehicle} onSubmit={submit} onCancel={back} />;
}
