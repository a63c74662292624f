// Customers' debts by due date: one plan per sale, its installments, overdue and coming ones.

import { INSTALLMENT_STATUSES, SALE_STATUSES } from '../domain/installments/sales-states.ts';
import { createBody, patchBody } from '../domain/records/body.ts';
import { Installment } from '../domain/sales/installment.ts';
import {
  listInstallmentsOf,
  listOverdue,
  listUpcoming,
  OfSaleFilters,
  OverdueFilters,
  OverdueInstallment,
} from '../domain/sales/installment-list.ts';
import {
  editInstallment,
  INSTALLMENT_EDIT_FIELDS,
  POSTPONE_FIELDS,
  postponeInstallment,
} from '../domain/sales/installment-writes.ts';
import { listPlanInstallments, listPlans, Plan, readPlan } from '../domain/sales/plan.ts';
import { dayIn } from '../kit/clock.ts';
import { get, patch, post, resource } from '../kit/endpoint.ts';
import { CURRENCIES } from '../kit/money.ts';
import { integerParam, oneOfParam, trueParam, uuidParam } from '../kit/params.ts';

export const installmentPlans = resource('Installment plans', 'Taksit planları', [
  get('installment-plans', 'installments:read', 'read', 'Yakında', ['List installment plans', 'Taksit planlarını listele'], {
    about: ['Returns the plans of all sales, newest first.', 'Bütün satışların planları, en yeniden eskiye.'],
    query: { status: oneOfParam(SALE_STATUSES), customer_id: uuidParam, currency: oneOfParam(CURRENCIES), overdue: trueParam },
    lists: Plan,
    synced: true,
    run: ({ db, query, now, account, page }) => listPlans(db, query, dayIn(now, account.timezone), page),
  }),
  get(
    'installment-plans/{plan_id}',
    'installments:read',
    'read',
    'Yakında',
    ['Read an installment plan', 'Taksit planını getir'],
    {
      about: ['Returns a plan with its totals.', 'Bir plan, toplamlarıyla.'],
      returns: Plan,
      run: ({ db, params, now, account }) => readPlan(db, params.plan_id, dayIn(now, account.timezone)),
    },
  ),
  get(
    'installment-plans/{plan_id}/installments',
    'installments:read',
    'read',
    'Yakında',
    ["List a plan's installments", 'Planın taksitlerini listele'],
    {
      about: [
        'Returns the installments of a plan in order; number 0 is the down payment.',
        'Planın taksitlerini sırasıyla listeler; 0 numaralı kayıt peşinattır.',
      ],
      query: { status: oneOfParam(INSTALLMENT_STATUSES) },
      lists: Installment,
      synced: true,
      run: ({ db, params, query, now, account, page }) =>
        listPlanInstallments(db, params.plan_id, query.status, dayIn(now, account.timezone), page),
    },
  ),
  patch(
    'installments/{installment_id}',
    'installments:write',
    'write',
    'Yakında',
    ['Correct an unpaid installment', 'Ödenmemiş taksiti düzelt'],
    {
      about: [
        'Corrects an unpaid installment: its remark, an earlier due date, or its amount; the last other open installment absorbs the difference. For a later due date, use `postpone`.',
        'Ödenmemiş taksitin notunu, tutarını ya da vadesini (yalnızca daha erkene) değiştirir; tutar farkı son açık taksite eklenir. Daha ileri vade `postpone` ile verilir.',
      ],
      refuses: [
        'installment_paid',
        'installment_cancelled',
        'rebalance_impossible',
        'promissory_note_active',
        'use_postpone',
        'due_date_in_past',
      ],
      emits: ['installment.updated'],
      bodySchema: patchBody(INSTALLMENT_EDIT_FIELDS),
      returns: Installment,
      run: ({ work, params, body }) => editInstallment(work, params.installment_id, body),
    },
  ),
  get(
    'installments/overdue',
    'installments:read',
    'read',
    'Yakında',
    ['List overdue installments', 'Geciken taksitleri listele'],
    {
      about: [
        'Returns overdue installments, oldest first, with the customer and their open promise. Late interest is shown for information and is not owed.',
        'Şimdiye kadar ödenmesi gerekenler, en eskisi önce; müşterisi ve bekleyen sözüyle. Gecikme faizi gösterilir, borç değildir.',
      ],
      query: OverdueFilters,
      lists: OverdueInstallment,
      run: ({ db, query, now, account, page }) => listOverdue(db, query, dayIn(now, account.timezone), page),
    },
  ),
  get(
    'installments/upcoming',
    'installments:read',
    'read',
    'Yakında',
    ['List upcoming installments', 'Yaklaşan taksitleri listele'],
    {
      about: [
        'Returns installments that fall due from today on, soonest first, for the given number of days or the account’s default.',
        'Bugünden başlayarak verilen gün ya da hesap ayarı kadar sürede vadesi gelecek taksitleri listeler, en yakını önce.',
      ],
      query: { days: integerParam(1, 365), ...OfSaleFilters },
      lists: Installment,
      run: ({ db, query, now, account, page }) => listUpcoming(db, query, dayIn(now, account.timezone), page),
    },
  ),
  post(
    'installments/{installment_id}/postpone',
    'installments:write',
    'write',
    'Yakında',
    ['Postpone an installment', 'Taksiti ertele'],
    {
      about: [
        'Postpones an installment to a date or by a number of months, with a reason. `shift_following` moves every later open installment by the same months. The maximum is 24 months from the original due date.',
        'Taksiti belirli bir güne ya da birkaç ay sonraya, gerekçesiyle erteler; `shift_following` sonraki açık taksitleri de aynı sayıda ay erteler. İlk vadeden en çok 24 ay sonrasına ertelenir.',
      ],
      refuses: ['installment_paid', 'installment_cancelled', 'not_later', 'too_far'],
      emits: ['installment.postponed'],
      bodySchema: createBody(POSTPONE_FIELDS),
      returns: Installment,
      run: ({ work, params, body }) => postponeInstallment(work, params.installment_id, body),
    },
  ),
  get(
    'customers/{customer_id}/installments',
    'installments:read',
    'read',
    'Yakında',
    ["List a customer's installments", 'Müşterinin taksitlerini listele'],
    {
      about: [
        'Returns all installments of a customer’s sales by due date.',
        'Müşterinin bütün taksitlerini vade sırasıyla listeler.',
      ],
      query: { status: oneOfParam(INSTALLMENT_STATUSES), overdue: trueParam, currency: oneOfParam(CURRENCIES) },
      lists: Installment,
      synced: true,
      run: ({ db, params, query, now, account, page }) =>
        listInstallmentsOf(db, params.customer_id, query, dayIn(now, account.timezone), page),
    },
  ),
]);
