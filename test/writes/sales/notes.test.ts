// Promissory notes: created for open installments, moved between holders, paid and reopened with their installments, ended with their sale.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  aDealer,
  collect,
  customerOf,
  dataOf,
  moveTo,
  newKey,
  reverse,
  rowsOf,
  type Shown,
  sell,
  verdictOf,
} from '../../support/books.ts';
import { eventsBy } from '../../support/events.ts';
import { aPerson, type Dealer } from '../../support/writer.ts';
import { cancel, closeScene, newScene, type Scene, type Sold, sold, TODAY } from './refused.ts';

let scene: Scene;
let dealer: Dealer;
beforeAll(async () => {
  scene = await newScene();
});
afterAll(() => closeScene(scene));
beforeEach(async () => {
  moveTo(scene.api, TODAY);
  dealer = await aDealer(scene.api);
});

const emittedBy = async (act: () => Promise<unknown>) =>
  (await eventsBy(scene.api, dealer.accountId, act)).map(({ kind }) => kind);
const issue = ({ sale }: Sold, overrides: object = {}) =>
  dealer.post('promissory-notes', { sale_id: sale.id, issue_place: 'Lefkoşa', ...overrides });
const issued = async (one: Sold, overrides: object = {}): Promise<Shown[]> =>
  dataOf(await issue(one, overrides)) as unknown as Shown[];
const note = async ({ id }: Shown): Promise<Shown> => dataOf(await dealer.get(`promissory-notes/${id}`));
const move = (of: Shown, body: object) => dealer.patch(`promissory-notes/${of.id}`, body);
const moved = async (of: Shown, body: object): Promise<Shown> => dataOf(await move(of, body));
const statuses = async ({ sale }: Sold): Promise<string[]> =>
  (dataOf(await dealer.get(`promissory-notes?sale_id=${sale.id}`)) as unknown as Shown[]).map(({ status }) => status);

