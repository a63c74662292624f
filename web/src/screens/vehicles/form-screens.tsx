// The two pages that hold a vehicle's form: a new one, and one that exists.
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useRouter } from '@tanstack/react-router';
import { useRef } from 'react';
import type { VehicleDetail } from '../../../../src/domain/stock/vehicle-view.ts';
import { dayIn } from '../../../../src/kit/clock.ts';
import { post, type Tagged } from '../../api.ts';
import { useTexts } from '../../language.ts';
import { useMay } from '../../may.ts';
import { buttonLook } from '../../parts/button.tsx';
import { editingQuery, useEdit } from '../../parts/form/form-edit.ts';
import { useForm } from '../../parts/form/form-state.ts';
import { useWrite } from '../../parts/form/form-write.ts';
import { PageHeader } from '../../parts/page-header.tsx';
import { BackLink, RecordError, RecordSkeleton } from '../../parts/record.tsx';
import { EmptyState } from '../../parts/states.tsx';
import { notify } from '../../parts/toast.tsx';
import { Plate } from '../../parts/values.tsx';
import { branchesQuery } from '../../records/branches.ts';
import { useFormat } from '../../session.ts';
import { partsTexts } from '../../texts/parts.ts';
import { useAccountCurrency, useVehiclesChanged, vehiclePath } from './data.ts';
import { VehicleFormFields } from './form.tsx';
import { createBody, editBody, KEPT_FIELDS, newVehicleForm, vehicleForm } from './form-values.ts';
import { vehiclesTexts } from './texts.ts';
import { vehicleWriteTexts } from './write-texts.ts';

/** What the form begins with is asked for first, so that nothing changes under the hands. */
export function NewVehicleScreen() {
  const t = useTexts(vehiclesTexts);
  const w = useTexts(vehicleWriteTexts);
  const may = useMay('vehicles:write');
  const currency = useAccountCurrency();
  const branches = useQuery(branchesQuery);
  const ready = currency !== undefined && !branches.isPending;
  return (
    <>
      <PageHeader title={w.newTitle} above={<BackLink to="/araclar">{t.back}</BackLink>} />
      {!may ? (
        <NotYours />
      ) : ready ? (
        <NewVehicle currency={currency} branchId={branches.data?.items.find(({ is_main }) => is_main)?.id ?? ''} />
      ) : (
        <RecordSkeleton cards={{ vehicle: 'h-[268px]', stock: 'h-[268px]' }} />
      )}
    </>
  );
}

function NewVehicle({ currency, branchId }: { readonly currency: string; readonly branchId: string }) {
  const w = useTexts(vehicleWriteTexts);
  const navigate = useNavigate();
  const changed = useVehiclesChanged();
  const { zone } = useFormat();
  const form = useForm(newVehicleForm(currency, branchId, dayIn(new Date(), zone)), { draft: 'vehicle', secret: KEPT_FIELDS });
  // Which button was pressed last: the write is the same, only the way on differs.
  const next = useRef<'/araclar/$vehicleId' | '/araclar/$vehicleId/fotograflar'>('/araclar/$vehicleId');
  const write = useWrite({
    send: (body: Record<string, unknown>, headers) => post<VehicleDetail>('v1/vehicles', body, headers),
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
  const read = useQuery(editingQuery<VehicleDetail>(vehiclePath(vehicleId)));
  const vehicle = read.data?.data;
  const back = (
    <BackLink to="/araclar/$vehicleId" params={{ vehicleId }}>
      {vehicle ? `${vehicle.brand} ${vehicle.model}` : t.back}
    </BackLink>
  );
  if (read.isPending) return <RecordSkeleton cards={{ vehicle: 'h-[268px]', stock: 'h-[268px]' }} />;
  if (read.isError || vehicle === undefined)
    return (
      <RecordError
        error={read.error}
        onRetry={read.refetch}
        back={back}
        title={w.editTitle}
        gone={{ title: t.notFound, text: t.notFoundText, action: <ToList /> }}
      />
    );
  return (
    <>
      <PageHeader title={w.editTitle} above={back} beside={<Plate plate={vehicle.plate} />} />
      {!may ? (
        <NotYours />
      ) : vehicle.deleted_at !== null ? (
        <div className="card">
          <EmptyState title={w.deletedNoEdit} action={back} />
        </div>
      ) : (
        <EditVehicle read={read.data} />
      )}
    </>
  );
}

function EditVehicle({ read }: { readonly read: Tagged<VehicleDetail> }) {
  const vehicle = read.data;
  const w = useTexts(vehicleWriteTexts);
  const router = useRouter();
  const navigate = useNavigate();
  const changed = useVehiclesChanged();
  const form = useForm(vehicleForm(vehicle), { draft: `vehicle.${vehicle.id}`, secret: KEPT_FIELDS });
  const leave = () => navigate({ to: '/araclar/$vehicleId', params: { vehicleId: vehicle.id }, replace: true });
  // Where it was opened from the vehicle's page, that page is gone back to, with its list behind it.
  const back = () => (router.history.canGoBack() ? router.history.back() : void leave());
  const write = useEdit({
    path: vehiclePath(vehicle.id),
    read,
    form,
    toForm: vehicleForm,
    onDone: (now: VehicleDetail) => {
      form.release();
      notify({ title: w.edited });
      void changed(now);
      back();
    },
  });
  const submit = () => {
    const body = editBody(form.values, form.changed);
    if (Object.keys(body).length === 0) back();
    else write.run(body);
  };
  return <VehicleFormFields form={form} write={write} vehicle={vehicle} onSubmit={submit} onCancel={back} />;
}

function ToList() {
  const t = useTexts(vehiclesTexts);
  return (
    <Link to="/araclar" className={buttonLook('secondary')}>
      {t.toList}
    </Link>
  );
}

function NotYours() {
  const p = useTexts(partsTexts);
  return (
    <div className="card">
      <EmptyState title={p.forbidden} action={<ToList />} />
    </div>
  );
}
