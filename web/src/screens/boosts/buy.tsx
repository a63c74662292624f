// Buys a boost for a published listing; the remaining balance is shown first.

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { call } from '../../api.ts';
import type { ItemOf, RawBody } from '../../endpoints.ts';
import { useLocale, useTexts } from '../../language.ts';
import { buttonLook } from '../../parts/button.tsx';
import { FormLayer } from '../../parts/form/form.tsx';
import { withoutEmpty } from '../../parts/form/form-body.ts';
import { ChoiceField, type FieldsOf, TextField } from '../../parts/form/form-fields.tsx';
import { useForm } from '../../parts/form/form-state.ts';
import { useWrite } from '../../parts/form/form-write.ts';
import { Dialog } from '../../parts/overlay/dialog.tsx';
import { notify } from '../../parts/overlay/toast.tsx';
import { EmptyState } from '../../parts/page/states.tsx';
import { useMay } from '../../permissions.ts';
import { isAbove, minus } from '../../records/amounts.ts';
import { useFormat } from '../../session.ts';
import { type BoostPackage, packageName } from './package-name.ts';
import { boostsTexts } from './texts.ts';

interface BuyProps {
  readonly packages: readonly BoostPackage[];
  readonly listings: readonly ItemOf<'GET v1/marketplace/listings'>[];
  readonly code: string | null;
  readonly listingId: string | undefined;
  readonly onClose: () => void;
}

export function BuyBoost(props: BuyProps) {
  const t = useTexts(boostsTexts);
  if (props.listings.length > 0) return <BuyForm {...props} />;
  return (
    <Dialog open onClose={props.onClose} title={t.order}>
      <EmptyState title={t.noListings}>{t.noListingsHint}</EmptyState>
    </Dialog>
  );
}

function BuyForm({ packages, listings, code, listingId, onClose }: BuyProps) {
  const t = useTexts(boostsTexts);
  const locale = useLocale();
  const format = useFormat();
  const client = useQueryClient();
  const form = useForm({ listing_id: listingId ?? '', package: code ?? packages[0]!.code, starts_at: '' });
  const write = useWrite({
    send: (typed: RawBody<'POST v1/boost-orders'>, headers) =>
      call('POST v1/boost-orders', { rawBody: withoutEmpty(typed), headers }),
    onDone: async () => {
      notify({ title: t.bought });
      form.release();
      onClose();
      await Promise.all(['boosts', 'wallet', 'listings'].map((name) => client.invalidateQueries({ queryKey: [name] })));
    },
  });
  const names = { listing_id: t.listing, package: t.package, starts_at: t.starts };
  const of: FieldsOf<typeof form.values> = { form, error: write.error, names };
  const { listing_id, package: chosen, starts_at } = form.values;
  const submit = () =>
    write.run({
      ...(listing_id === '' ? {} : { listing_id }),
      package: chosen,
      ...(starts_at === '' ? {} : { starts_at: new Date(starts_at).toISOString() }),
    });
  return (
    <FormLayer
      form={form}
      names={names}
      error={write.error}
      isBusy={write.isPending}
      onSubmit={submit}
      onClose={onClose}
      title={t.order}
      action={t.buy}
    >
      <ChoiceField
        of={of}
        name="listing_id"
        none={t.pickListing}
        options={listings.map(({ id, title, price, currency }) => ({
          value: id,
          label: `${title} · ${format.money(price, currency, true)}`,
        }))}
      />
      <ChoiceField
        of={of}
        name="package"
        options={packages.map((one) => ({
          value: one.code,
          label: `${packageName(locale, one.code)} · ${format.money(one.price, one.currency)}`,
        }))}
      />
      <TextField of={of} name="starts_at" type="datetime-local" optional hint={t.startsHint} />
      <Left price={packages.find((one) => one.code === chosen)?.price ?? '0'} />
    </FormLayer>
  );
}

/** Only for those who may see the wallet; the others learn from the server whether it is enough. */
function Left({ price }: { readonly price: string }) {
  const t = useTexts(boostsTexts);
  const format = useFormat();
  const may = useMay('wallet:read');
  const wallet = useQuery({
    queryKey: ['wallet', 'balance'],
    queryFn: ({ signal }) => call('GET v1/wallet', { signal }),
    enabled: may,
  });
  if (wallet.data === undefined) return null;
  const { balance, currency } = wallet.data;
  const isShort = isAbove(price, balance);
  return (
    <p role="status" className="m-0 rounded-control bg-subtle px-3 py-2 text-13">
      {isShort ? (
        <span className="flex flex-wrap items-center justify-between gap-2">
          <span className="font-medium text-write">{t.short(format.money(minus(price, balance), currency))}</span>
          <Link to="/cuzdan" className={buttonLook('secondary')}>
            {t.toWallet}
          </Link>
        </span>
      ) : (
        t.after(format.money(minus(balance, price), currency))
      )}
    </p>
  );
}
