// Invariants of sales and money from the specification, as queries: each returns the violations.
import type { World } from './world.ts';

const INVARIANTS: Readonly<Record<string, string>> = {
  'rows add up to the sale': `select s.id from sales s left join installments i using (account_id) where i.sale_id = s.id
    group by s.account_id, s.id having sum(i.amount_minor) <> s.total_receivable_minor
      or sum(i.amount_minor) filter (where seq >= 1) is distinct from nullif(s.financed_amount_minor, 0)
      or coalesce(sum(i.amount_minor) filter (where seq = 0), 0) <> s.down_payment_minor`,
  'a sale has rows': `select id from sales s where not exists (select from installments i where i.account_id = s.account_id and i.sale_id = s.id)`,
  'nothing is overpaid': `select id from installments where paid_amount_minor < 0 or discounted_amount_minor < 0
    or paid_amount_minor + discounted_amount_minor > amount_minor`,
  'collected and discounted are what was recorded': `select s.id from sales s where
      (s.collected_amount_minor, s.discounted_amount_minor) <> (
        select coalesce(sum(c.applied_amount_minor) filter (where not (c.type = 'İndirim' or r.type = 'İndirim' and r.id is not null)), 0),
          coalesce(sum(c.applied_amount_minor) filter (where c.type = 'İndirim' or r.type = 'İndirim'), 0)
        from collections c left join collections r on r.account_id = c.account_id and r.id = c.reverses_id
        where c.account_id = s.account_id and c.sale_id = s.id)`,
  'collected and discounted stay within the total': `select id from sales where status <> 'İptal' and (collected_amount_minor < 0
    or discounted_amount_minor < 0 or collected_amount_minor + discounted_amount_minor > total_receivable_minor)`,
  'the state of a sale is what is open': `select id from sales where status <> 'İptal' and (status = 'Tamamlandı')
    <> (collected_amount_minor + discounted_amount_minor = total_receivable_minor)`,
  'refunded equals the refunds': `select s.id from sales s where refunded_amount_minor <> (select coalesce(-sum(applied_amount_minor), 0)
    from collections c where c.account_id = s.account_id and c.sale_id = s.id and type = 'İade')`,
  'a row is paid as allocated': `select i.id from installments i where (paid_amount_minor, discounted_amount_minor) <> (
      select coalesce(sum(a.amount_minor) filter (where not is_discount), 0), coalesce(sum(a.amount_minor) filter (where is_discount), 0)
      from collection_allocations a where a.account_id = i.account_id and a.installment_id = i.id)`,
  'allocations add up': `select c.id from collections c where type <> 'İade' and sale_id is not null and applied_amount_minor <> (
      select coalesce(sum(a.amount_minor), 0) from collection_allocations a where a.account_id = c.account_id and a.collection_id = c.id)`,
  'money fills only rows of its own sale': `select c.id from collections c join collection_allocations a on a.account_id = c.account_id and a.collection_id = c.id
    join installments i on i.account_id = a.account_id and i.id = a.installment_id where i.sale_id is distinct from c.sale_id`,
  'a reversal is the exact negative': `select r.id from collections r join collections c on c.account_id = r.account_id and c.id = r.reverses_id
    where c.reversed_by_id is distinct from r.id or c.status <> 'İptal Edildi' or r.currency <> c.currency or r.method is distinct from c.method
      or (r.amount_minor, r.late_interest_amount_minor) <> (-c.amount_minor, -c.late_interest_amount_minor)
      or r.applied_amount_minor is distinct from -c.applied_amount_minor or r.exchange_rate is distinct from c.exchange_rate`,
  'an expense has one exact reversal at most': `select r.id from expenses r join expenses e on e.account_id = r.account_id and e.id = r.reverses_id
    where e.reverses_id is not null or (r.amount_minor, r.currency, r.method, r.branch_id) is distinct from (-e.amount_minor, e.currency, e.method, e.branch_id)
    union all select reverses_id from expenses where reverses_id is not null group by account_id, reverses_id having count(*) > 1`,
  'a transfer has one exact reversal at most': `select r.id from cash_transfers r join cash_transfers t on t.account_id = r.account_id and t.id = r.reverses_id
    where t.reverses_id is not null or (r.amount_minor, r.currency, r.from_place, r.to_place) is distinct from (t.amount_minor, t.currency, t.to_place, t.from_place)
    union all select reverses_id from cash_transfers where reverses_id is not null group by account_id, reverses_id having count(*) > 1`,
  'what is reversed has one reversal': `select c.id from collections c where (status = 'İptal Edildi')
    <> (1 = (select count(*) from collections r where r.account_id = c.account_id and r.reverses_id = c.id))`,
  'pairs know each other': `select c.id from collections c left join collections o on o.account_id = c.account_id and o.id = c.paired_id
    where c.paired_id is not null and o.paired_id is distinct from c.id`,
  'a sold vehicle has one active sale': `select v.id from vehicles v where (status = 'Satıldı')
    <> (1 = (select count(*) from sales s where s.account_id = v.account_id and s.vehicle_id = v.id and s.status <> 'İptal'))`,
  'one open promise of a sale': `select sale_id from payment_promises where status = 'Bekliyor' group by account_id, sale_id having count(*) > 1`,
  'a promise is open only while something is': `select p.id from payment_promises p join sales s on s.account_id = p.account_id and s.id = p.sale_id
    where p.status = 'Bekliyor' and s.status <> 'Aktif'`,
  'numbers are unique': `select sale_no from sales group by account_id, sale_no having count(*) > 1
    union all select receipt_no from collections group by account_id, receipt_no having count(*) > 1
    union all select expense_no from expenses group by account_id, expense_no having count(*) > 1
    union all select transfer_no from cash_transfers group by account_id, transfer_no having count(*) > 1`,
  'rows of an ended sale are ended': `select i.id from installments i join sales s on s.account_id = i.account_id and s.id = i.sale_id
    where s.status <> 'Aktif' and i.status in ('Bekliyor', 'Kısmi Ödendi')`,
  'every idempotency key has its reply': `select key from idempotency where status is null`,
};

export async function brokenInvariants({ query }: World): Promise<string[]> {
  const problems: string[] = [];
  for (const [name, question] of Object.entries(INVARIANTS)) {
    for (const found of (await query(question)).slice(0, 3)) problems.push(`not so: ${name}: ${JSON.stringify(found)}`);
  }
  return problems;
}
