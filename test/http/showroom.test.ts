// A dealer's showroom as strangers open it.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { normalPhone } from '../../src/domain/records/person-fields.ts';
import { pageKey } from '../../src/http/public/showroom-entry.ts';
import { createFormLimiter, type FormCall, type FormParts, receiveForm } from '../../src/http/public/showroom-form.ts';
import { FormPlaces } from '../../src/http/wire/form-places.ts';
import { purgeOldRows } from '../../src/jobs/purge-old-rows.ts';
import { newId } from '../../src/kit/ids.ts';
import { own, sql, theAccount } from '../../src/kit/sql.ts';
import { type Browser, newPerson, signedIn } from '../panel/people.ts';
import { aJpeg, fileParts, formOf } from '../support/pictures.ts';
import { type Answer, type TestService, testService } from '../support/service.ts';

let service: TestService;
let dealer: string;
let owner: Browser;
let number = 0;

beforeAll(async () => {
  service = await testService({ env: { PUBLIC_URL: 'https://galeri.example.com' } });
  [dealer, owner] = await aDealer({ name: 'Deniz <Oto>', city: 'Girne', phone: '+905331234567' });
  await change(owner, { is_on: true, slug: 'deniz-oto' });
});
afterAll(() => service.close());

async function aDealer(account: Record<string, string> = {}): Promise<[string, Browser]> {
  const id = await service.account(account);
  return [id, await signedIn(service, await newPerson(service, { accountId: id, role: 'owner' }))];
}

const change = (who: Browser, body: unknown): Promise<Answer> => who.api('settings/showroom', { method: 'PATCH', body });

const open = (path: string, headers: Record<string, string> = {}): Promise<Answer> => service.call(path, { headers });

/** A published car; returns the address of its page. */
async function publish(
  accountId: string,
  who: Browser,
  car: Record<string, unknown> = {},
): Promise<{ car: string; page: string }> {
  number += 1;
  const id = await service.vehicle(accountId, {
    brand: 'Volkswagen',
    model: `Golf ${number}`,
    plate: `GZ ${100 + number}`,
    ...car,
  });
  const listed = await who.api('v1/marketplace/listings', { method: 'POST', body: { vehicle_id: id } });
  expect(listed.status, listed.text).toBe(201);
  const { url } = (await who.api(`vehicles/${id}/showroom`)).json.data;
  return { car: id, page: url === null ? '' : new URL(url).pathname };
}