describe('written', () => {
  test('creates one for each open installment, to the legal name, for the open amount, with the sum in words', async () => {
    const one = await sold(dealer);
    dataOf(await collect(dealer, one.sale.id, '1100.00'));
    const answer = await issue(one, { payment_place: 'Girne' });
    expect(answer.status).toBe(201);
    expect(answer.headers.get('location')).toBeNull();
    expect(answer.json.meta).toMatchObject({ limit: 2, offset: 0, count: 2 });
    const [first, second] = answer.json.data;
    expect(first).toMatchObject({
      note_no: 'N-2026-00001',
      sale_id: one.sale.id,
      installment_id: one.rows[1]!.id,
      customer_id: one.customer,
      amount: '900.00',
      amount_in_words: 'Dokuzyüz İngiliz sterlini',
      currency: 'STG',
      issue_date: TODAY,
      issue_place: 'Lefkoşa',
      payment_place: 'Girne',
      due_date: one.rows[1]!.due_date,
      status: 'Portföyde',
      previous_status: null,
      collected_amount: '0.00',
      printed_at: null,
      guarantor_ids: [],
    });
    expect(first.payee_name).toMatch(/Ltd\.$/);
    expect(second).toMatchObject({ note_no: 'N-2026-00002', amount: '1000.00' });
    expect((await rowsOf(dealer, one.sale.id)).map(({ promissory_note_id }) => promissory_note_id)).toEqual([
      null,
      first.id,
      second.id,
    ]);
    expect(verdictOf(await issue(one))).toBe('409 nothing_to_issue');
  });

  test('emits events with ids only', async () => {
    const one = await sold(dealer);
    const events = await eventsBy(scene.api, dealer.accountId, () => issue(one));
    expect(events.map(({ kind }) => kind)).toEqual(Array(3).fill('promissory_note.created'));
    expect(Object.keys(events[0]!.payload.data.object).sort()).toEqual([
      'customer_id',
      'guarantor_ids',
      'id',
      'installment_id',
      'sale_id',
    ]);
    expect(events[0]!.payload.data).toMatchObject({ changed: [], previous: {} });
  });

  test('refuses invalid requests and stores nothing', async () => {
    const one = await sold(dealer, { down_payment: '600.00' });
    const other = await sold(dealer);
    const ids = one.rows.map(({ id }) => id);
    const asks: [object, string][] = [
      [{ sale_id: one.customer }, '422 unknown_reference'],
      [{ installment_ids: [ids[0]] }, '422 validation_failed'],
      [{ installment_ids: [ids[1], ids[1]] }, '422 validation_failed'],
      [{ installment_ids: [] }, '422 validation_failed'],
      [{ installment_ids: [other.rows[0]!.id] }, '422 unknown_reference'],
      [{ guarantor_ids: [one.customer] }, '422 unknown_guarantor'],
      [{ issue_date: '2026-03-15' }, '422 validation_failed'],
      [{ issue_date: '2026-03-17' }, '422 validation_failed'],
      [{ issue_place: '' }, '422 validation_failed'],
      [{ amount: '1.00' }, '422 validation_failed'],
    ];
    for (const [input, refused] of asks) expect(verdictOf(await issue(one, input)), JSON.stringify(input)).toBe(refused);
    await issued(one, { installment_ids: [ids[2]] });
    expect(verdictOf(await issue(one, { installment_ids: [ids[1], ids[2]] }))).toBe('409 note_exists');
    dataOf(await collect(dealer, one.sale.id, '800.00', { installment_ids: [ids[1]] }));
    expect(verdictOf(await issue(one, { installment_ids: [ids[1]] }))).toBe('409 installment_paid');
    dataOf(await cancel(dealer, one, { refund_method: 'Nakit' }));
    expect(verdictOf(await issue(one))).toBe('409 sale_cancelled');
    dataOf(await collect(dealer, other.sale.id, '3000.00'));
    expect(verdictOf(await issue(other))).toBe('409 nothing_to_issue');
    await scene.admin.rows('update accounts set legal_name = null where id = $1', [dealer.accountId]);
    expect(verdictOf(await issue(await sold(dealer)))).toBe('409 legal_name_missing');
  });

  test('filters by status, sale, customer, currency and due date, ordered by due date', async () => {
    const one = await sold(dealer);
    const [first, second] = await issued(one);
    await moved(second!, { status: 'Bankada', bank_name: 'İş Bankası' });
    await issued(await sold(dealer));
    const found = async (query: string) =>
      (dataOf(await dealer.get(`promissory-notes?${query}`)) as unknown as Shown[]).map(({ id }) => id);
    expect(await found('status=Bankada')).toEqual([second!.id]);
    expect(await found(`sale_id=${one.sale.id}`)).toHaveLength(3);
    expect(await found(`customer_id=${one.customer}&from=${first!.due_date}&to=${first!.due_date}`)).toEqual([first!.id]);
    expect(await found('currency=TL')).toEqual([]);
    const dates = (dataOf(await dealer.get('promissory-notes')) as unknown as Shown[]).map(({ due_date }) => due_date);
    expect(dates).toEqual(dates.toSorted());
    expect((await dealer.get(`promissory-notes?from=2026-05-02&to=2026-05-01`)).status).toBe(400);
  });
});

