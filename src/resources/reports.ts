// Reports over the dealer's own figures, always per currency. Cost appears only in profit-loss (sensitive), and there by month,
// branch or brand, never by vehicle or sale.
import { COLLECTIONS_SUMMARY_QUERY, CollectionsSummary, collectionsSummary } from '../domain/reports/collections-summary.ts';
import { CUSTOM_QUERY, CustomReport, customReport } from '../domain/reports/custom-report.ts';
import { INVENTORY_AGING_QUERY, InventoryAging, inventoryAging } from '../domain/reports/inventory-aging.ts';
import {
  MARKETPLACE_PERFORMANCE_QUERY,
  MarketplacePerformance,
  marketplacePerformance,
} from '../domain/reports/marketplace-performance.ts';
import { OVERDUE_RISK_QUERY, OverdueRisk, overdueRisk } from '../domain/reports/overdue-risk.ts';
import { PROFIT_LOSS_QUERY, ProfitLoss, profitLoss } from '../domain/reports/profit-loss.ts';
import type { ReportAccount } from '../domain/reports/report-frame.ts';
import { SALES_SUMMARY_QUERY, SalesSummary, salesSummary } from '../domain/reports/sales-summary.ts';
import { SALESPERSON_QUERY, SalespersonPerformance, salespersonPerformance } from '../domain/reports/salesperson-performance.ts';
import { get, resource } from '../kit/endpoint.ts';

const at = ({ now, account }: { readonly now: Date; readonly account: { readonly timezone: string } }): ReportAccount => ({
  now,
  timezone: account.timezone,
});

