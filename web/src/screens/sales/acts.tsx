// What may be done with a sale, by its state and the person's role: all of it in one place, and each installment's in its menu.

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import {
  Ban,
  BellRing,
  CalendarClock,
  CalendarPlus,
  Ellipsis,
  HandCoins,
  MailWarning,
  Pencil,
  Printer,
  ReceiptText,
  RefreshCw,
  Undo2,
} from 'lucide-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useTexts } from '../../language.ts';
import { Button, buttonLook } from '../../parts/button.tsx';
import { Menu, MenuItem, MenuLine } from '../../parts/overlay/menu.tsx';
import { RowMenuButton } from '../../parts/overlay/row-menu-button.tsx';
import { useMay } from '../../permissions.ts';
import { isAbove } from '../../records/amounts.ts';
import { CustomerName } from '../../records/customers/customer-name.tsx';
import { openPaper, previewed } from '../../records/documents/paper-store.ts';
import { useMayPrint } from '../../records/documents/papers.tsx';
import { hasReceipt, receiptAddress, receiptTexts } from '../../records/documents/receipts.tsx';
import { statementTexts, useStatementPaper } from '../../records/documents/statement-papers.ts';
import { useInstallmentNames } from '../../records/installment-names.ts';
import { reminderTexts } from '../../records/sales/reminder-texts.ts';
import {
  type Collection,
  type Installment,
  type PlanWithInstallments,
  planQuery,
  promisesQuery,
  type SaleDetail,
  saleQuery,
  useMayCollect,
} from '../../records/sales/sales.ts';
import { useRole } from '../../session.ts';
import { noticeTexts } from '../sale-acts/notice-texts.ts';
import { Postpone } from '../sale-acts/postpone.tsx';
import { CancelPromise, TakePromise } from '../sale-acts/promise.tsx';
import { saleActsTexts } from '../sale-acts/texts.ts';
import { editSaleTexts } from './edit/edit-texts.ts';
import type { BeginAct, SaleAct } from './sale-act.ts';

/** Fetched after the page, so that it opens at once. */
const loadCollect = () => import('../sale-acts/collect/collect.tsx');
const Collect = lazy(async () => ({ default: (await loadCollect()).Collect }));
const Notice = lazy(async () => ({ default: (await import('../sale-acts/notice.tsx')).Notice }));
const RareSaleDialogs = lazy(async () => ({ default: (await import('./rare-sale-dialogs.tsx')).RareSaleDialogs }));

export const isOpenInstallment = ({ status }: Installment): boolean => status === 'Bekliyor' || status === 'Kısmi Ödendi';

const nextOpen = (plan: PlanWithInstallments | undefined): Installment | undefined =>
  plan?.installments.filter(isOpenInstallment).sort((a, b) => a.due_date.localeCompare(b.due_date) || a.seq - b.seq)[0];

/** `begin(act)` opens the dialog of an act; `layer` renders it. Mounted when it opens, so that each has its own key. */
export function useSaleActs(sale: SaleDetail, plan: PlanWithInstallments | undefined) {
  const [open, setOpen] = useState<SaleAct | null>(null);
  const client = useQueryClient();
  useEffect(() => void loadCollect(), []);
  const close = () => setOpen(null);
  const begin: BeginAct = (act) => {
    setOpen(act);
    // Someone else may have collected in between.
    for (const queryKey of [saleQuery(sale.id).queryKey, planQuery(sale.id).queryKey])
      void client.invalidateQueries({ queryKey });
  };
  return {
    begin,
    layer: open && (
      <Suspense fallback={null}>
        <Layer sale={sale} plan={plan} open={open} onClose={close} />
      </Suspense>
    ),
  };
}

interface LayerProps {
  readonly sale: SaleDetail;
  readonly plan: PlanWithInstallments | undefined;
  readonly open: SaleAct;
  readonly onClose: () => void;
}