describe('what it shows', () => {
  test('exactly the cars with a published listing', async () => {
    const shown = await publish(dealer, owner, { brand: 'Audi', model: 'A3 Görünen' });
    await service.vehicle(dealer, { model: 'Yayında Olmayan' });
    const reserved = await publish(dealer, owner, { model: 'Rezerve Olan' });
    const customer_id = await service.customer(dealer);
    const held = await owner.api(`v1/vehicles/${reserved.car}/reserve`, { method: 'POST', body: { customer_id } });
    expect(held.status, held.text).toBe(200);
    const { status, text, headers } = await open('/g/deniz-oto');
    expect(status).toBe(200);
    expect(text).toContain('A3 Görünen');
    expect(text).not.toContain('Yayında Olmayan');
    expect(text).not.toContain('Rezerve Olan');
    expect(text).not.toMatch(/<script(?! type="application\/ld\+json")/);
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect((await open(shown.page)).status).toBe(200);
    expect((await open(reserved.page)).status).toBe(404);
    const back = await owner.api(`v1/vehicles/${reserved.car}`, { method: 'PATCH', body: { status: 'Stokta' } });
    expect(back.status, back.text).toBe(200);
    expect((await open('/g/deniz-oto')).text).toContain('Rezerve Olan');
  });

  test('never costs, chassis and engine numbers, people; the plate only if the dealer wants it', async () => {
    const { page } = await publish(dealer, owner, {
      plate: 'PL 777',
      chassis_no: 'WVWZZZ1KZAW000123',
      engine_no: 'CBZ123456',
      purchase_price_minor: 987_654_00n,
      purchase_currency: 'STG',
    });
    const text = async () => `${(await open(page)).text}${(await open('/g/deniz-oto')).text}`;
    expect(await text()).not.toMatch(/WVWZZZ1KZAW000123|CBZ123456|987[.,]?654|PL 777/);
    await change(owner, { shows_plate: true });
    expect(await text()).toContain('PL 777');
    await change(owner, { shows_plate: false });
    expect(await text()).not.toContain('PL 777');
  });

  test('the facts, equipment and condition of a car, in both languages, escaped', async () => {
    const { page } = await publish(dealer, owner, {
      model: 'Passat <b>',
      engine_cc: 1968,
      equipment: JSON.stringify(['Cam tavan', 'Isıtmalı koltuk']),
      condition: JSON.stringify({
        painted: ['Sol Ön Kapı'],
        replaced: ['Ön Tampon'],
        tramer_amount: '42000.00',
        tramer_currency: 'TL',
        expertise_document_id: newId(),
      }),
      description: 'İlk sahibinden\n</script><script>alert(1)</script>',
    });
    const tr = (await open(page, { 'accept-language': 'tr' })).text;
    expect(tr).toContain('<html lang="tr">');
    for (const words of ['Cam tavan', '1.968 cc', 'Sol Ön Kapı', 'Ön Tampon', '42.000 TL']) expect(tr).toContain(words);
    expect(tr).not.toContain('<b>');
    expect(tr).not.toContain('<script>');
    const en = (await open(page, { 'accept-language': 'en' })).text;
    expect(en).toContain('Front left door');
    expect(en).toMatch(/<a href="[^"]*\?lang=tr" lang="tr"/);
    expect((await open(`${page}?lang=tr`, { 'accept-language': 'en' })).text).toContain('<html lang="tr">');
    const data = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(tr)![1]!;
    expect(JSON.parse(data)).toMatchObject({
      '@type': ['Vehicle', 'Car'],
      brand: { name: 'Volkswagen' },
      offers: {
        '@type': 'Offer',
        availability: 'https://schema.org/InStock',
        seller: { '@type': 'AutoDealer', name: 'Deniz <Oto>' },
      },
    });
    expect(tr).toMatch(/<meta property="og:title" content="[^"]*Passat &lt;b&gt;/);
    expect(tr).toContain(`<link rel="canonical" href="https://galeri.example.com${page}">`);
  });

  test('the browser lets the visitor mend a telephone number that could not be read', async () => {
    const { page } = await publish(dealer, owner);
    const written = /<input name="phone"[^>]* pattern="([^"]+)"/.exec((await open(page)).text)![1]!;
    // As browsers read the attribute.
    const pattern = new RegExp(`^(?:${written})$`, 'v');
    const numbers = [
      '0532 123 45 67',
      '5321234567',
      '+90 (0)532 123 45 67',
      '0 (392) 815-22-33',
      '00447700900123',
      '905321234567',
      '+44 7700/900123',
    ];
    const wrong = ['', 'yok', '12345', '0532 123 45', '0532 123 45 678', '+1', '3928152233', '0532 123 45 6x'];
    for (const number of [...numbers, ...wrong])
      expect([number, pattern.test(number)]).toEqual([number, normalPhone(number) !== null]);
  });

  test('filters are links that anyone can edit; what cannot be read is ignored', async () => {
    const [id, who] = await aDealer();
    await change(who, { is_on: true, slug: 'suzgec-oto' });
    await publish(id, who, {
      brand: 'Fiat',
      model: 'Egea',
      model_year: 2020,
      km: 40_000,
      price_minor: 500_000_00n,
      currency: 'TL',
    });
    await publish(id, who, {
      brand: 'BMW',
      model: '320i',
      model_year: 2015,
      km: 140_000,
      price_minor: 900_000_00n,
      currency: 'TL',
    });
    const names = async (query: string) =>
      [...(await open(`/g/suzgec-oto?${query}`)).text.matchAll(/<span class="name">[^<]*(Egea|320i)/g)].map(([, name]) => name);
    expect(await names('marka=Fiat')).toEqual(['Egea']);
    expect(await names('para=TL&fiyat_min=600.000')).toEqual(['320i']);
    // The cars' only currency, which is not the account's.
    expect(await names('fiyat_min=600.000')).toEqual(['320i']);
    expect(await names('yil_min=2018')).toEqual(['Egea']);
    expect(await names('km_max=100000')).toEqual(['Egea']);
    expect(await names('sirala=price_asc')).toEqual(['Egea', '320i']);
    expect(await names('sirala=price_desc')).toEqual(['320i', 'Egea']);
    expect(await names('marka=Yok')).toEqual([]);
    expect(await names('yil_min=x&sirala=%00&sayfa=-1&kasa=Uçak&marka=%00')).toHaveLength(2);
    // A link from the time when there were more cars.
    expect(await names('sayfa=999999999999')).toHaveLength(2);
    expect(await names('para=TL&fiyat_min=600.000,50')).toEqual(['320i']);
    expect(await names('para=TL&fiyat_max=600.000.00')).toEqual(['Egea']);
  });

  test('a price with cents has two decimals', async () => {
    const { page } = await publish(dealer, owner, { price_minor: 12_500_50n, currency: 'TL' });
    expect((await open(page, { 'accept-language': 'tr' })).text).toContain('12.500,50 TL');
  });

  test('bounds of a price without a currency are in one that the cars have, which the form shows', async () => {
    const [id, who] = await aDealer();
    await change(who, { is_on: true, slug: 'para-oto' });
    for (const currency of ['TL', 'TL', 'EUR']) await publish(id, who, { price_minor: 500_000_00n, currency });
    const cars = (text: string) => text.match(/<span class="name">/g)?.length ?? 0;
    const { text } = await open('/g/para-oto?fiyat_min=100');
    expect([cars(text), /<option value="TL" selected>/.test(text)]).toEqual([2, true]);
    expect(cars((await open('/g/para-oto?fiyat_min=100&para=EUR')).text)).toBe(1);
  });

  test('pictures of published cars only, by an address that stays', async () => {
    const { car, page } = await publish(dealer, owner);
    const response = await fetch(`${service.service.url}/panel/api/v1/vehicles/${car}/photos`, {
      method: 'POST',
      headers: { 'sec-fetch-site': 'same-origin', cookie: owner.cookieText(), 'x-csrf-token': owner.csrf },
      body: formOf(fileParts(await aJpeg(900, 600))),
    });
    expect(response.status).toBe(201);
    const { text } = await open(page);
    const picture = /<img src="(\/g\/deniz-oto\/foto\/[^"]+)"/.exec(text)![1]!;
    expect(text).toContain(`<meta property="og:image" content="https://galeri.example.com${picture}">`);
    const shown = await open(picture);
    expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
    expect((await open('/g/deniz-oto')).text).toContain('/g/deniz-oto/foto/');
    await owner.api(`v1/vehicles/${car}/unpublish`, { method: 'POST', body: {} });
    expect((await open(picture)).status).toBe(404);
    expect((await open(page)).status).toBe(404);
  });

  test('a car that is published again is found by its earlier address', async () => {
    const { car, page } = await publish(dealer, owner);
    await owner.api(`v1/vehicles/${car}/unpublish`, { method: 'POST', body: {} });
    await owner.api('v1/marketplace/listings', { method: 'POST', body: { vehicle_id: car } });
    const moved = await fetch(`${service.service.url}${page}`, { redirect: 'manual' });
    expect(moved.status).toBe(302);
    expect((await open(moved.headers.get('location')!)).status).toBe(200);
  });

  test('a sold car for a week, if the dealer wants it', async () => {
    const { car, page } = await publish(dealer, owner, { model: 'Satılan Araç' });
    await service.database.inTenant(dealer, 'write', async (db) => {
      await db.exec(sql`update vehicles set status = 'Satıldı', sold_via = 'Harici', sold_at = current_date, is_marketplace_visible = false
        where account_id = ${theAccount} and id = ${car}`);
      await db.exec(sql`update listings set status = 'Kapandı', close_reason = 'satıldı', closed_at = now() where account_id = ${theAccount}
        and vehicle_id = ${car}`);
    });
    expect((await open(page)).status).toBe(404);
    await change(owner, { shows_sold: true });
    const shown = (await open(page, { 'accept-language': 'en' })).text;
    expect(shown).toContain('This car is sold.');
    expect(shown).not.toContain('class="sum"');
    expect(shown).not.toContain('"price"');
    expect((await open('/g/deniz-oto')).text).toContain('<span class="sold">Satıldı</span>');
    await service.database.inTenant(dealer, 'write', (db) =>
      db.exec(
        sql`update listings set closed_at = now() - interval '7 days 1 minute' where account_id = ${theAccount} and vehicle_id = ${car}`,
      ),
    );
    expect((await open(page)).status).toBe(404);
  });
});