describe('moved', () => {
  const FACTS: Record<string, object> = {
    Bankada: { bank_name: 'İş Bankası' },
    Teminatta: { bank_name: 'İş Bankası' },
    Devredildi: { transferred_to: 'Akdeniz Faktoring' },
    Avukatta: { lawyer: 'Av. Kaya' },
    Protestolu: { protest_date: '2026-05-20' },
    İptal: { note: 'yanlış yazıldı' },
  };
  const PATHS: Record<string, string[]> = {
    Portföyde: [],
    Bankada: ['Bankada'],
    Teminatta: ['Teminatta'],
    Devredildi: ['Devredildi'],
    Protestolu: ['Protestolu'],
    Avukatta: ['Avukatta'],
    İptal: ['İptal'],
  };
  const ALLOWED: Record<string, string[]> = {
    Portföyde: ['Bankada', 'Teminatta', 'Devredildi', 'Protestolu', 'Avukatta', 'İptal'],
    Bankada: ['Portföyde', 'Protestolu', 'Avukatta', 'İptal'],
    Teminatta: ['Portföyde'],
    Devredildi: ['Portföyde', 'Protestolu'],
    Protestolu: ['Avukatta', 'İptal'],
    Avukatta: ['Portföyde', 'İptal'],
    İptal: [],
  };
  test.each(Object.keys(PATHS))('from «%s» allows only the transitions of the state machine', async (from) => {
    const one = await sold(dealer);
    for (const to of [...Object.keys(PATHS), 'İade Edildi']) {
      if (to === from) continue;
      moveTo(scene.api, TODAY);
      const [made] = await issued(one, { installment_ids: [one.rows[0]!.id] });
      moveTo(scene.api, '2026-05-21');
      for (const step of PATHS[from]!) await moved(made!, { status: step, ...FACTS[step] });
      const expected = ALLOWED[from]!.includes(to) ? '200' : '409 invalid_transition';
      expect(verdictOf(await move(made!, { status: to, ...FACTS[to] })), `${from} → ${to}`).toBe(expected);
      expect(await note(made!)).toMatchObject({ status: expected === '200' ? to : from });
      await scene.admin.rows('delete from promissory_notes where id = $1', [made!.id]);
    }
  });

  test('a move records its required details and refuses details of another move', async () => {
    const [made] = await issued(await sold(dealer));
    for (const [body, refused] of [
      [{ status: 'Bankada' }, '422 validation_failed'],
      [{ status: 'Devredildi', bank_name: 'x' }, '422 validation_failed'],
      [{ bank_name: 'x' }, '422 validation_failed'],
      [{ status: 'İptal' }, '422 validation_failed'],
      [{ status: 'Tahsil Edildi' }, '409 status_not_settable'],
      [{ status: 'Protestolu', protest_date: TODAY }, '409 note_not_due'],
      [{ status: 'Kayıp' }, '422 validation_failed'],
      [{ printed: false }, '422 validation_failed'],
      [{ amount: '1.00' }, '422 validation_failed'],
      [{}, '422 validation_failed'],
    ] as const)
      expect(verdictOf(await move(made!, body)), JSON.stringify(body)).toBe(refused);
    expect(await emittedBy(() => moved(made!, { status: 'Bankada', bank_name: 'İş Bankası' }))).toEqual([
      'promissory_note.status_changed',
    ]);
    expect(await emittedBy(() => moved(made!, { bank_name: 'Ziraat' }))).toEqual(['promissory_note.updated']);
    expect(await emittedBy(() => moved(made!, { status: 'Bankada', bank_name: 'Ziraat' }))).toEqual([]);
    expect(verdictOf(await move(made!, { bank_name: null }))).toBe('422 validation_failed');
    const elsewhere = await move(made!, { payment_place: 'Girne' });
    expect(verdictOf(elsewhere)).toBe('409 invalid_transition');
    expect(elsewhere.json.error.details).toMatchObject([{ field: 'payment_place' }]);
    // An edit without changes has no effect.
    expect(await emittedBy(() => moved(made!, { payment_place: made!.payment_place }))).toEqual([]);
    expect(await emittedBy(() => moved(made!, { status: 'Portföyde', note: 'geri alındı' }))).toEqual([
      ...['promissory_note.status_changed', 'promissory_note.updated'],
    ]);
    expect(await moved(made!, { payment_place: 'Girne' })).toMatchObject({ payment_place: 'Girne', note: 'geri alındı' });
  });

  test('a protest is emitted, and is in the customer’s activity', async () => {
    const one = await sold(dealer);
    const [made] = await issued(one);
    moveTo(scene.api, '2026-04-20');
    expect(await emittedBy(() => moved(made!, { status: 'Protestolu', protest_date: '2026-04-18' }))).toEqual([
      ...['installment.overdue', 'promissory_note.status_changed', 'promissory_note.protested'],
    ]);
    const [latest] = dataOf(await dealer.get(`customers/${one.customer}/activity`)) as unknown as Shown[];
    expect(latest).toMatchObject({ resource_type: 'promissory_note', resource_id: made!.id, kind: 'Sistem' });
  });

  test('is printed once; a note that is not live is not printed', async () => {
    const [made] = await issued(await sold(dealer));
    const { printed_at } = await moved(made!, { printed: true });
    expect(printed_at).not.toBeNull();
    moveTo(scene.api, '2026-03-18');
    expect(await emittedBy(() => moved(made!, { printed: true }))).toEqual([]);
    expect((await note(made!)).printed_at).toBe(printed_at);
    await moved(made!, { status: 'İptal', note: 'lekelendi' });
    expect(verdictOf(await move(made!, { printed: true }))).toBe('409 invalid_transition');
    expect(await moved(made!, { note: 'mürekkep lekesi' })).toMatchObject({ note: 'mürekkep lekesi' });
  });

  test('is cancelled manually only while nothing is paid on it, and then the installment may have another', async () => {
    const one = await sold(dealer);
    const [made] = await issued(one);
    const paid = dataOf(await collect(dealer, one.sale.id, '100.00'));
    expect(await note(made!)).toMatchObject({ collected_amount: '100.00' });
    expect(verdictOf(await move(made!, { status: 'İptal', note: 'yanlış' }))).toBe('409 invalid_transition');
    dataOf(await reverse(dealer, paid.id));
    expect(await emittedBy(() => moved(made!, { status: 'İptal', note: 'yanlış' }))).toEqual([
      ...['promissory_note.status_changed', 'promissory_note.cancelled'],
    ]);
    dataOf(await collect(dealer, one.sale.id, '100.00'));
    expect(await note(made!)).toMatchObject({ collected_amount: '0.00', status: 'İptal' });
    const [again] = await issued(one, { installment_ids: [one.rows[0]!.id] });
    expect(again).toMatchObject({ amount: '900.00', collected_amount: '0.00' });
  });
});

