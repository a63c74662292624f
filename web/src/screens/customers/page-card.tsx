// The customer's own page: its link, the code that staff read out, and how it was opened.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Ban, KeyRound, Link2, MessageCircle } from 'lucide-react';
import { useState } from 'react';
import type { PageOpening, PageState } from '../../../../src/domain/customer-page/page-state.ts';
import { OFFERED_CHANNELS } from '../../../../src/domain/documents/documents-states.ts';
import type { CustomerDetail } from '../../../../src/resources/customers.ts';
import { call } from '../../api.ts';
import type { RawBody } from '../../endpoints.ts';
import { useTexts } from '../../language.ts';
import { Button, buttonLook } from '../../parts/button.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { FormLayer } from '../../parts/form/form.tsx';
import { ChoiceField, type FieldsOf } from '../../parts/form/form-fields.tsx';
import { useForm } from '../../parts/form/form-state.ts';
import { useWrite } from '../../parts/form/form-write.ts';
import { OutsideLink } from '../../parts/outside-link.tsx';
import { ConfirmDialog } from '../../parts/overlay/confirm-dialog.tsx';
import { Dialog } from '../../parts/overlay/dialog.tsx';
import { notify } from '../../parts/overlay/toast.tsx';
import { Loaded } from '../../parts/page/loaded.tsx';
import { DateTime } from '../../parts/values.tsx';
import { fullName } from '../../records/customers/customers.ts';
import { customerPageTexts } from './page-texts.ts';

interface CustomerProps {
  readonly customer: CustomerDetail;
}

const keyOf = (customerId: string) => ['customer-page', customerId];

export function CustomerPageCard({ customer }: CustomerProps) {
  const t = useTexts(customerPageTexts);
  const client = useQueryClient();
  const state = useQuery({
    queryKey: keyOf(customer.id),
    queryFn: ({ signal }) => call('GET customers/{customer_id}/page', { params: { customer_id: customer.id }, signal }),
  });
  const [open, setOpen] = useState<'create' | 'code' | 'revoke' | null>(null);
  const close = () => {
    setOpen(null);
    void client.invalidateQueries({ queryKey: keyOf(customer.id) });
  };
  return (
    <section className="card min-w-0 p-4" aria-label={t.title}>
      <h2 className="m-0 mb-2 text-14 font-semibold">{t.title}</h2>
      <Loaded query={state} rows={1}>
        {(found) => (
          <>
            {found.link === null ? <p className="m-0 text-text-2">{t.none}</p> : <LinkFacts link={found.link} />}
            <p className="mt-3 mb-0 flex flex-wrap gap-2">
              {found.link !== null && (
                <Button icon={KeyRound} onClick={() => setOpen('code')}>
                  {t.code}
                </Button>
              )}
              <Button icon={Link2} onClick={() => setOpen('create')}>
                {found.link === null ? t.create : t.again}
              </Button>
              {found.link !== null && (
                <Button icon={Ban} onClick={() => setOpen('revoke')}>
                  {t.revoke}
                </Button>
              )}
            </p>
            {(found.link !== null || found.openings.length > 0) && <Openings openings={found.openings} />}
          </>
        )}
      </Loaded>
      {open === 'create' && <CreateLink customer={customer} onClose={close} />}
      {open === 'code' && <Code customer={customer} onClose={close} />}
      {open === 'revoke' && <Revoke customer={customer} onClose={close} />}
    </section>
  );
}

function LinkFacts({ link }: { readonly link: NonNullable<PageState['link']> }) {
  const t = useTexts(customerPageTexts);
  return (
    <p className="m-0 text-13 text-text-2">
      <span className="block wrap-anywhere">{link.address === null ? t.byHand : t.byMail(link.address)}</span>
      <span className="block wrap-anywhere">
        {t.madeBy}: {link.created_by} · <DateTime at={link.created_at} />
      </span>
      <span className="block">
        {t.until}: <DateTime at={link.expires_at} show="date" />
      </span>
    </p>
  );
}

