// Customers that are companies: required fields, hidden fields, search, import and erasure.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eraseCustomer } from '../../../src/domain/customers/customer-erase.ts';
import { importRows, importTarget } from '../../../src/domain/imports/targets/import-rows.ts';
import { openSession, type Session } from '../../../src/postgres/database.ts';
import { newPerson, signedIn } from '../../panel/people.ts';
import { TEST_ACTOR, type TestService, testService } from '../../support/service.ts';
import { aPerson, type Dealer, newDealer, openAll } from '../../support/writer.ts';

let api: TestService;
let admin: Session;
let dealer: Dealer;
let turkish: Dealer;
beforeAll(async () => {
  api = await testService();
  await openAll(api);
  admin = await openSession(api.adminUrl);
  dealer = await newDealer(api, { country: 'KKTC' });
  turkish = await newDealer(api, { country: 'TR' });
});
afterAll(async () => {
  await admin.close();
  await api.close();
});

const COMPANY = {
  kind: 'Kurumsal',
  company_name: 'Işık Turizm Ltd.',
  tax_office: 'Girne',
  notice_given_on: '2026-01-05',
  reminder_opt_out: true,
};
const made = async (overrides: Record<string, unknown>, who = dealer): Promise<string> => {
  const answer = await who.post('customers', aPerson(overrides));
  expect(answer.status, answer.text).toBe(201);
  return answer.json.data.id;
};
const faults = (answer: { status: number; json: { error: { code: string; details: { field: string; code: string }[] } } }) => [
  answer.status,
  ...answer.json.error.details.map(({ field, code }) => `${field} ${code}`),
];

describe('a company', () => {
  test('returns its name and tax office in the detail, never its tax number; the list keeps its eight fields', async () => {
    const id = await made({ ...COMPANY, tax_no: 'MS-7654998' });
    const read = await dealer.get(`customers/${id}`);
    expect(read.json.data).toMatchObject(COMPANY);
    expect(read.text).not.toContain('7654998');
    expect(read.text).not.toContain('tax_no');
    const [listed] = (await dealer.get('customers?q=isik+turizm')).json.data;
    expect(listed.id).toBe(id);
    expect(Object.keys(listed)).toHaveLength(8);
    const [row] = await admin.rows<{ text: string }>(`select c::text as text from customers c where id = '${id}'`);
    expect(row!.text).not.toContain('7654998');
    const audited = await admin.rows(`select from audit_log where before::text like '%7654998%' or after::text like '%7654998%'`);
    expect(audited).toEqual([]);
  });

  test('defaults to a person', async () => {
    expect((await dealer.get(`customers/${await made({})}`)).json.data).toMatchObject({
      kind: 'Bireysel',
      company_name: null,
      tax_office: null,
      notice_given_on: null,
      reminder_opt_out: false,
    });
  });

  test('requires a name when it is created and after every edit', async () => {
    expect(faults(await dealer.post('customers', aPerson({ kind: 'Kurumsal' })))).toEqual([422, 'company_name required']);
    const id = await made({});
    expect(faults(await dealer.patch(`customers/${id}`, { kind: 'Kurumsal' }))).toEqual([422, 'company_name required']);
    expect((await dealer.patch(`customers/${id}`, { kind: 'Kurumsal', company_name: 'Deniz A.Ş.' })).status).toBe(200);
    expect(faults(await dealer.patch(`customers/${id}`, { company_name: null }))).toEqual([422, 'company_name required']);
    const back = await dealer.patch(`customers/${id}`, { kind: 'Bireysel', company_name: null });
    expect(back.json.data).toMatchObject({ kind: 'Bireysel', company_name: null });
  });

  test.each([
    [{ kind: 'kurumsal' }, 'kind not_allowed'],
    [{ company_name: 'x'.repeat(201) }, 'company_name too_long'],
    [{ tax_office: '' }, 'tax_office required'],
    [{ notice_given_on: '2999-01-01' }, 'notice_given_on out_of_range'],
    [{ reminder_opt_out: 'yes' }, 'reminder_opt_out invalid'],
    [{ tax_no: '123456789012345678901' }, 'tax_no invalid'],
    [{ tax_no: 'A B/C!' }, 'tax_no invalid'],
  ])('%o is refused: %s', async (input, fault) => {
    expect(faults(await dealer.post('customers', aPerson(input)))).toEqual([422, fault]);
  });
});

