// Reports over the dealer's own figures, always per currency. Cost appears only in profit-loss (sensitive), and there by month,
// branch or brand, never by vehicle or sale.
import { get, resource } from '../kit/endpoint.ts';

export const reports = resource('Reports and analytics', 'Raporlar ve analiz', [
  get('reports/sales-summary', 'reports:read', 'read', 'Yakında', ['Summarize sales', 'Satış özetini getir']),
  get('reports/collections-summary', 'reports:read', 'read', 'Yakında', ['Summarize collections', 'Tahsilat özetini getir']),
  get('reports/inventory-aging', 'reports:read', 'read', 'Yakında', [
    'Report the age of the stock',
    'Stok yaşlandırma raporunu getir',
  ]),
  get('reports/profit-loss', 'reports:read', 'sensitive', 'Yakında', ['Report profit and loss', 'Kâr-zarar raporunu getir']),
  get('reports/salesperson-performance', 'reports:read', 'read', 'Yakında', [
    'Report salesperson performance',
    'Satış danışmanı performansını getir',
  ]),
  get('reports/overdue-risk', 'reports:read', 'sensitive', 'Yakında', ['Report overdue risk', 'Gecikme riski raporunu getir']),
  get('reports/marketplace-performance', 'reports:read', 'read', 'Yakında', [
    'Report marketplace performance',
    'Pazar yeri performansını getir',
  ]),
  get('reports/custom', 'reports:read', 'read', 'Yakında', ['Run a custom report', 'Özel rapor oluştur']),
]);