describe('its address', () => {
  test('is unique, and an earlier one leads to it', async () => {
    const [id, who] = await aDealer();
    expect((await change(who, { is_on: true })).json.error.details[0]).toMatchObject({ field: 'slug', code: 'required' });
    for (const slug of ['ab', 'Ü-oto', 'a b c', 'a'.repeat(41)]) expect((await change(who, { slug })).status, slug).toBe(422);
    expect((await change(who, { slug: 'deniz-oto' })).json.error.details[0]).toMatchObject({ field: 'slug', code: 'duplicate' });
    await change(who, { is_on: true, slug: 'eski-ad' });
    const { page } = await publish(id, who);
    await change(who, { slug: 'yeni-ad' });
    const moved = await fetch(`${service.service.url}${page}?lang=en`, { redirect: 'manual' });
    expect([moved.status, moved.headers.get('location')]).toEqual([301, `${page.replace('eski-ad', 'yeni-ad')}?lang=en`]);
    // A browser that kept it would be sent in a circle when the address is changed back.
    expect(moved.headers.get('cache-control')).toBe('no-cache');
    await change(who, { slug: 'eski-ad' });
    expect((await open('/g/eski-ad')).status).toBe(200);
    await change(who, { slug: 'yeni-ad' });
    expect((await open('/g/yeni-ad')).status).toBe(200);
    // A year later it no longer does.
    await service.database.inTenant(id, 'write', (db) =>
      db.exec(
        sql`update showroom_slugs set retired_at = now() - interval '366 days' where account_id = ${theAccount} and slug = 'eski-ad'`,
      ),
    );
    const [other, otherOwner] = await aDealer();
    await purgeOldRows(service.database, service.clock.times());
    expect((await change(otherOwner, { slug: 'eski-ad' })).status).toBe(200);
    expect((await change(who, { slug: 'eski-ad' })).status).toBe(422);
    expect(other).not.toBe(id);
  });

  test('a dealer holds five earlier ones at most', async () => {
    const [id, who] = await aDealer();
    for (let count = 0; count <= 5; count += 1) expect((await change(who, { slug: `tutulan-${count}` })).status).toBe(200);
    const refused = await change(who, { slug: 'tutulan-6' });
    expect([refused.status, refused.json.error.details[0]]).toMatchObject([422, { field: 'slug', code: 'too_many' }]);
    // An earlier one of their own is free to take.
    expect((await change(who, { slug: 'tutulan-0' })).status).toBe(200);
    await service.database.inTenant(id, 'write', (db) =>
      db.exec(
        sql`update showroom_slugs set retired_at = now() - interval '366 days' where account_id = ${theAccount} and slug = 'tutulan-1'`,
      ),
    );
    expect((await change(who, { slug: 'tutulan-6' })).status).toBe(200);
  });

  test('unknown, off, suspended and not on the marketplace look the same', async () => {
    const [id, who] = await aDealer();
    await change(who, { is_on: true, slug: 'acik-kapali' });
    const { page } = await publish(id, who);
    const unknown = (await open('/g/boyle-bir-yer-yok')).text;
    const platform = (statement: ReturnType<typeof sql>) => service.database.onPlatform('write', (db) => db.exec(statement));
    const closed = async () => {
      await service.settled();
      for (const path of ['/g/acik-kapali', page]) {
        const { status, text } = await open(path);
        expect([status, text]).toEqual([404, unknown]);
      }
    };
    expect((await open(page)).status).toBe(200);
    await platform(sql`update accounts set marketplace = false where id = ${id}`);
    await closed();
    await platform(sql`update accounts set marketplace = true, status = 'Askıda' where id = ${id}`);
    await closed();
    await platform(sql`update accounts set status = 'Aktif' where id = ${id}`);
    await service.settled();
    expect((await open(page)).status).toBe(200);
    await change(who, { is_on: false });
    await closed();
    expect((await owner.api('settings/showroom')).json.data).toMatchObject({
      is_on: true,
      url: 'https://galeri.example.com/g/deniz-oto',
    });
    expect((await who.api('settings/showroom')).json.data).toMatchObject({ is_on: false, url: null });
  });

  test('robots and sitemaps name what may be listed', async () => {
    const { page } = await publish(dealer, owner);
    const robots = (await open('/robots.txt')).text;
    expect(robots).toContain('Allow: /g/');
    expect(robots).toContain('Sitemap: https://galeri.example.com/g/sitemap.xml');
    expect((await open('/g/sitemap.xml')).text).toContain('<loc>https://galeri.example.com/g/deniz-oto/sitemap.xml</loc>');
    expect((await open('/g/deniz-oto/sitemap.xml')).text).toContain(`<loc>https://galeri.example.com${page}</loc>`);
    expect((await open(page)).headers.get('x-robots-tag')).toBeNull();
    expect((await open(page)).text).not.toContain('noindex');
  });

  test('a dealer of the demonstration is not listed', async () => {
    const [id, who] = await aDealer();
    await change(who, { is_on: true, slug: 'gosteri-oto' });
    await service.database.onPlatform('write', (db) => db.exec(sql`update accounts set is_demo = true where id = ${id}`));
    await service.settled();
    expect((await open('/g/gosteri-oto')).text).toContain('noindex');
  });
});

