// Feeds as dealers have them: a stock list saved by a Turkish spreadsheet, and a source on the network that asks who is there.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Where windows-1254 differs from the first 256 letters of Unicode. */
const TURKISH: Readonly<Record<string, number>> = { Ğ: 0xd0, İ: 0xdd, Ş: 0xde, ğ: 0xf0, ı: 0xfd, ş: 0xfe };

export const windows1254 = (text: string): Buffer =>
  Buffer.from([...text].map((letter) => TURKISH[letter] ?? letter.charCodeAt(0)));

export const HEADERS = 'Plaka;Marka;Model;Model Yılı;KM;Yakıt;Vites;Kasa Tipi;Renk;Şehir;Satış Fiyatı;Tramer';

/** Six cars; the fourth has a letter in its year, and one has an unknown fuel. */
export function stockList({ year = '20I9', fuel = 'Buharlı' } = {}): string {
  return [
    HEADERS,
    'AB 101;Renault;Clio;2018;84000;Benzin;Düz;Hatchback;Kırmızı;Lefkoşa;650000;yok',
    'AB 102;Volkswagen;Golf;2020;41000;Motorin;Otomatik;Hatchback;Beyaz;Girne;1150000;yok',
    'AB 103;Toyota;Corolla;2021;30500;Hybrid;Otomatik;Sedan;Gümüş;Gazimağusa;1320000.50;yok',
    `AB 104;Ford;Focus;${year};77000;Motorin;Düz;Sedan;Mavi;İskele;720000;2500`,
    'AB 105;Dacia;Duster;2019;98000;Motorin;Düz;Jeep;Yeşil;Güzelyurt;810000;yok',
    `AB 106;Škoda;Octavia;2017;143000;${fuel};Triptonik;SW;Siyah;Lefke;690000;yok`,
  ]
    .join('\r\n')
    .replace('Š', 'S');
}

export interface FeedSource {
  readonly url: string;
  body: string;
  /** The `Authorization` headers of the callers. */
  readonly callers: (string | undefined)[];
  close(): Promise<void>;
}

/** Returns 401 to requests without this `Authorization`. */
export async function openSource(authorization: string, body: string): Promise<FeedSource> {
  const source = { body, callers: [] as (string | undefined)[] };
  const server: Server = createServer((request, response) => {
    source.callers.push(request.headers.authorization);
    const isKnown = request.headers.authorization === authorization;
    response.writeHead(isKnown ? 200 : 401, { 'Content-Type': 'application/json' }).end(isKnown ? source.body : '{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return Object.assign(source, {
    url: `http://127.0.0.1:${port}/stok.json`,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  });
}