describe('a tax number', () => {
  test('has ten or eleven digits for a Turkish account, and may have letters for one in Northern Cyprus', async () => {
    for (const taxNo of ['123456789', '123456789012', 'MS12345678']) {
      expect(faults(await turkish.post('customers', aPerson({ tax_no: taxNo }))), taxNo).toEqual([422, 'tax_no invalid']);
      await made({ tax_no: taxNo });
    }
    const id = await made({ tax_no: '123 456 78 90' }, turkish);
    expect((await turkish.patch(`customers/${id}`, { tax_no: '12345678901' })).status).toBe(200);
    expect(faults(await turkish.patch(`customers/${id}`, { tax_no: '1' }))).toEqual([422, 'tax_no invalid']);
    expect((await turkish.patch(`customers/${id}`, { tax_no: null })).status).toBe(200);
    await made({ tax_no: '1' });
  });

  test('may be used by several customers: branches of one company buy separately', async () => {
    await made({ tax_no: '4444444444' });
    await made({ tax_no: '4444444444' });
  });
});

test('an import creates companies with the same field names and rules', async () => {
  const account = { id: turkish.accountId, timezone: 'Europe/Istanbul', country: 'TR', default_currency: 'TL' } as const;
  const person = { first_name: 'Efe', last_name: 'Demir', phone: '0532 111 22 33' };
  const lines = [
    {
      ...person,
      external_ref: 'C1',
      kind: 'Kurumsal',
      company_name: 'Demir Gıda',
      tax_no: '1112223334',
      reminder_opt_out: 'true',
    },
    { ...person, external_ref: 'C2', kind: 'Kurumsal' },
    { ...person, external_ref: 'C3', tax_no: 'ABC' },
    { external_ref: 'C1', company_name: 'Demir Gıda Ltd.' },
  ];
  async function* rows() {
    for (const [index, input] of lines.entries()) yield { row: index + 1, cells: input };
  }
  const result = await importRows({
    writer: api.service.parts.writer,
    account,
    kind: 'customers',
    rows: rows(),
    clock: api.clock,
    actor: TEST_ACTOR,
    target: importTarget('customers', account, api.secrets),
  });
  expect(result).toMatchObject({ total: 4, created: 1, updated: 1, failed: 2 });
  expect(result.errors.map(({ row, field, code }) => [row, field, code])).toEqual([
    [2, 'company_name', 'required'],
    [3, 'tax_no', 'invalid'],
  ]);
  const [found] = (await turkish.get('customers?external_ref=C1')).json.data;
  expect((await turkish.get(`customers/${found.id}`)).json.data).toMatchObject({
    kind: 'Kurumsal',
    company_name: 'Demir Gıda Ltd.',
    reminder_opt_out: true,
  });
});

test('the panel list marks which customers are companies, and erasing one asks for the company’s name', async () => {
  const owner = await signedIn(api, await newPerson(api, { accountId: dealer.accountId }));
  const company = await made({ ...COMPANY, company_name: 'Silinecek Ltd.' });
  const person = await made({ company_name: 'Eski Firma' });
  const stranger = await made({ ...COMPANY }, turkish);
  const names = await owner.api(`customers/companies?ids=${[company, person, stranger].join(',')}`);
  expect(names.json.data).toEqual([{ id: company, company_name: 'Silinecek Ltd.' }]);
  expect((await owner.api('customers/companies?ids=x')).status).toBe(400);
  const erase = (typed_name: string) => owner.api(`customers/${company}/erase`, { method: 'POST', body: { typed_name } });
  expect((await erase('Ayşe Yılmaz')).status).toBe(422);
  expect((await erase('Silinecek Ltd.')).status).toBe(200);
});

test('erasing a company removes all of its data', async () => {
  const id = await made({ ...COMPANY, company_name: 'ERASEDcompany', tax_office: 'ERASEDoffice', tax_no: '998877' });
  await api.service.parts.writer.write(
    { dataSet: dealer.accountId, account: { id: dealer.accountId, timezone: 'UTC' }, actor: TEST_ACTOR, now: api.clock.now() },
    (work) => eraseCustomer(work, id),
  );
  const [row] = await admin.rows<Record<string, unknown>>(`select * from customers where id = '${id}'`);
  expect(JSON.stringify(row)).not.toMatch(/ERASED|erased(company|office)/);
  expect(row).toMatchObject({ tax_no_encrypted: null, tax_office: null, notice_given_on: null, reminder_opt_out: false });
});

test('a viewer, whose search covers names only, finds a company by its name', async () => {
  const viewer = await signedIn(api, await newPerson(api, { accountId: dealer.accountId, role: 'viewer' }));
  const id = await made({ ...COMPANY, company_name: 'Gözlemci Nakliyat' });
  const ids = (await viewer.api('v1/customers?q=gozlemci')).json.data.map((one: { id: string }) => one.id);
  expect(ids).toEqual([id]);
});
