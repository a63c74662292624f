// Photos and videos of a vehicle by clicking, dragging and typing: in from the phone, into order, out again.
import type { CDPSession, Page, Request } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { own, sql } from '../../src/kit/sql.ts';
import { newPerson, type TestPerson } from '../panel/people.ts';
import { isBrowserMissing, screenshot } from '../support/browser.ts';
import { eventually, panelTest } from '../support/panel.ts';
import type { TestService } from '../support/service.ts';
import { indexOf, isUpright, phonePhotos, smallPhoto } from './phone-photos.ts';

const LIST = '/panel/araclar';

describe.skipIf(isBrowserMissing())('photos and videos in the panel', () => {
  const panel = panelTest();
  let service: TestService;
  let accountId: string;
  let owner: TestPerson;

  beforeAll(async () => {
    service = panel.service;
    accountId = await service.account({ name: 'Girne Oto' });
    owner = await newPerson(service, { accountId });
  });

  const main = (page: Page) => page.getByRole('main');
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const gallery = (page: Page) => main(page).getByRole('region', { name: 'Fotoğraflar' });
  const tiles = (page: Page) => gallery(page).locator('li[data-place]');
  /** Ids in the order of the screen. */
  const shown = (page: Page): Promise<string[]> =>
    tiles(page)
      .locator('button[id^=photo-]')
      .evaluateAll((all) => all.map(({ id }) => id.slice('photo-'.length)));
  /** Ids in the order of the database. */
  const stored = async (vehicleId: string): Promise<string[]> => {
    const photos = await service.database.inTenant(accountId, 'read', (db) =>
      db.rows<{ id: string }>(sql`select id from ${own('vehicle_photos')} where vehicle_id = ${vehicleId} order by "position"`),
    );
    return photos.map(({ id }) => id);
  };
  const add = (page: Page, files: readonly { name: string; mimeType: string; buffer: Buffer }[]) =>
    gallery(page)
      .locator('input[type=file][multiple]')
      .setInputFiles([...files]);
  /** A script that makes what a hand would drop. */
  const dropOf = (files: readonly { name: string; mimeType: string; buffer: Buffer }[]) => `(() => {
    const carried = new DataTransfer();
    for (const [name, type, text] of ${JSON.stringify(files.map((one) => [one.name, one.mimeType, one.buffer.toString('base64')]))})
      carried.items.add(new File([Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))], name, { type }));
    return carried;
  })()`;
  const small = (count: number) => Promise.all(Array.from({ length: count }, (_, index) => smallPhoto(index)));
  const act = async (page: Page, photo: RegExp, name: string) => {
    await gallery(page).getByRole('button', { name: photo }).click();
    await page.getByRole('menuitem', { name, exact: true }).click();
  };
  const writesOf = (page: Page): Request[] => {
    const sent: Request[] = [];
    page.on('request', (request) => {
      if (request.method() !== 'GET' && request.url().includes('/photos')) sent.push(request);
    });
    return sent;
  };
  const photosOf = (id: string) => `${LIST}/${id}/fotograflar`;
  /** A vehicle with photos, opened. */
  async function withPhotos(count: number, window = {}): Promise<{ page: Page; id: string }> {
    const id = await service.vehicle(accountId, { brand: 'Fiat', model: 'Egea' });
    const page = await panel.open(owner, photosOf(id), window);
    await add(page, await small(count));
    await eventually(() => tiles(page).count()).toBe(count);
    // Announced once their order is stored too.
    await page.getByText(`${count} fotoğraf eklendi`).first().waitFor();
    return { page, id };
  }
  async function drag(page: Page, from: number, to: number): Promise<void> {
    // Once nothing lies over it and nothing moves any more.
    await tiles(page).nth(from).hover();
    const end = (await tiles(page).nth(to).boundingBox())!;
    await page.mouse.down();
    await page.mouse.move(end.x + end.width / 2 + 4, end.y + end.height / 2, { steps: 8 });
    await screenshot(page, 'trial-4-dragging');
    await page.mouse.up();
  }
  const moved = <T>(items: readonly T[], from: number, to: number) => items.toSpliced(from, 1).toSpliced(to, 0, items[from]!);

  test('a car is taken in with eight phone photos, put into order and published', async () => {
    const page = await panel.open(owner, `${LIST}/yeni`);
    const fields = {
      Plaka: 'GR 808',
      Marka: 'Toyota',
      Model: 'Corolla',
      'Model yılı': '2021',
      Kilometre: '48.500',
      Renk: 'Gümüş',
    };
    for (const [name, value] of Object.entries(fields)) await page.getByLabel(name, { exact: true }).fill(value);
    await page.getByLabel('Yakıt').selectOption('Hibrit');
    await page.getByLabel('Vites').selectOption('Otomatik');
    await page.getByLabel('Kasa tipi').selectOption('Sedan');
    await page.getByLabel('Fiyat', { exact: true }).fill('17.250');
    await page.getByLabel('Şehir').fill('Girne');
    await screenshot(page, 'trial-1-form');
    await button(page, 'Kaydet ve fotoğraf ekle').click();
    await page.waitForURL(/\/araclar\/[0-9a-f-]{36}\/fotograflar$/);
    const id = page.url().split('/').at(-2)!;
    await main(page).getByText('Henüz fotoğraf yok').waitFor();

    const sent = writesOf(page);
    const photos = await phonePhotos(8);
    await add(page, photos);
    await main(page).getByText('8 fotoğraf gönderiliyor').waitFor();
    await eventually(() => tiles(page).count()).toBeGreaterThan(1);
    await screenshot(page, 'trial-2-sending');
    await eventually(() => tiles(page).count()).toBe(8);
    await page.getByText('8 fotoğraf eklendi').waitFor();
    await eventually(() => main(page).getByText('8/30').count()).toBe(1);
    await eventually(() => stored(id)).toHaveLength(8);
    await eventually(() => shown(page)).toEqual(await stored(id));

    // The uploads are small, each with its own idempotency key; the stored photos are upright and have no location.
    const uploads = sent.filter((request) => !request.url().endsWith('/reorder'));
    expect(uploads).toHaveLength(8);
    expect(new Set(uploads.map((request) => request.headers()['idempotency-key'])).size).toBe(8);
    for (const [at, request] of uploads.entries()) {
      const { requestBodySize } = await request.sizes();
      if (requestBodySize > 0) expect(requestBodySize, `photo ${at}`).toBeLessThan(photos[at]!.buffer.length);
    }
    const pictures = await picturesOf(page);
    expect(pictures).toHaveLength(8);
    for (const [at, picture] of pictures.entries()) {
      expect(await indexOf(picture, 8), 'in the order they were chosen').toBe(at);
      expect(await isUpright(picture), `photo ${at} is upright`).toBe(true);
      expect(picture.includes('Gizli Model')).toBe(false);
    }

    // By hand, by key, by menu.
    await screenshot(page, 'trial-3-sent');
    let order = await stored(id);
    await drag(page, 7, 0);
    order = moved(order, 7, 0);
    await eventually(() => stored(id)).toEqual(order);
    await eventually(() => shown(page)).toEqual(order);
    await eventually(() => page.getByRole('dialog', { name: /^Fotoğraf/ }).count()).toBe(0);
    await gallery(page).getByRole('button', { name: 'Fotoğraf 3/8, büyüt' }).focus();
    await page.keyboard.press('Shift+ArrowRight');
    order = moved(order, 2, 3);
    await eventually(() => stored(id)).toEqual(order);
    await eventually(() => page.evaluate('document.activeElement.id')).toBe(`photo-${order[3]}`);
    await page.keyboard.press('Shift+ArrowRight');
    order = moved(order, 3, 4);
    await eventually(() => stored(id)).toEqual(order);
    await act(page, /^Fotoğraf 6\/8 için/, 'Kapak yap');
    order = moved(order, 5, 0);
    await eventually(() => stored(id)).toEqual(order);
    await gallery(page).getByRole('button', { name: 'Fotoğraf 1/8, kapak, büyüt' }).waitFor();

    await page.locator('main header').getByRole('button', { name: 'Yayınla', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Yayınla' }).click();
    await eventually(() => page.locator('main header').first().textContent()).toMatch(/Yayında(?! değil)/);
    await page.getByRole('link', { name: 'Bilgiler' }).click();
    await eventually(() => main(page).getByRole('list', { name: 'Fotoğraflar' }).locator('img').count()).toBe(8);
    await screenshot(page, 'trial-5-published');
    await page.getByRole('link', { name: 'Geçmiş' }).click();
    await eventually(() => main(page).getByText('Fotoğraf eklendi').count()).toBeGreaterThanOrEqual(8);
    await panel.done(page);
  });

  /** As the lightbox shows them, one after the other. */
  async function picturesOf(page: Page): Promise<Buffer[]> {
    // What lies below a dialog is not found by its role.
    const count = await tiles(page).count();
    await gallery(page)
      .getByRole('button', { name: /^Fotoğraf 1\// })
      .first()
      .click();
    const dialog = page.getByRole('dialog', { name: /^Fotoğraf/ });
    const pictures: Buffer[] = [];
    for (let at = 1; at <= count; at += 1) {
      const image = dialog.getByRole('img', { name: new RegExp(`^Fotoğraf ${at}/`) });
      await image.waitFor();
      const reply = await page.request.get(new URL((await image.getAttribute('src'))!, page.url()).href);
      expect(reply.status()).toBe(200);
      expect(reply.headers()['content-disposition']).toContain('attachment');
      pictures.push(await reply.body());
      if (at < count) await page.keyboard.press('ArrowRight');
    }
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    // Closed for good: the focus is back where it came from.
    await eventually(() => page.evaluate('document.activeElement.id')).toMatch(/^photo-/);
    return pictures;
  }

  test('over a broken line a photo waits and is sent again as the same write', async () => {
    const id = await service.vehicle(accountId);
    const page = await panel.open(owner, photosOf(id));
    const sent = writesOf(page);
    let lost = 0;
    await page.route('**/photos', async (route) => {
      if (route.request().method() !== 'POST' || lost > 0) return route.continue();
      lost += 1;
      // It arrives and is done; the answer is lost on the way back.
      await route.fetch();
      await route.abort();
    });
    await add(page, await small(1));
    await gallery(page).getByText('Sunucuya ulaşılamadı.').waitFor();
    await eventually(() => tiles(page).count()).toBe(0);
    await button(page, 'foto-1.jpg: tekrar dene').click();
    await eventually(() => tiles(page).count()).toBe(1);
    expect(new Set(sent.map((request) => request.headers()['idempotency-key'])).size).toBe(1);
    expect(sent).toHaveLength(2);
    await eventually(() => stored(id)).toHaveLength(1);
    await panel.done(page);
  });

  test('photos keep the chosen order, whichever arrives first, also while another page is open', async () => {
    const id = await service.vehicle(accountId);
    const page = await panel.open(owner, photosOf(id));
    let arrived = 0;
    const others = Promise.withResolvers<void>();
    let held = false;
    await page.route('**/photos', async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      const isFirst = !held;
      held = true;
      if (isFirst) await others.promise;
      await route.continue();
    });
    page.on('response', (response) => {
      if (response.request().method() === 'POST' && response.url().endsWith('/photos') && ++arrived === 3) others.resolve();
    });
    await add(page, await small(4));
    await gallery(page).getByText('4 fotoğraf gönderiliyor').waitFor();
    await page.getByRole('link', { name: 'Bilgiler' }).click();
    await main(page).getByText('Araç bilgileri').waitFor();
    await page.getByText('4 fotoğraf eklendi').waitFor();
    await main(page)
      .getByRole('link', { name: /^Tüm fotoğraflar/ })
      .click();
    await eventually(() => tiles(page).count()).toBe(4);
    await eventually(() => stored(id)).toEqual(await shown(page));
    const pictures = await picturesOf(page);
    expect(await Promise.all(pictures.map((picture) => indexOf(picture, 4)))).toEqual([0, 1, 2, 3]);
    await panel.done(page);
  });

  test('an unreadable file is reported and does not block the others; an upload can be cancelled', async () => {
    const id = await service.vehicle(accountId);
    const page = await panel.open(owner, photosOf(id));
    const broken = [
      { name: 'IMG_0001.HEIC', mimeType: 'image/heic', buffer: Buffer.from('....ftypheic....') },
      { name: 'ruhsat.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('%PDF-1.7') },
    ];
    // Dropped anywhere on the card.
    const dropped = await page.evaluateHandle(dropOf([broken[0]!, ...(await small(2)), broken[1]!]));
    await gallery(page).dispatchEvent('dragenter', { dataTransfer: dropped });
    await gallery(page).getByText('Fotoğrafları bırakın').waitFor();
    await gallery(page).dispatchEvent('drop', { dataTransfer: dropped });
    await eventually(() => gallery(page).getByText('Fotoğrafları bırakın').count()).toBe(0);
    await gallery(page).getByText('HEIC bu tarayıcıda açılamıyor.').waitFor();
    await gallery(page).getByText('Bu dosya fotoğraf olarak açılamadı.').waitFor();
    await eventually(() => tiles(page).count()).toBe(2);
    await gallery(page).getByText('2 fotoğraf eklenemedi').waitFor();
    await eventually(() =>
      gallery(page)
        .getByRole('button', { name: /tekrar dene/ })
        .count(),
    ).toBe(0);
    for (const { name } of broken) await button(page, `${name}: listeden kaldır`).click();
    await eventually(() => gallery(page).getByRole('alert').count()).toBe(0);

    await page.route('**/photos', (route) => (route.request().method() === 'POST' ? undefined : route.continue()));
    await add(page, await small(5));
    await gallery(page).getByText('5 fotoğraf gönderiliyor').waitFor();
    // Closing the page would end them: the browser asks first.
    const dialog = page.waitForEvent('dialog');
    await page.evaluate('setTimeout(() => location.reload(), 0)');
    const question = await dialog;
    expect(question.type()).toBe('beforeunload');
    await question.dismiss();
    await button(page, 'Göndermeyi durdur').click();
    await eventually(() => gallery(page).getByRole('progressbar').count()).toBe(0);
    await eventually(() => stored(id)).toHaveLength(2);
    await panel.done(page);
  });

  test('too many photos are reported before anything is sent', async () => {
    const id = await service.vehicle(accountId);
    const page = await panel.open(owner, photosOf(id));
    const photo = await smallPhoto(0);
    const named = (count: number) => Array.from({ length: count }, (_, at) => ({ ...photo, name: `${at}.jpg` }));
    await add(page, named(29));
    await page.getByText('29 fotoğraf eklendi').waitFor();
    const sent = writesOf(page);
    await add(page, named(3));
    const dialog = page.getByRole('alertdialog', { name: '3 fotoğraf seçtiniz, 1 tanesine yer var' });
    await dialog.waitFor();
    expect(sent).toEqual([]);
    await dialog.getByRole('button', { name: 'İlk 1 fotoğrafı ekle' }).click();
    await eventually(() => tiles(page).count()).toBe(30);
    await main(page).getByText('Bir araçta en çok 30 fotoğraf olabilir.').waitFor();
    await eventually(() => button(page, 'Fotoğraf ekle').isDisabled()).toBe(true);
    await eventually(() => stored(id)).toHaveLength(30);
    await panel.done(page);
  });

  test('a refused order is undone and reported; an order for a changed set is applied to the new set', async () => {
    const { page, id } = await withPhotos(4);
    const before = await stored(id);
    let refuses = true;
    await page.route('**/photos/reorder', (route) =>
      refuses
        ? route.fulfill({ status: 409, json: { success: false, error: { code: 'conflict', message: 'Şimdi olmaz.' }, meta: {} } })
        : route.continue(),
    );
    await drag(page, 0, 2);
    await page.getByText('Şimdi olmaz.').first().waitFor();
    await eventually(() => shown(page)).toEqual(before);
    refuses = false;
    // Deleted in another window.
    const other = await panel.open(owner, photosOf(id));
    await act(other, /^Fotoğraf 2\/4 için/, 'Sil');
    await other.getByRole('alertdialog', { name: 'Fotoğraf 2/4 silinsin mi?' }).getByRole('button', { name: 'Sil' }).click();
    await eventually(() => stored(id)).toHaveLength(3);
    await eventually(() => other.evaluate('document.activeElement.id')).toBe(`photo-${before[2]}`);
    await drag(page, 3, 0);
    const after = [before[3]!, before[0]!, before[2]!];
    await eventually(() => stored(id)).toEqual(after);
    await eventually(() => shown(page)).toEqual(after);
    await panel.done(other);
    await panel.done(page);
  });

  test('a photo is looked at, captioned and its old link renewed', async () => {
    const { page, id } = await withPhotos(3);
    await act(page, /^Fotoğraf 2\/3 için/, 'Açıklama yaz');
    await page.getByRole('textbox', { name: /^Açıklama/ }).fill('Ön görünüm');
    await page.keyboard.press('Enter');
    const tile = gallery(page).getByRole('button', { name: 'Fotoğraf 2/3: Ön görünüm, büyüt' });
    await tile.click();
    const dialog = page.getByRole('dialog', { name: 'Fotoğraf 2/3' });
    await dialog.getByText('Ön görünüm').waitFor();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('dialog', { name: 'Fotoğraf 3/3' }).waitFor();
    await eventually(() => button(page, 'Sonraki fotoğraf').isDisabled()).toBe(true);
    await page.keyboard.press('Home');
    await page.getByRole('dialog', { name: 'Fotoğraf 1/3, kapak' }).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('dialog').getByRole('link', { name: 'İndir' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/\.(webp|jpg)$/);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: /^Fotoğraf/ }).waitFor({ state: 'detached' });
    await eventually(() => page.evaluate('document.activeElement.id')).toBe(await tile.getAttribute('id'));

    // Expired links of a page that was open for long: refused once, requested again, shown.
    let refused = 0;
    let dialogs = 0;
    await page.route('**/files/**', (route) => {
      if (refused >= 3) return route.continue();
      refused += 1;
      return route.fulfill({ status: 403, json: {} });
    });
    page.on('request', (request) => {
      if (/\/photos\?/.test(request.url())) dialogs += 1;
    });
    await panel.go(page, photosOf(id));
    await eventually(() => dialogs).toBe(2);
    await eventually(() =>
      tiles(page)
        .locator('img')
        .evaluateAll((all) => all.filter((image) => (image as unknown as { naturalWidth: number }).naturalWidth > 0).length),
    ).toBe(3);
    await panel.done(page);
  });

  test('a finger carries a photo by its grip, and scrolls the page elsewhere', async () => {
    const { page, id } = await withPhotos(4, { width: 390, height: 844, hasTouch: true, isMobile: true });
    const before = await stored(id);
    const session = await page.context().newCDPSession(page);
    const grip = (at: number) => tiles(page).nth(at).locator('[data-grip]').boundingBox();
    const [from, to] = [(await grip(0))!, (await tiles(page).nth(3).boundingBox())!];
    await touch(session, [from.x + 20, from.y + 20], [to.x + to.width / 2, to.y + to.height / 2]);
    await eventually(() => stored(id)).toEqual(moved(before, 0, 3));
    await eventually(() => shown(page)).toEqual(moved(before, 0, 3));
    // On the picture itself it is the page that moves.
    const picture = (await tiles(page).nth(3).boundingBox())!;
    await touch(session, [picture.x + 80, picture.y + 60], [picture.x + 80, picture.y - 240]);
    await eventually(() => page.evaluate('scrollY')).toBeGreaterThan(0);
    await eventually(() => stored(id)).toEqual(moved(before, 0, 3));
    await panel.done(page);
  });

  async function touch(session: CDPSession, from: readonly [number, number], to: readonly [number, number]): Promise<void> {
    const at = (share: number) => [{ x: from[0] + (to[0] - from[0]) * share, y: from[1] + (to[1] - from[1]) * share }];
    await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(0) });
    for (let step = 1; step <= 10; step += 1)
      await session.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(step / 10) });
    await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  }

  test('videos are links: added, edited, moved, removed, opened where they lie', async () => {
    const id = await service.vehicle(accountId);
    const page = await panel.open(owner, photosOf(id));
    const videos = main(page).getByRole('region', { name: 'Videolar' });
    const rows = videos.locator('ol > li');
    const put = async (url: string, title: string, length = '') => {
      await button(page, 'Video ekle').click();
      const dialog = page.getByRole('dialog', { name: 'Video ekle' });
      await dialog.getByLabel('Bağlantı').fill(url);
      await dialog.getByLabel(/^Başlık/).fill(title);
      await dialog.getByLabel(/^Süre/).fill(length);
      await dialog.getByRole('button', { name: 'Kaydet' }).click();
      return dialog;
    };
    const refused = await put('http://youtu.be/abc', 'Tur', '2:75');
    await refused.getByRole('link', { name: /^Süreyi dakika:saniye/ }).waitFor();
    await refused.getByLabel(/^Süre/).fill('2:45');
    await refused.getByRole('button', { name: 'Kaydet' }).click();
    await eventually(() => refused.getByLabel('Bağlantı').getAttribute('aria-invalid')).toBe('true');
    await refused.getByLabel('Bağlantı').fill('https://youtu.be/abc');
    await refused.getByRole('button', { name: 'Kaydet' }).click();
    await eventually(() => rows.count()).toBe(1);
    await eventually(() => rows.first().textContent()).toMatch(/Tur.*YouTube · süre 2:45 · youtu\.be/);
    const link = rows.first().getByRole('link');
    await eventually(() => link.getAttribute('rel')).toContain('noopener');
    await eventually(() => link.getAttribute('target')).toBe('_blank');
    await put('https://video.example.com/1', 'Motor sesi');
    await eventually(() => rows.count()).toBe(2);
    await button(page, 'Motor sesi için işlemler').click();
    await page.getByRole('menuitem', { name: 'Yukarı taşı' }).click();
    await eventually(() => rows.first().textContent()).toContain('Motor sesi');
    const titles = () =>
      service.database.inTenant(accountId, 'read', (db) =>
        db.rows<{ title: string }>(sql`select title from ${own('vehicle_videos')} where vehicle_id = ${id} order by "position"`),
      );
    await eventually(titles).toEqual([{ title: 'Motor sesi' }, { title: 'Tur' }]);
    await button(page, 'Tur için işlemler').click();
    await page.getByRole('menuitem', { name: 'Düzenle' }).click();
    await page
      .getByRole('dialog')
      .getByLabel(/^Başlık/)
      .fill('İç mekân turu');
    await page.getByRole('dialog').getByRole('button', { name: 'Kaydet' }).click();
    await eventually(() => rows.last().textContent()).toContain('İç mekân turu');
    await button(page, 'Motor sesi için işlemler').click();
    await page.getByRole('menuitem', { name: 'Sil' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Sil' }).click();
    await eventually(titles).toEqual([{ title: 'İç mekân turu' }]);
    await eventually(() => page.locator('iframe').count()).toBe(0);
    await panel.done(page);
  });

  test('a photo at another address is named by its host; who may only look, and a deleted vehicle, change nothing', async () => {
    const { page, id } = await withPhotos(1);
    await service.release('Aktif', 'POST vehicles/{vehicle_id}/photos');
    const key = await service.key(accountId, { template: 'vehicle' });
    await service.settled();
    const made = await service.call(`/api/v1/vehicles/${id}/photos`, {
      method: 'POST',
      key: key.secret,
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ url: 'https://cdn.example.com/on.jpg' }),
    });
    expect(made.status).toBe(201);
    await panel.go(page, photosOf(id));
    await gallery(page).getByText('cdn.example.com').click();
    const away = page.getByRole('dialog').getByRole('link', { name: 'Yeni sekmede aç' });
    await eventually(() => away.getAttribute('href')).toBe('https://cdn.example.com/on.jpg');
    await eventually(() => away.getAttribute('rel')).toContain('noopener');
    await panel.done(page);

    const viewer = await newPerson(service, { accountId, role: 'viewer' });
    const watching = await panel.open(viewer, photosOf(id));
    await eventually(() => tiles(watching).count()).toBe(2);
    const offers = async (on: Page) =>
      (await main(on).locator('section').getByRole('button').count()) - (await tiles(on).locator('button[id^=photo-]').count());
    expect(await offers(watching)).toBe(0);
    await eventually(() => main(watching).locator('input[type=file]').count()).toBe(0);
    await panel.done(watching);

    await service.database.inTenant(accountId, 'write', (db) =>
      db.exec(sql`update vehicles set deleted_at = now() where id = ${id}`),
    );
    const gone = await panel.open(owner, photosOf(id));
    await main(gone).getByText('Silinmiş aracın fotoğrafları ve videoları değiştirilemez').waitFor();
    await eventually(() => tiles(gone).count()).toBe(2);
    expect(await offers(gone)).toBe(0);
    await panel.done(gone);
  });
});
