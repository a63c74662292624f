// What a greedy dealer requests from the panel, and the descriptions of its key: work that is expensive for the service.
import type { Answered } from './ask.ts';
import type { Greed } from './fairness-greedy.ts';
import type { Dealer, World } from './world.ts';

export interface PanelAccess {
  /** `http://127.0.0.1:…`, without a trailing slash. */
  readonly url: string;
  readonly cookie: string;
  readonly csrf: string;
}

export const PANEL_KINDS = [
  'descriptions',
  'previews',
  'reports',
  'report-files',
  'papers',
  'car-papers',
  'stock-lists',
  'search',
  'list-files',
  'audit-files',
  'home',
  'sign-ins',
] as const;
export type PanelKind = (typeof PANEL_KINDS)[number];

/** Concurrent requests of each kind. */
export const PANEL_AT_ONCE: Readonly<Record<PanelKind, number>> = {
  descriptions: 4,
  previews: 4,
  reports: 4,
  'report-files': 4,
  papers: 4,
  'car-papers': 4,
  'stock-lists': 4,
  search: 4,
  'list-files': 4,
  'audit-files': 4,
  home: 4,
  'sign-ins': 4,
};

/** An owner of the account, signed in. */
export async function signedIn(world: World, api: string, { accountId }: Dealer): Promise<PanelAccess> {
  const url = new URL(api).origin;
  const cookie = `__Host-panel=${await world.signIn(accountId)}`;
  const session = await fetch(`${url}/panel/api/session`, { headers: { cookie, 'sec-fetch-site': 'same-origin' } });
  const { data } = (await session.json()) as { data: { csrf: string } };
  return { url, cookie, csrf: data.csrf };
}

type Run = Greed & { number: number };

const answerOf = async (response: Response): Promise<Answered> => ({
  status: response.status,
  replayed: false,
  text: (await response.arrayBuffer()).byteLength.toString(),
});

const panel = async ({ panel: { url, cookie, csrf } }: Run, path: string, body?: unknown): Promise<Answered> => {
  const headers = { cookie, 'sec-fetch-site': 'same-origin', 'x-csrf-token': csrf, 'content-type': 'application/json' };
  const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  return answerOf(await fetch(`${url}/panel/api/${path}`, { headers, ...sent }));
};

/** No two are the same, so that no cache helps. */
const next = (run: Run): number => {
  run.number += 1;
  return run.number;
};
const REPORTS = ['sales-summary', 'collections-summary', 'inventory-aging'] as const;
const reportOf = (run: Run): string => REPORTS[next(run) % REPORTS.length]!;

let car: string | undefined;

async function firstCar(run: Run): Promise<string> {
  const headers = { cookie: run.panel.cookie, 'sec-fetch-site': 'same-origin' };
  const list = await fetch(`${run.panel.url}/panel/api/vehicles/list?limit=1`, { headers });
  const { data } = (await list.json()) as { data: [{ id: string }] };
  return data[0].id;
}

export const PANEL_WORK: Readonly<Record<PanelKind, (run: Run) => Promise<Answered>>> = {
  descriptions: async (run) => {
    const name = next(run) % 2 === 0 ? 'openapi.json' : 'postman.json';
    return answerOf(await fetch(`${run.panel.url}/${name}`, { headers: { authorization: `Bearer ${run.key}` } }));
  },
  previews: (run) => panel(run, 'import/preview', { content: run.workbook }),
  reports: async (run) => {
    const headers = { authorization: `Bearer ${run.key}`, 'cache-control': 'no-cache' };
    return answerOf(await fetch(`${run.api}reports/${reportOf(run)}`, { headers }));
  },
  'report-files': (run) => panel(run, `reports/report.xlsx?report=${reportOf(run)}`),
  papers: (run) => panel(run, `reports/report.pdf?report=${reportOf(run)}`),
  'car-papers': async (run) => {
    car ??= await firstCar(run);
    return panel(run, `vehicles/${car}/offer.pdf?valid_until=2099-01-01&installment_count=120&price=${10_000 + next(run)}`);
  },
  // Sorted by a column without an index, at an offset that no other request had.
  'stock-lists': (run) => panel(run, `vehicles/list?limit=100&sort=brand&offset=${9000 + (next(run) % 900)}`),
  search: (run) => panel(run, `search?q=${next(run) % 2 === 0 ? 'megane' : 's'}%20${next(run) % 1000}`),
  'list-files': (run) => panel(run, `vehicles/export.xlsx?city=${encodeURIComponent(run.city)}`),
  'audit-files': (run) => panel(run, 'lists/audit.xlsx'),
  home: (run) => panel(run, 'overview'),
  'sign-ins': async (run) => {
    const address = `${run.panel.url}/panel/giris`;
    const page = await fetch(address, { headers: { 'sec-fetch-site': 'same-origin' } });
    const csrf = /name="csrf" value="([^"]*)"/.exec(await page.text())?.[1] ?? '';
    const cookie = page.headers
      .getSetCookie()
      .map((one) => one.split(';', 1)[0])
      .join('; ');
    const fields = { csrf, email: `nobody${next(run)}@example.com`, password: 'the password of a stranger' };
    const headers = { cookie, 'sec-fetch-site': 'same-origin', 'content-type': 'application/x-www-form-urlencoded' };
    const body = new URLSearchParams(fields).toString();
    return answerOf(await fetch(address, { method: 'POST', headers, body, redirect: 'manual' }));
  },
};