describe('with its installment', () => {
  test('paid with the installment, restored when the payment is reversed, discounts included', async () => {
    const one = await sold(dealer);
    const [first, second] = await issued(one);
    await moved(second!, { status: 'Bankada', bank_name: 'İş Bankası' });
    expect(await emittedBy(() => collect(dealer, one.sale.id, '1500.00'))).toEqual([
      ...['collection.created', 'installment.paid', 'installment.partially_paid', 'promissory_note.collected'],
    ]);
    expect(await note(first!)).toMatchObject({
      status: 'Tahsil Edildi',
      previous_status: 'Portföyde',
      collected_amount: '1000.00',
    });
    const rest = dataOf(await collect(dealer, one.sale.id, '400.00', { discount_amount: '100.00', discount_reason: 'Anlaşma' }));
    expect(await note(second!)).toMatchObject({
      status: 'Tahsil Edildi',
      previous_status: 'Bankada',
      collected_amount: '900.00',
    });
    expect(await emittedBy(() => reverse(dealer, rest.id))).toEqual([
      ...['collection.reversed', 'collection.reversed', 'installment.reopened', 'promissory_note.status_changed'],
    ]);
    expect(await note(second!)).toMatchObject({ status: 'Bankada', previous_status: null, collected_amount: '500.00' });
  });

  test('returned after it was paid, and then stays so', async () => {
    const one = await sold(dealer);
    const [made] = await issued(one);
    expect(verdictOf(await move(made!, { status: 'İade Edildi' }))).toBe('409 invalid_transition');
    const paid = dataOf(await collect(dealer, one.sale.id, '1000.00'));
    expect(await emittedBy(() => moved(made!, { status: 'İade Edildi' }))).toEqual([
      ...['promissory_note.status_changed', 'promissory_note.returned'],
    ]);
    expect(await note(made!)).toMatchObject({ returned_on: TODAY, collected_amount: '1000.00' });
    dataOf(await reverse(dealer, paid.id));
    expect(await note(made!)).toMatchObject({ status: 'İade Edildi', collected_amount: '1000.00' });
    expect((await rowsOf(dealer, one.sale.id))[0]!.promissory_note_id).toBeNull();
    expect(await issued(one, { installment_ids: [one.rows[0]!.id] })).toHaveLength(1);
  });

  test('held by a third party, accepts only money received by its holder', async () => {
    const one = await sold(dealer);
    const [first, second] = await issued(one);
    await moved(first!, { status: 'Devredildi', transferred_to: 'Akdeniz Faktoring' });
    await moved(second!, { status: 'Teminatta', bank_name: 'İş Bankası' });
    expect(verdictOf(await collect(dealer, one.sale.id, '10.00'))).toBe('409 note_not_in_hand');
    const third = { installment_ids: [one.rows[2]!.id] };
    dataOf(await collect(dealer, one.sale.id, '10.00', third));
    const forgiven = { discount_amount: '5.00', discount_reason: 'Küsurat' };
    expect(verdictOf(await collect(dealer, one.sale.id, '0.00', { ...forgiven, installment_ids: [one.rows[1]!.id] }))).toBe(
      '409 note_not_in_hand',
    );
    dataOf(await collect(dealer, one.sale.id, '1000.00', { method: 'Senet' }));
    expect(await note(first!)).toMatchObject({ status: 'Tahsil Edildi', previous_status: 'Devredildi' });
    expect(verdictOf(await cancel(dealer, one, { refund_method: 'Nakit' }))).toBe('409 note_not_in_hand');
    await moved(second!, { status: 'Portföyde' });
    dataOf(await cancel(dealer, one, { refund_method: 'Nakit' }));
    expect(await statuses(one)).toEqual(['İptal', 'İptal', 'İptal']);
  });

  test('locks the row’s amount and date, but allows postponing', async () => {
    const one = await sold(dealer);
    const [last] = await issued(one, { installment_ids: [one.rows[2]!.id] });
    const edit = (at: number, body: object) => dealer.patch(`installments/${one.rows[at]!.id}`, body);
    expect(verdictOf(await edit(2, { due_date: '2026-05-01' }))).toBe('409 promissory_note_active');
    expect(verdictOf(await edit(0, { amount: '900.00' }))).toBe('409 promissory_note_active');
    dataOf(await edit(2, { amount: '1000.00', note: 'aynı' }));
    dataOf(await dealer.post(`installments/${one.rows[2]!.id}/postpone`, { months: 1, reason: 'maaş' }));
    expect(await note(last!)).toMatchObject({ due_date: one.rows[2]!.due_date });
    const request = { from: '2026-06-01', installment_count: 2, reason: 'gelir düştü' };
    expect(verdictOf(await dealer.patch(`sales/${one.sale.id}`, { restructure: { ...request, from: '2026-06-16' } }))).toBe(
      '409 promissory_note_active',
    );
    await moved(last!, { status: 'İptal', note: 'yapılandırma' });
    dataOf(await dealer.patch(`sales/${one.sale.id}`, { restructure: request }));
  });
});

