// How many requests a page costs: a phone pays for each, and the vehicles page once made 64. On the demonstration it makes 35 with an
// empty cache: 6 for data, 23 scripts, 3 fonts, the page, its style and the mark.
import { beforeAll, describe, expect, test } from 'vitest';
import { newPerson, type TestPerson } from '../panel/people.ts';
import { isBrowserMissing } from '../support/browser.ts';
import { panelTest } from '../support/panel.ts';

describe.skipIf(isBrowserMissing())('the requests of a page that is opened for the first time', () => {
  const panel = panelTest();
  let owner: TestPerson;
  beforeAll(async () => {
    const accountId = await panel.service.account({ name: 'Girne Oto' });
    owner = await newPerson(panel.service, { accountId });
    for (let car = 0; car < 5; car += 1) await panel.service.vehicle(accountId, { status: 'Stokta' });
  });

  const requestsOf = async (path: string): Promise<{ data: string[]; files: string[] }> => {
    const page = await panel.open(owner, '/panel/ayarlar/tercihler');
    const seen: string[] = [];
    page.on('request', (request) => seen.push(new URL(request.url()).pathname));
    await panel.go(page, path);
    await panel.done(page);
    return {
      data: seen.filter((one) => one.startsWith('/panel/api/')),
      files: seen.filter((one) => one.endsWith('.js')),
    };
  };

  test('vehicles: the list and its frame, a handful', async () => {
    const { data, files } = await requestsOf('/panel/araclar');
    expect(data.length, data.join('\n')).toBeLessThanOrEqual(6);
    expect(files.length, files.join('\n')).toBeLessThanOrEqual(24);
  });

  test('home: one request of its own', async () => {
    const { data } = await requestsOf('/panel');
    expect(data.filter((one) => !/session|notices|notifications/.test(one))).toEqual(['/panel/api/overview']);
  });
});
