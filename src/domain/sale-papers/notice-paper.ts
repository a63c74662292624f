// İhtar: the letter about a sale's overdue amounts, and its entry in the customer's activity.
import { own, sql } from '../../kit/sql.ts';
import type { Work } from '../../kit/work.ts';
import { logActivity } from '../customers/activity.ts';
import { writtenDay } from '../formats/written.ts';
import { daysOverdue, lateInterest } from '../installments/late-interest.ts';
import type { PlanInstallment } from '../installments/plan-installment.ts';
import type { SaleStatus } from '../installments/sales-states.ts';
import type { NoticeLetter, Party } from '../papers/paper.ts';
import { readPaperBase } from '../papers/paper-account.ts';
import type { CreateBody } from '../records/body.ts';
import { dayField, type Fields, required } from '../records/fields.ts';
import { placeOf } from '../sales/installment.ts';
import { badField } from '../sales/sale.ts';
import { openField } from '../vault/sealed-fields.ts';
import { audit } from '../writes/audit.ts';

export const NOTICE_FIELDS = { deadline: required(dayField()) } as const satisfies Fields;

interface Person {
  readonly id: string;
  readonly kind: 'Bireysel' | 'Kurumsal';
  readonly name: string;
  readonly address_encrypted: Buffer | null;
}

const partyOf = ({ keys }: Work, table: 'customers' | 'guarantors', person: Person): Party => ({
  kind: person.kind,
  name: person.name,
  representative: null,
  id_no: null,
  tax_office: null,
  tax_no: null,
  phone: null,
  address: openField(keys, table, { ...person }, 'address'),
});

interface FoundSale {
  readonly sale_no: string;
  readonly sale_date: string;
  readonly status: SaleStatus;
  readonly currency: NoticeLetter['currency'];
  readonly late_rate: number | null;
  readonly customer_id: string;
  readonly guarantor_ids: readonly string[];
  readonly vehicle: NoticeLetter['vehicle'];
}

/** The letter contains addresses, so each download is audited. */
export async function openNotice(work: Work, saleId: string, deadline: string): Promise<NoticeLetter> {
  const { db, now, today, actor, account } = work;
  const sale =
    await db.one<FoundSale>(sql`select sale_no, sale_date, sales.status, sales.currency, late_rate_yearly_minor as late_rate, customer_id, guarantor_ids,
      json_build_object('brand', brand, 'model', model, 'model_year', model_year, 'plate', plate, 'color', color, 'km', km, 'fuel_type', fuel_type,
        'transmission', transmission) as vehicle
    from ${own('sales')} join ${own('vehicles')} on vehicles.id = vehicle_id where sales.id = ${saleId}`);
  const rows = await overdueRows(work, saleId, sale);
  if (rows.length === 0) badField('sale_id', 'not_allowed', 'Nothing of this sale is overdue', 'Bu satışın gecikmiş taksiti yok');
  if (deadline <= today) badField('deadline', 'out_of_range', 'deadline must be after today', 'deadline bugünden sonra olmalı');
  const customer =
    await db.one<Person>(sql`select id, kind, coalesce(company_name, first_name || ' ' || last_name) as name, address_encrypted
    from ${own('customers')} where id = ${sale.customer_id}`);
  const guarantors =
    await db.rows<Person>(sql`select id, 'Bireysel' as kind, first_name || ' ' || last_name as name, address_encrypted
    from ${own('guarantors')} where id = any(${sale.guarantor_ids}::uuid[]) order by array_position(${sale.guarantor_ids}::uuid[], id)`);
  await audit(db, actor, 'notice.opened', saleId, { accountId: account.id, after: { deadline } });
  return {
    ...(await readPaperBase(db, 'ihtar_mektubu', { created_at: now, day: today })),
    code: 'ihtar_mektubu',
    customer: partyOf(work, 'customers', customer),
    guarantors: guarantors.map((one) => partyOf(work, 'guarantors', one)),
    vehicle: sale.vehicle,
    sale_no: sale.sale_no,
    sale_date: sale.sale_date,
    currency: sale.currency,
    late_rate_yearly: sale.late_rate,
    rows,
    deadline,
  };
}

async function overdueRows({ db, today }: Work, saleId: string, sale: FoundSale): Promise<NoticeLetter['rows']> {
  const installments = await db.rows<
    PlanInstallment & { label: string; left: bigint }
  >(sql`select seq, kind, due_date, amount_minor as amount, paid_amount_minor as paid_amount,
      discounted_amount_minor as discounted_amount, status,
      remaining_amount_minor as left, case seq when 0 then 'Peşinat' else ${placeOf(sql`rows.seq`, sql`rows.sale_id`)}::text end as label
    from (select * from ${own('installments')} where sale_id = ${saleId}) rows where due_date < ${today}::date order by due_date, seq`);
  const rate = sale.late_rate === null ? null : BigInt(sale.late_rate);
  return installments
    .map((installment) => ({
      label: installment.label,
      due_date: installment.due_date,
      days_overdue: daysOverdue(installment, today, sale.status),
      remaining: installment.left,
      late_interest: lateInterest(installment, rate, today, sale.status),
    }))
    .filter(({ days_overdue }) => days_overdue > 0);
}

export interface NoticeLogged {
  readonly deadline: string;
  /** `Yok` if the sale could now move to `İhtar`. */
  readonly legal_stage: string;
}

/** Recorded in the customer's activity; the dealer sets the sale's legal stage. */
export async function logNotice(
  work: Work,
  saleId: string,
  { deadline }: CreateBody<typeof NOTICE_FIELDS>,
): Promise<NoticeLogged> {
  const letter = await openNotice(work, saleId, deadline);
  const { customer_id, legal_stage } = await work.db.one<{ customer_id: string; legal_stage: string }>(
    sql`select customer_id, legal_stage from ${own('sales')} where id = ${saleId}`,
  );
  const until = writtenDay(deadline);
  logActivity(work, customer_id, {
    note: {
      en: `Notice letter for sale ${letter.sale_no}: ${letter.rows.length} overdue, to be paid by ${until.en}`,
      tr: `${letter.sale_no} numaralı satış için ihtar mektubu: ${letter.rows.length} gecikmiş taksit, son gün ${until.tr}`,
    },
    resource_type: 'sale',
    resource_id: saleId,
  });
  return { deadline, legal_stage };
}
