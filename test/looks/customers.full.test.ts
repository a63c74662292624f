// Customers as they look: list, detail, forms, time line, guarantors, and what is deleted or erased.
import type { Page } from 'playwright-core';
import { beforeAll, describe, test } from 'vitest';
import { newPerson, type TestPerson } from '../panel/people.ts';
import { isBrowserMissing } from '../support/browser.ts';
import { look } from '../support/look.ts';
import { panelTest } from '../support/panel.ts';
import type { TestService } from '../support/service.ts';

const LIST = '/panel/musteriler';

describe.skipIf(isBrowserMissing())('customers as they look', () => {
  const panel = panelTest();
  let service: TestService;
  let accountId: string;
  let owner: TestPerson;
  let isil: string;

  beforeAll(async () => {
    service = panel.service;
    accountId = await service.account({ name: 'Mağusa Oto' });
    owner = await newPerson(service, { accountId });
    for (let at = 0; at < 12; at += 1) await service.customer(accountId, { first_name: 'Ali', last_name: `Veli ${at}` });
    const long = { first_name: 'Mehmet', last_name: 'Çok Uzun Soyadlı Karamehmetoğulları', risk_level: 'blocked' };
    await service.customer(accountId, long);
    isil = await service.customer(accountId, {
      first_name: 'Işıl',
      last_name: 'Çağdaş',
      phone: '+905338421967',
      email: 'isil.cagdas@example.com',
      risk_level: 'high',
      note: 'Cumartesi aranmak istiyor.\nİngilizce konuşur.',
    });
    await service.customer(accountId, {
      first_name: 'Abdurrahmangazi',
      last_name: 'Karaosmanoğlugil',
      deleted_at: new Date(),
    });
  });

  const main = (page: Page) => page.getByRole('main');

  test('list and detail, deleted ones too', async () => {
    // Of a long list a page of ten: the rest are the same rows again.
    const page = await panel.open(owner, `${LIST}?limit=10`);
    await main(page).locator('tbody tr').first().waitFor();
    await look(page, 'customers', { narrow: true });
    await panel.follow(page, `${LIST}/${isil}`);
    await page.locator('dl').first().waitFor();
    await look(page, 'customer', { narrow: true });
    await panel.follow(page, `${LIST}?deleted=true`);
    await main(page).getByText('Karaosmanoğlugil').first().waitFor();
    await look(page, 'customers-deleted', { narrow: true });
    await panel.done(page);
  });

  test('forms, time line and dialogs', async () => {
    const long = { first_name: 'Gülşah', last_name: 'Karaosmanoğlugil', note: 'Sabah arayın.' };
    const id = await service.customer(accountId, long);
    const page = await panel.open(owner, `${LIST}/yeni`);
    await page.locator('main summary').click();
    await page.locator('main form button[type=submit]').click();
    await main(page).getByRole('alert').first().waitFor();
    await look(page, 'customer-new', { narrow: true });
    await panel.follow(page, `${LIST}/${id}`);
    await main(page).locator('textarea').fill('Uzunca bir görüşme: krediyi, takası ve teslim gününü konuştuk.');
    await main(page).locator('form button[type=submit]').click();
    await main(page).locator('ol > li').first().waitFor();
    await look(page, 'customer-timeline', { narrow: true });
    await main(page).getByRole('region', { name: 'Kefiller' }).getByRole('button').first().click();
    await page.getByRole('dialog').locator('summary').click();
    await look(page, 'customer-guarantor', { narrow: true });
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Müşteriyle ilgili diğer işlemler' }).click();
    await page.getByRole('menuitem', { name: 'Sil', exact: true }).click();
    await page.getByRole('alertdialog').waitFor();
    await look(page, 'customer-delete', { narrow: true });
    await page.keyboard.press('Escape');
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Müşteriyle ilgili diğer işlemler' }).click();
    await page.getByRole('menuitem', { name: 'Kişisel verileri yok et' }).click();
    await page.getByRole('alertdialog').waitFor();
    await look(page, 'customer-erase', { narrow: true });
    await panel.done(page);
  });
});
