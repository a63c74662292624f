// What customers owe and when: one plan per sale, its installments, what is overdue and what is coming.
import { get, patch, post, resource } from '../kit/endpoint.ts';

export const installmentPlans = resource('Installment plans', 'Taksit planları', [
  get('installment-plans', 'installments:read', 'read', 'Yakında', ['List installment plans', 'Taksit planlarını listele']),
  get('installment-plans/{plan_id}', 'installments:read', 'read', 'Yakında', [
    'Read an installment plan',
    'Taksit planını getir',
  ]),
  get('installment-plans/{plan_id}/installments', 'installments:read', 'read', 'Yakında', [
    "List a plan's installments",
    'Planın taksitlerini listele',
  ]),
  patch('installments/{installment_id}', 'installments:write', 'write', 'Yakında', [
    'Correct an unpaid installment',
    'Ödenmemiş taksiti düzelt',
  ]),
  get('installments/overdue', 'installments:read', 'read', 'Yakında', [
    'List overdue installments',
    'Geciken taksitleri listele',
  ]),
  get('installments/upcoming', 'installments:read', 'read', 'Yakında', [
    'List upcoming installments',
    'Yaklaşan taksitleri listele',
  ]),
  post('installments/{installment_id}/postpone', 'installments:write', 'write', 'Yakında', [
    'Postpone an installment',
    'Taksiti ertele',
  ]),
  get('customers/{customer_id}/installments', 'installments:read', 'read', 'Yakında', [
    "List a customer's installments",
    'Müşterinin taksitlerini listele',
  ]),
]);