function Layer({ sale, plan, open, onClose }: LayerProps) {
  const { long: rowName } = useInstallmentNames(plan);
  switch (open.act) {
    case 'collect':
      return <Collect saleId={sale.id} installmentId={open.installment?.id} onClose={onClose} />;
    case 'promise':
      return (
        <TakePromise
          saleId={sale.id}
          installmentId={open.installment?.id}
          amount={open.installment?.remaining_amount ?? likelyPromise(sale, plan)}
          currency={sale.currency}
          description={<CustomerName id={sale.customer_id} />}
          onClose={onClose}
        />
      );
    case 'postpone': {
      const installment = open.installment ?? nextOpen(plan);
      return installment ? (
        <Postpone installmentId={installment.id} installment={rowName(installment.id)} onClose={onClose} />
      ) : null;
    }
    case 'notice':
      return <Notice saleId={sale.id} onClose={onClose} />;
    case 'callOff':
      return <CancelPromise promiseId={open.promiseId} onClose={onClose} />;
    default:
      return <RareSaleDialogs sale={sale} plan={plan} open={open} onClose={onClose} />;
  }
}

const likelyPromise = (sale: SaleDetail, plan: PlanWithInstallments | undefined): string =>
  isAbove(sale.overdue_amount) ? sale.overdue_amount : (nextOpen(plan)?.remaining_amount ?? sale.outstanding_amount);

interface SaleActsProps {
  readonly sale: SaleDetail;
  readonly plan: PlanWithInstallments | undefined;
  readonly begin: BeginAct;
}

export function SaleActs({ sale, plan, begin }: SaleActsProps) {
  const t = useTexts(saleActsTexts);
  const e = useTexts(editSaleTexts);
  const isOpen = sale.status === 'Aktif';
  const mayCollect = useMayCollect()(sale) && isOpen;
  const mayPromise = useMayPromise(sale.id) && isOpen;
  const maySell = useMay('sales:write');
  return (
    <>
      {mayPromise && (
        <Button icon={CalendarPlus} onClick={() => begin({ act: 'promise' })}>
          {t.promise}
        </Button>
      )}
      {maySell && (
        <Link to="/satislar/$saleId/duzenle" params={{ saleId: sale.id }} className={buttonLook()}>
          <Pencil aria-hidden className="size-4" />
          {e.edit}
        </Link>
      )}
      {mayCollect && (
        <Button look="primary" icon={HandCoins} onClick={() => begin({ act: 'collect' })}>
          {t.collect}
        </Button>
      )}
      <MoreActs sale={sale} plan={plan} begin={begin} />
    </>
  );
}

/** The menu of the rarer actions. */
function MoreActs({ sale, plan, begin }: SaleActsProps) {
  const t = useTexts(saleActsTexts);
  const r = useTexts(reminderTexts);
  const p = useTexts(noticeTexts);
  const isOpen = sale.status === 'Aktif';
  const maySell = useMay('sales:write');
  const mayPostpone = useMay('installments:write') && isOpen && nextOpen(plan) !== undefined;
  const isSeller = useRole('sales');
  const mayCancel =
    useMay('sales:write', 'destructive') && sale.status !== 'İptal' && !(isSeller && isAbove(sale.collected_amount));
  const mayRemind = useMay('customers:write') && isOpen && nextOpen(plan) !== undefined;
  const mayPrint = useMayPrint();
  const mayNotice = mayPrint && maySell && isOpen && isAbove(sale.overdue_amount);
  const statement = useStatementPaper()([sale]);
  const { statement: statementWord } = useTexts(statementTexts);
  if (!(mayPostpone || mayCancel || mayRemind || mayPrint)) return null;
  return (
    <Menu trigger={<Button icon={Ellipsis} aria-label={t.acts} title={t.acts} className="px-2" />}>
      {mayRemind && (
        <MenuItem icon={BellRing} onSelect={() => begin({ act: 'remind' })}>
          {r.remind}
        </MenuItem>
      )}
      {mayNotice && (
        <MenuItem icon={MailWarning} onSelect={() => begin({ act: 'notice' })}>
          {p.notice}
        </MenuItem>
      )}
      {mayPrint && statement && (
        <MenuItem icon={Printer} onSelect={() => openPaper(statement)}>
          {statementWord}
        </MenuItem>
      )}
      {mayPostpone && (
        <MenuItem icon={CalendarClock} onSelect={() => begin({ act: 'postpone' })}>
          {t.postpone}
        </MenuItem>
      )}
      {maySell && isOpen && !isSeller && (
        <MenuItem icon={RefreshCw} onSelect={() => begin({ act: 'restructure' })}>
          {t.restructure}
        </MenuItem>
      )}
      {mayCancel && (
        <>
          {isOpen && <MenuLine />}
          <MenuItem icon={Ban} danger onSelect={() => begin({ act: 'cancel' })}>
            {t.cancel}
          </MenuItem>
        </>
      )}
    </Menu>
  );
}

