// Bulletins in the format of the two banks, built from values, and a local bank server that serves what a test configures.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Bulletin, readBulletin } from '../../src/domain/exchange-rates/bulletin.ts';
import { type StoredBulletin, storeBulletin } from '../../src/domain/exchange-rates/bulletin-store.ts';
import type { RateSource } from '../../src/domain/exchange-rates/rates.ts';
import type { Database } from '../../src/kit/db.ts';

/** Forex buying and selling, banknote buying and selling; empty values stay empty. */
export type Quoted = readonly [string, string, string, string];
export interface Quotes {
  readonly USD: Quoted;
  readonly EUR: Quoted;
  readonly GBP: Quoted;
}

export const QUOTES: Quotes = {
  USD: ['48.0732', '48.1598', '48.0396', '48.2321'],
  EUR: ['56.1234', '56.2245', '56.0841', '56.3088'],
  GBP: ['64.7268', '65.0643', '64.6815', '65.1618'],
};

export interface Written {
  readonly day: string;
  readonly number?: string;
  readonly quotes?: Partial<Record<keyof Quotes, Quoted>>;
  /** Of all three; default 1. */
  readonly unit?: string;
}

const reversed = (day: string, by: string): string => day.split('-').reverse().join(by);

/** With what else the bank writes: names, cross rates, other currencies. */
export function tcmbXml({ day, number = '2026/211', quotes = QUOTES, unit = '1' }: Written): string {
  const [year, month, date] = day.split('-');
  const currency = ([code, [buying, selling, banknoteBuying, banknoteSelling]]: [string, Quoted], of = unit) =>
    `\t<Currency CrossOrder="0" Kod="${code}" CurrencyCode="${code}">
\t\t\t<Unit>${of}</Unit>\n\t\t\t<Isim>PARA BİRİMİ İĞŞ</Isim>\n\t\t\t<CurrencyName>A CURRENCY</CurrencyName>
\t\t\t<ForexBuying>${buying}</ForexBuying>\n\t\t\t<ForexSelling>${selling}</ForexSelling>
\t\t\t<BanknoteBuying>${banknoteBuying}</BanknoteBuying>\n\t\t\t<BanknoteSelling>${banknoteSelling}</BanknoteSelling>
\t\t\t<CrossRateUSD/>\n\t\t\t<CrossRateOther>1.1765</CrossRateOther>\n\t</Currency>`;
  const others = [
    currency(['JPY', ['31.05240', '31.25800', '30.93000', '31.37600']], '100'),
    currency(['XDR', ['65.1122', '', '', '']], '1'),
  ];
  return `<?xml version="1.0" encoding="UTF-8"?>\n<?xml-stylesheet type="text/xsl" href="isokur.xsl"?>
<Tarih_Date Tarih="${reversed(day, '.')}" Date="${month}/${date}/${year}"  Bulten_No="${number}" >
${[...Object.entries(quotes).map((one) => currency(one as [string, Quoted])), ...others].join('\n')}\n</Tarih_Date>\n`;
}

export function kktcmbXml({ day, number = '2026/182', quotes = QUOTES, unit = '1' }: Written): string {
  const currency = ([code, [buying, selling, banknoteBuying, banknoteSelling]]: [string, Quoted], of = unit) =>
    `<Resmi_Kur><Birim>${of}</Birim><Sembol>${code}</Sembol><Isim>PARA BİRİMİ İĞŞ</Isim><Doviz_Alis>${buying}</Doviz_Alis>
<Doviz_Satis>${selling}</Doviz_Satis><Efektif_Alis>${banknoteBuying}</Efektif_Alis><Efektif_Satis>${banknoteSelling}</Efektif_Satis></Resmi_Kur>`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<KKTCMB_Doviz_Kurlari><Kur_Tarihi>${reversed(day, '/')}</Kur_Tarihi>
<Duyuru_No>${number}</Duyuru_No><Gecerli_Tarih_Araligi>${reversed(day, '/')} - ${reversed(day, '/')}</Gecerli_Tarih_Araligi>
<Resmi_Kurlar>${Object.entries(quotes).map((one) => currency(one as [string, Quoted]))}${currency(['JPY', ['31.05240', '31.25800', '', '']], '100')}
</Resmi_Kurlar><Capraz_Kurlar><Capraz_Kur><Sembol_From>USD</Sembol_From><Sembol_To>EUR</Sembol_To></Capraz_Kur></Capraz_Kurlar></KKTCMB_Doviz_Kurlari>`;
}

export const xmlOf = (source: RateSource, written: Written): string =>
  source === 'TCMB' ? tcmbXml(written) : kktcmbXml(written);

export const bulletinOf = (source: RateSource, written: Written): Bulletin =>
  readBulletin(source, Buffer.from(xmlOf(source, written)));

/** Stored as the service does. */
export const storeBulletinFor = (
  database: Database,
  source: RateSource,
  written: Written,
  now = new Date(),
): Promise<StoredBulletin> =>
  database.onPlatform('write', (db) =>
    storeBulletin(db, bulletinOf(source, written), { now, realNow: now, actor: { type: 'system', name: 'test' }, force: true }),
  );

export interface Bank {
  /** Of the newest bulletin; those of a day are beside it. */
  readonly url: Readonly<Record<RateSource, string>>;
  /** The requested paths, in order. */
  readonly paths: string[];
  /** By path; anything else returns 404. */
  readonly serves: Map<string, string | Buffer | ((request: IncomingMessage, response: ServerResponse) => void)>;
  close(): Promise<void>;
}

export async function openBank(): Promise<Bank> {
  const paths: string[] = [];
  const serves: Bank['serves'] = new Map();
  const server = createServer((request, response) => {
    paths.push(request.url!);
    const found = serves.get(request.url!);
    if (typeof found === 'function') return found(request, response);
    response.writeHead(found === undefined ? 404 : 200, { 'content-type': 'text/xml' }).end(found ?? 'none');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: { TCMB: `${base}/kurlar/today.xml`, KKTCMB: `${base}/kur/gunluk.xml` },
    paths,
    serves,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
