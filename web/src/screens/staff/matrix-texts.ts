import type { Role } from '../../../../src/domain/identity/roles.ts';
import { texts } from '../../language.ts';

type Words = Readonly<Record<Role, readonly string[]>>;

export const matrixTexts = texts({
  tr: {
    title: 'Kim ne yapabilir',
    endpoints: 'Uç nokta ayrıntıları',
    may: {
      owner: ['Her şeyi görür ve yapar: ayarlar, kişiler, anahtarlar, para', 'Kapanmış günü yeniden açar, maliyet ve kârı görür'],
      developer: ['API anahtarı ve webhook oluşturur, istek günlüklerini okur', 'Araç ve müşteri listelerini görür'],
      finance: [
        'Tahsilat alır, gider girer, indirim yapar, ters kayıt girer, kasayı kapatır',
        'Taksit erteler, senet düzenler, raporları ve kârı görür',
        'Araç, müşteri ve satış kaydeder',
      ],
      sales: [
        'Araç, müşteri, satış ve belge kaydeder',
        'Kendi satışlarının peşinatını ve taksitlerini tahsil eder',
        'Kendi satışlarının rakamlarını görür, kendi araçlarına ayarlardaki limite kadar gider girer',
      ],
      viewer: ['Araçları, satışları, tahsilatı ve raporları görür'],
    } as Words,
    mayNot: {
      owner: [],
      developer: ['Satış ve tahsilat görmez'],
      finance: ['Ayarları, kişileri ve anahtarları değiştirmez'],
      sales: [
        'İndirim yapmaz, ters kayıt girmez, taksit ertelemez, tahsilatı olan satışı iptal etmez, kasayı kapatmaz',
        'Başkasının satışından tahsilat almaz, ciroyu ve raporları görmez',
      ],
      viewer: ['Hiçbir şeyi değiştirmez', 'Giderleri, kasayı, telefon, adres ve hassas bilgileri görmez'],
    } as Words,
    description: 'Hangi rol panelde hangi uç noktayı kullanabilir. API anahtarlarının kapsamı bundan ayrıdır.',
    category: 'Kategori',
    all: 'Tümü',
    nothing: 'Yok',
    allowed: 'Kullanabilir',
    refused: 'Kullanamaz',
    expand: (name: string) => `${name}: uç noktaları göster`,
    collapse: (name: string) => `${name}: uç noktaları gizle`,
  },
  en: {
    title: 'Who may do what',
    endpoints: 'Details by endpoint',
    may: {
      owner: ['Sees and does everything: settings, people, keys, money', 'Reopens a closed day, sees cost and profit'],
      developer: ['Creates API keys and webhooks, reads request logs', 'Sees the lists of vehicles and customers'],
      finance: [
        'Takes payments, enters expenses, gives discounts, reverses, closes the till',
        'Postpones installments, writes notes, sees reports and profit',
        'Records vehicles, customers and sales',
      ],
      sales: [
        'Records vehicles, customers, sales and documents',
        'Takes the down payment and installments of their own sales',
        'Sees the figures of their own sales, enters expenses of their own cars up to the limit of the settings',
      ],
      viewer: ['Sees vehicles, sales, receivables and reports'],
    } as Words,
    mayNot: {
      owner: [],
      developer: ['Does not see sales or collections'],
      finance: ['Does not change settings, people or keys'],
      sales: [
        'Gives no discount, reverses nothing, postpones nothing, cancels no sale with payments, does not close the till',
        "Takes no money for others' sales, does not see turnover or reports",
      ],
      viewer: ['Changes nothing', 'Does not see expenses, the till, phones, addresses or sensitive data'],
    } as Words,
    description: 'Which role can use which endpoint in the panel. The scope of API keys is separate.',
    category: 'Category',
    all: 'All',
    nothing: 'None',
    allowed: 'Allowed',
    refused: 'Not allowed',
    expand: (name: string) => `Show the endpoints of ${name}`,
    collapse: (name: string) => `Hide the endpoints of ${name}`,
  },
});