describe('the cache', () => {
  test('parameters that a page does not read make no further page', () => {
    const key = (path: string, query: string) =>
      pageKey({ locale: 'tr', query: new URLSearchParams(query), parts: path.split('/') });
    expect(key('deniz-oto/sitemap.xml', '1')).toBe(key('deniz-oto/sitemap.xml', '2'));
    expect(key('deniz-oto', 'utm_source=x&marka=Fiat')).toBe(key('deniz-oto', 'marka=Fiat'));
    const seen = ['', 'marka=Fiat', 'marka=Audi', 'sayfa=2', 'lang=tr'].map((query) => key('deniz-oto', query));
    expect(new Set(seen).size).toBe(seen.length);
  });

  test('an unchanged page costs no statement, and a change is seen at once', async () => {
    const { car, page } = await publish(dealer, owner, { model: 'Önceki Ad' });
    const first = await open(page);
    const again = await open(page, { 'if-none-match': first.headers.get('etag')! });
    expect(again.status).toBe(304);
    const edited = await owner.api(`v1/vehicles/${car}`, { method: 'PATCH', body: { price: '4321.00' } });
    expect(edited.status, edited.text).toBe(200);
    expect((await open(page, { 'accept-language': 'en' })).text).toContain('4,321 ');
  });

  test('visits are counted into the figures of the marketplace: people, once', async () => {
    const { car, page } = await publish(dealer, owner);
    const people = { 'user-agent': 'Mozilla/5.0 (iPhone)' };
    await open(page, people);
    await open(page, people);
    await open(page, { 'user-agent': 'Googlebot/2.1' });
    const contact = await fetch(`${service.service.url}${page}/whatsapp`, { redirect: 'manual', headers: people });
    expect(contact.status).toBe(302);
    expect(contact.headers.get('location')).toMatch(/^https:\/\/wa\.me\/905331234567\?text=/);
    await service.service.showroom.visits.flush();
    const [counted] = await service.database.inTenant(dealer, 'read', (db) =>
      db.rows(sql`select sum(views)::int as views, sum(contacts)::int as contacts from ${own('listing_visits')}
        where listing_id = (select id from ${own('listings')} where vehicle_id = ${car})`),
    );
    expect(counted).toEqual({ views: 1, contacts: 1 });
  });
});