/** How each code was delivered, and which staff saw it. */
function Openings({ openings }: { readonly openings: readonly PageOpening[] }) {
  const t = useTexts(customerPageTexts);
  return (
    <>
      <h3 className="mt-3 mb-1 text-13 font-medium">{t.openings}</h3>
      {openings.length === 0 ? (
        <p className="m-0 text-13 text-text-2">{t.notOpened}</p>
      ) : (
        <ul className="m-0 list-none p-0 text-13">
          {openings.map(({ at, address, seen_by }) => (
            <li key={at} className="py-0.5 wrap-anywhere">
              <DateTime at={at} />{' '}
              <span className="text-text-2">
                · {address === null ? t.openedByStaff([...new Set(seen_by)].join(', ')) : t.openedByMail(address)}
              </span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

interface LayerProps extends CustomerProps {
  readonly onClose: () => void;
}

function CreateLink({ customer, onClose }: LayerProps) {
  const t = useTexts(customerPageTexts);
  const [url, setUrl] = useState<string | null>(null);
  const form = useForm({ channel: 'Bağlantı' });
  const write = useWrite({
    send: (typed: RawBody<'POST customers/{customer_id}/page'>, headers) =>
      call('POST customers/{customer_id}/page', { params: { customer_id: customer.id }, rawBody: typed, headers }),
    onDone: (made) => {
      notify({ title: made.url === null ? t.mailed : t.created });
      if (made.url === null) onClose();
      setUrl(made.url);
    },
  });
  if (url !== null) return <NewLink customer={customer} url={url} onClose={onClose} />;
  const names = { channel: t.channel };
  const of: FieldsOf<typeof form.values> = { form, error: write.error, names };
  const channels = OFFERED_CHANNELS.filter((channel) => channel !== 'E-posta' || customer.email !== null);
  return (
    <FormLayer
      form={form}
      names={names}
      error={write.error}
      isBusy={write.isPending}
      onSubmit={() => write.run({ channel: form.values.channel })}
      onClose={onClose}
      title={t.title}
      description={t.createText}
      action={t.create}
    >
      <ChoiceField of={of} name="channel" options={channels.map((value) => ({ value, label: t.channels[value] }))} />
    </FormLayer>
  );
}

function NewLink({ customer, url, onClose }: LayerProps & { readonly url: string }) {
  const t = useTexts(customerPageTexts);
  const footer = (
    <Button look="primary" onClick={onClose}>
      {t.done}
    </Button>
  );
  return (
    <Dialog open onClose={onClose} title={t.link} description={t.linkText} footer={footer}>
      <p className="code m-0 text-12 wrap-anywhere">{url}</p>
      <p className="mt-3 mb-0 flex flex-wrap gap-2">
        <CopyButton text={url} label={t.copy} />
        <OutsideLink
          to={{ message: t.message(fullName(customer), url), phone: customer.phone }}
          inSandbox="nothing"
          className={buttonLook()}
        >
          <MessageCircle aria-hidden className="size-4" />
          WhatsApp
        </OutsideLink>
      </p>
    </Dialog>
  );
}

const LOOKS_AGAIN_MS = 5000;

function Code({ customer, onClose }: LayerProps) {
  const t = useTexts(customerPageTexts);
  const codes = useQuery({
    queryKey: [...keyOf(customer.id), 'code'],
    queryFn: ({ signal }) =>
      call('POST customers/{customer_id}/page/code', { params: { customer_id: customer.id }, body: {}, signal }),
    refetchInterval: LOOKS_AGAIN_MS,
    gcTime: 0,
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title={t.codeTitle}
      description={t.codeText}
      footer={<Button onClick={onClose}>{t.done}</Button>}
    >
      <Loaded query={codes} rows={1}>
        {([found]) =>
          found === undefined ? (
            <p className="m-0 text-text-2">{t.noCode}</p>
          ) : (
            <p className="m-0 flex flex-wrap items-center justify-between gap-2">
              <span className="text-13 text-text-2">
                {t.until}: <DateTime at={found.expires_at} />
              </span>
              <span className="tabular text-20 font-semibold tracking-widest">{found.code}</span>
            </p>
          )
        }
      </Loaded>
    </Dialog>
  );
}

function Revoke({ customer, onClose }: LayerProps) {
  const t = useTexts(customerPageTexts);
  const run = async () => {
    await call('POST customers/{customer_id}/page/revoke', { params: { customer_id: customer.id }, body: {} });
    notify({ title: t.revoked });
  };
  return (
    <ConfirmDialog open onClose={onClose} title={t.revokeTitle} action={t.revoke} run={run}>
      <p className="m-0">{t.revokeText}</p>
    </ConfirmDialog>
  );
}