export const reports = resource('Reports and analytics', 'Raporlar ve analiz', [
  get('reports/sales-summary', 'reports:read', 'read', 'Yakında', ['Summarize sales', 'Satış özetini getir'], {
    about: [
      'Returns the sales of up to 366 days (default: the current month) by group and currency. Cancelled sales are listed separately, by cancellation date. Vehicles sold outside Galeri are only counted. `convert_to` adds totals in one currency, at the rates of the sales.',
      'En çok 366 günde (belirtilmezse bu ay) ne satıldığı, gruba ve para birimine göre; iptal edilen satışlar ayrı, iptal edildikleri günle. Sistem dışında satılan araçlar yalnızca sayılır. `convert_to`, kullanılan kurlarla birlikte tek para biriminde toplamlar ekler.',
    ],
    refuses: ['rate_not_available'],
    query: SALES_SUMMARY_QUERY,
    returns: SalesSummary,
    run: (context) => salesSummary(context.db, context.query, at(context)),
  }),
  get('reports/collections-summary', 'reports:read', 'read', 'Yakında', ['Summarize collections', 'Tahsilat özetini getir'], {
    about: [
      'Returns the collections by group and received currency. For comparison, by currency of the sale: the amount that fell due in the same period, how much of it is paid, and the amount paid in advance. A reversal counts on its own day.',
      'Gelen para, gruba ve alınan para birimine göre; yanında satışın para birimiyle aynı günlerde vadesi gelen, bunun şimdiye kadar ödenen kısmı ve vadesinden önce ödenen. Ters kayıt kendi gününde sayılır.',
    ],
    refuses: ['rate_not_available'],
    query: COLLECTIONS_SUMMARY_QUERY,
    returns: CollectionsSummary,
    run: (context) => collectionsSummary(context.db, context.query, at(context)),
  }),
  get(
    'reports/inventory-aging',
    'reports:read',
    'read',
    'Yakında',
    ['Report the age of the stock', 'Stok yaşlandırma raporunu getir'],
    {
      about: [
        'Returns the age of the stock today: vehicles in stock, reserved or in an auction by age and currency, their average age and the ten oldest. It contains list prices and no cost.',
        'Stoğun bugünkü yaşı: stokta, rezerve ya da müzayededeki araçlar yaşa ve para birimine göre, ortalama yaşları ve en eski on araç. İlan fiyatlarını gösterir, maliyet göstermez.',
      ],
      refuses: ['rate_not_available'],
      query: INVENTORY_AGING_QUERY,
      returns: InventoryAging,
      run: (context) => inventoryAging(context.db, context.query, at(context)),
    },
  ),
  get('reports/profit-loss', 'reports:read', 'sensitive', 'Yakında', ['Report profit and loss', 'Kâr-zarar raporunu getir'], {
    about: [
      'Returns the gross profit of the sales of a period by month, branch or brand. Cost is converted at the bank’s buying rate of the sale date; vehicles without a known cost are listed separately. By currency: income from cancellations and retained deposits, late interest and discounts. Platform expenses are listed separately.',
      'Bir aralıktaki satışların aya, şubeye ya da markaya göre brüt kârı; maliyet satış gününün alış kuruyla değerlenir, maliyeti bilinmeyen araçlar ayrı gösterilir. Para birimine göre: iptallerden ve alıkonan kaporalardan gelir, gecikme faizi ve indirimler. Platforma ödenen ayrıca gösterilir.',
    ],
    refuses: ['rate_not_available'],
    query: PROFIT_LOSS_QUERY,
    returns: ProfitLoss,
    run: (context) => profitLoss(context.db, context.query, at(context)),
  }),
  get(
    'reports/salesperson-performance',
    'reports:read',
    'read',
    'Yakında',
    ['Report salesperson performance', 'Satış danışmanı performansını getir'],
    {
      about: [
        'Returns sales, cancellations and collections of each salesperson in a period, and the current open and overdue amounts of all their sales. A null group holds sales without a salesperson.',
        'Her satış danışmanının aralıkta sattığı, iptal edilen ve tahsil edilen; şu anda bütün satışlarında açık ve gecikmiş tutar. Grubu null olanlar danışmansızdır.',
      ],
      query: SALESPERSON_QUERY,
      returns: SalespersonPerformance,
      run: (context) => salespersonPerformance(context.db, context.query, at(context)),
    },
  ),
  get('reports/overdue-risk', 'reports:read', 'sensitive', 'Yakında', ['Report overdue risk', 'Gecikme riski raporunu getir'], {
    about: [
      'Returns the overdue receivables of today by currency and days overdue, and the customers, highest risk score first. The score depends on the days overdue, the share of the debt and the number of broken promises.',
      'Bugün risk altındaki alacaklar, para birimine ve gecikmeye göre; ardındaki müşteriler en yüksek puandan başlayarak: ne kadar geç, borcun ne kadarı, tutulmayan kaç söz.',
    ],
    refuses: ['rate_not_available'],
    query: OVERDUE_RISK_QUERY,
    returns: OverdueRisk,
    run: (context) => overdueRisk(context.db, context.query, at(context)),
  }),
  get(
    'reports/marketplace-performance',
    'reports:read',
    'read',
    'Yakında',
    ['Report marketplace performance', 'Pazar yeri performansını getir'],
    {
      about: [
        'Returns the results of the listings that were published in a period, by listing (newest first, with `limit` and `offset`) or by day, and in total: views, questions, offers, days published, vehicles sold, and the cost of boosts that were not refunded.',
        'Bir aralıkta yayında olan ilanların getirdiği, ilana (en yeniden eskiye, `limit` ve `offset` ile) ya da güne göre ve toplamda: görüntülenme, iletişim ve teklifler, yayında geçen gün, satılan araçlar ve iade edilmeyen dopinglere harcanan.',
      ],
      query: MARKETPLACE_PERFORMANCE_QUERY,
      returns: MarketplacePerformance,
      run: (context) => marketplacePerformance(context.db, context.query, at(context)),
    },
  ),
  get('reports/custom', 'reports:read', 'read', 'Yakında', ['Run a custom report', 'Özel rapor oluştur'], {
    about: [
      'Returns a report of one data set with up to four measures and two groups from fixed lists, over a period of its own date (default: the current month). Amounts are always grouped by currency. Other values, or more than 1 000 rows, are refused.',
      'Bir kayıt kümesi, en çok dört ölçü ve en çok iki grup, belirli listelerden; kümenin kendi tarihine göre (belirtilmezse bu ay). Para her zaman para birimine göre de gruplanır; listelerin dışındaki her şey ve 1.000 satırdan fazlası reddedilir.',
    ],
    query: CUSTOM_QUERY,
    returns: CustomReport,
    run: (context) => customReport(context.db, context.query, at(context)),
  }),
]);