describe('forms', () => {
  test('a network sends five an hour and ten a day; the networks around an IPv6 address some more', async () => {
    let now = 0;
    const limiter = createFormLimiter(() => now);
    const sent = (ips: readonly string[]) => ips.filter((ip) => limiter.admit(ip)).length;
    const same = (ip: string, count: number) => Array.from({ length: count }, () => ip);
    expect(sent(same('203.0.113.7', 8))).toBe(5);
    now += 3_600_001;
    expect(sent(same('203.0.113.7', 8))).toBe(5);
    now += 3_600_001;
    expect(sent(same('203.0.113.7', 8))).toBe(0);
    expect(sent(same('203.0.113.8', 1))).toBe(1);
    // Another /64 for every form, of one /56.
    expect(sent(Array.from({ length: 30 }, (_, at) => `2001:db8:0:${at.toString(16)}::1`))).toBe(10);
    // And of one /48.
    expect(sent(Array.from({ length: 60 }, (_, at) => `2001:db8:1:${(at * 256).toString(16)}::1`))).toBe(20);
    await limiter.close();
  });

  test('are refused as unavailable if there is no room for them: the visitor does not believe that the enquiry was kept', async () => {
    const forms = new FormPlaces({ total: 0, each: [1, 1, 1] });
    const parts = { budgets: { forms } } as unknown as FormParts;
    const call = { ip: '203.0.113.7' } as FormCall;
    await expect(receiveForm(parts, call, 'deniz-oto', newId())).rejects.toMatchObject({ code: 'service_unavailable' });
  });
});

test('a network opens 300 pages a minute; then every address gets the same refusal', async () => {
  // The tests before have used some of them.
  const statuses: number[] = [];
  while (statuses.length < 301 && statuses.at(-1) !== 429)
    statuses.push((await open('/g/boyle-bir-yer-yok', { 'accept-language': 'en' })).status);
  expect(statuses.at(-1)).toBe(429);
  expect(statuses.length).toBeGreaterThan(100);
  const refused = await open('/g/deniz-oto', { 'accept-language': 'en' });
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60']);
  expect(refused.text).toContain('<title>Too many requests');
  const form = await fetch(`${service.service.url}/g/deniz-oto/${newId()}/soru`, { method: 'POST', redirect: 'manual' });
  expect(form.status).toBe(429);
  // Pictures have a limit of their own.
  expect((await open('/g/cizim.svg?kasa=SUV&renk=Mavi')).status).toBe(200);
});
