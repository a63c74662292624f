// Administration as it looks.
import { beforeAll, describe, test } from 'vitest';
import { newId } from '../../src/kit/ids.ts';
import { sql } from '../../src/kit/sql.ts';
import { newPerson, type TestPerson } from '../panel/people.ts';
import { isBrowserMissing } from '../support/browser.ts';
import { look } from '../support/look.ts';
import { panelTest } from '../support/panel.ts';

describe.skipIf(isBrowserMissing())('administration as it looks', () => {
  const panel = panelTest();
  let accountId: string;
  let admin: TestPerson;

  beforeAll(async () => {
    const { service } = panel;
    accountId = await service.account({ name: 'Girne Oto', city: 'Girne' });
    await service.account({ name: 'Şahin Otomotiv ve Ticaret Limited Şirketi' });
    const owner = await newPerson(service, { accountId });
    admin = await newPerson(service, { admin: true });
    await newPerson(service, { admin: true });
    for (const [name, status] of [
      ['Yoğun entegrasyon', 'pending'],
      ['Kampanya', 'pending'],
      ['Eski kampanya', 'refused'],
    ] as const) {
      const key = await service.key(accountId, { name, limitPerMinute: 60 });
      const reason = 'Fiyat karşılaştırma sitesi her gece bütün stoğu okuyor; 60 istek yetmiyor.';
      const decided = status === 'pending' ? null : new Date();
      await service.database.onPlatform('write', (db) =>
        db.exec(sql`insert into limit_requests (account_id, id, key_id, asked_per_minute, reason, asked_by, status, decided_at, decided_by)
          values (${accountId}, ${newId()}, ${key.id}, 900, ${reason}, ${owner.id}, ${status}, ${decided},
            ${decided === null ? null : admin.id}::uuid)`),
      );
    }
  });

  test('every screen', async () => {
    const page = await panel.open(admin, '/panel/yonetim/hesaplar');
    const paths = [
      'hesaplar',
      `hesaplar/${accountId}`,
      'limit-talepleri',
      'limit-talepleri?durum=all',
      'yayinlar?durum=Yakında&q=task',
      'yayinlar?uc=get-vehicles&q=vehicles',
      'denetim',
      'denetim?subject=none',
      'yoneticiler',
    ];
    for (const [at, path] of paths.entries()) {
      await panel.go(page, `/panel/yonetim/${path}`);
      const name = `admin-${path.replace(accountId, 'one').replace(/\W+/g, '_')}`;
      // The menu of those who keep the platform is another.
      await look(page, name, { narrow: true, framed: at === 0 });
    }
    await panel.done(page);
  });
});