/** A sale has one open promise at a time; that one is changed in its own line. */
function useMayPromise(saleId: string): boolean {
  const may = useMay('payment-promises:write');
  const promises = useQuery(promisesQuery({ sale_id: saleId })).data?.items;
  return may && (promises?.every(({ status }) => status !== 'Bekliyor') ?? false);
}

/** The actions on one open installment; nothing for a person who may do none of them. */
export function RowActs({
  installment,
  name,
  begin,
}: {
  readonly installment: Installment;
  readonly name: string;
  readonly begin: BeginAct;
}) {
  const t = useTexts(saleActsTexts);
  const mayCollect = useMayCollect()(useQuery(saleQuery(installment.sale_id)).data);
  const mayPromise = useMayPromise(installment.sale_id);
  const mayPostpone = useMay('installments:write');
  const mayRemind = useMay('customers:write');
  const r = useTexts(reminderTexts);
  if (!isOpenInstallment(installment) || !(mayCollect || mayPromise || mayPostpone || mayRemind)) return null;
  return (
    <Menu trigger={<RowMenuButton label={t.installmentActs(name)} />}>
      {mayCollect && (
        <MenuItem icon={HandCoins} onSelect={() => begin({ act: 'collect', installment })}>
          {t.collect}
        </MenuItem>
      )}
      {mayPromise && (
        <MenuItem icon={CalendarPlus} onSelect={() => begin({ act: 'promise', installment })}>
          {t.promise}
        </MenuItem>
      )}
      {mayRemind && (
        <MenuItem icon={BellRing} onSelect={() => begin({ act: 'remind', installment })}>
          {r.remind}
        </MenuItem>
      )}
      {mayPostpone && (
        <MenuItem icon={CalendarClock} onSelect={() => begin({ act: 'postpone', installment })}>
          {t.postpone}
        </MenuItem>
      )}
      {mayPostpone && (
        <MenuItem icon={Pencil} onSelect={() => begin({ act: 'editRow', installment })}>
          {t.editRow}
        </MenuItem>
      )}
    </Menu>
  );
}

interface CollectionActsProps {
  readonly collection: Collection;
  /** Of a sale that was not cancelled. */
  readonly isReversible: boolean;
  readonly begin: BeginAct;
}

/** Reversing is for owner and finance, as the rights to collect are. */
export function CollectionActs({ collection, isReversible, begin }: CollectionActsProps) {
  const t = useTexts(saleActsTexts);
  const r = useTexts(receiptTexts);
  const may = useMay('collections:write', 'destructive');
  const isTrusted = useRole('owner', 'finance');
  const { id, status, type, receipt_no } = collection;
  const mayReverse = isReversible && may && isTrusted && status === 'Geçerli' && (type === 'Tahsilat' || type === 'İndirim');
  const mayPrint = useMayPrint() && hasReceipt(collection);
  if (!mayReverse && !mayPrint) return null;
  const paper = (size: 'A5' | '80mm') => (
    // biome-ignore lint/a11y/useAnchorContent: the menu puts its words inside
    <a
      href={receiptAddress(id, size)}
      target="_blank"
      rel="noreferrer"
      onClick={(event) => previewed(event, { title: r.titleOf(receipt_no), forms: [{ href: receiptAddress(id, size) }] })}
    />
  );
  return (
    <Menu trigger={<RowMenuButton label={t.installmentActs(receipt_no)} />}>
      {mayPrint && (
        <>
          <MenuItem icon={Printer} render={paper('A5')}>
            {r.a5}
          </MenuItem>
          <MenuItem icon={ReceiptText} render={paper('80mm')}>
            {r.roll}
          </MenuItem>
        </>
      )}
      {mayReverse && (
        <MenuItem icon={Undo2} danger onSelect={() => begin({ act: 'reverse', collection })}>
          {t.reverse}
        </MenuItem>
      )}
    </Menu>
  );
}
