// Requests for the reports: they find the shared sale with its payment.

import type { RequestBuilder } from './requests.ts';
import { standingSale } from './sales-requests.ts';

const report =
  (name: string, query?: string): RequestBuilder =>
  async (world) => {
    await standingSale(world);
    return { path: `reports/${name}`, ...(query === undefined ? {} : { query }) };
  };

export const REPORT_REQUESTS: Readonly<Record<string, RequestBuilder>> = {
  'GET reports/sales-summary': report('sales-summary'),
  'GET reports/collections-summary': report('collections-summary'),
  'GET reports/inventory-aging': report('inventory-aging'),
  'GET reports/profit-loss': report('profit-loss'),
  'GET reports/salesperson-performance': report('salesperson-performance'),
  'GET reports/overdue-risk': report('overdue-risk'),
  'GET reports/marketplace-performance': report('marketplace-performance'),
  'GET reports/custom': report('custom', 'dataset=collections&metrics=count,sum_amount&group_by=month'),
};