describe('with its sale', () => {
  test('cancelled with it, emitted before promises; returned notes stay', async () => {
    const one = await sold(dealer);
    const [first] = await issued(one);
    dataOf(await collect(dealer, one.sale.id, '1000.00'));
    await moved(first!, { status: 'İade Edildi' });
    dataOf(await dealer.post('payment-promises', { sale_id: one.sale.id, amount: '10.00', promised_date: '2026-03-20' }));
    expect(await emittedBy(async () => dataOf(await cancel(dealer, one, { refund_method: 'Nakit' })))).toEqual([
      ...['sale.cancelled', 'vehicle.status_changed', 'installment_plan.cancelled', 'promissory_note.cancelled'],
      ...['promissory_note.cancelled', 'payment_promise.cancelled', 'collection.refunded'],
    ]);
    expect(await statuses(one)).toEqual(['İade Edildi', 'İptal', 'İptal']);
  });

  test('locks its terms until it is cancelled; a plan with fewer installments leaves the cancelled note unchanged', async () => {
    const one = await sold(dealer);
    const made = await issued(one);
    const edit = (body: object) => dealer.patch(`sales/${one.sale.id}`, body);
    expect(verdictOf(await edit({ sale_price: '2900.00' }))).toBe('409 sale_terms_locked');
    for (const each of made) await moved(each, { status: 'İptal', note: 'koşullar değişiyor' });
    dataOf(await edit({ installment_count: 1 }));
    expect(await note(made[2]!)).toMatchObject({ status: 'İptal', installment_id: one.rows[2]!.id, amount: '1000.00' });
    expect(await issued(one)).toMatchObject([{ amount: '3000.00' }]);
  });

  test('a signatory of a note stays on the sale and cannot be deleted', async () => {
    const customer = await customerOf(dealer);
    const guarantor = dataOf(await dealer.post(`customers/${customer}/guarantors`, aPerson())).id;
    const car = await scene.api.vehicle(dealer.accountId);
    const body = { vehicle_id: car, customer_id: customer, guarantor_ids: [guarantor], sale_price: '2000.00', currency: 'STG' };
    const sale = dataOf(await sell(dealer, { ...body, installment_count: 2 }));
    const guarantors = async () => dataOf(await dealer.get(`guarantors/${guarantor}`));
    expect(await guarantors()).toMatchObject({ active_sale_count: 1 });
    const [first] = await issued({ sale, rows: [], customer, car });
    expect(first).toMatchObject({ guarantor_ids: [guarantor] });
    expect(verdictOf(await dealer.patch(`sales/${sale.id}`, { guarantor_ids: [] }))).toBe('409 guarantor_bound');
    expect(verdictOf(await dealer.delete(`guarantors/${guarantor}`))).toBe('409 guarantor_in_use');
    dataOf(await collect(dealer, sale.id, '2000.00'));
    expect(await guarantors()).toMatchObject({ active_sale_count: 0 });
    // Paid, but the papers are still with the dealer.
    expect(verdictOf(await dealer.delete(`guarantors/${guarantor}`))).toBe('409 guarantor_in_use');
    for (const each of dataOf(await dealer.get('promissory-notes')) as unknown as Shown[])
      await moved(each, { status: 'İade Edildi' });
    expect(verdictOf(await dealer.delete(`guarantors/${guarantor}`))).toBe('200');
  });

  test('another dealer can neither read nor move it', async () => {
    const [made] = await issued(await sold(dealer));
    const other = await aDealer(scene.api);
    for (const answer of [
      await other.get(`promissory-notes/${made!.id}`),
      await other.patch(`promissory-notes/${made!.id}`, { printed: true }),
    ])
      expect(verdictOf(answer)).toBe('404 not_found');
    expect(dataOf(await other.get('promissory-notes'))).toEqual([]);
    expect(verdictOf(await other.post('promissory-notes', { sale_id: made!.sale_id, issue_place: 'x' }))).toBe(
      '422 unknown_reference',
    );
  });

  test('a dry run stores no note, and a repeated idempotency key returns the same reply', async () => {
    const one = await sold(dealer);
    const body = { sale_id: one.sale.id, issue_place: 'Lefkoşa' };
    expect((await dealer.post('promissory-notes', body, { 'x-dry-run': 'true' })).json.data).toHaveLength(3);
    expect(await statuses(one)).toEqual([]);
    const key = newKey();
    const first = await dealer.post('promissory-notes', body, key);
    expect((await dealer.post('promissory-notes', body, key)).json.data).toEqual(first.json.data);
    expect(await statuses(one)).toHaveLength(3);
  });
});
