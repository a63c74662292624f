// One word for one thing, in both languages: words that were replaced do not come back.
import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/** What people read: dictionaries, pages, messages, papers and the reference. */
const FILES = [...globSync('web/src/**/*.{ts,tsx}'), ...globSync('src/**/*.ts')].filter(
  // The search of the reference finds pages by the words that people type.
  (path) => !path.endsWith('/search-words.ts'),
);

const REPLACED: readonly (readonly [RegExp, string])[] = [
  [/s[üÜ]z(?:ge[çc]|ül)/i, 'filtre'],
  [/(?<![\p{L}])[Ss]ınır(?!la|lı)/u, 'limit'],
  [/(?<![\p{L}])[Ss]ır(?:rı|la)?(?![\p{L}])/u, 'gizli anahtar'],
  [/şöyle olmalı/, '…, … olmalı'],
  [/Kayıt dışında/, 'sistem dışında'],
  [/Satıldı işaretle|Satıldı say|satıldı sayılsın/, 'Satıldı olarak işaretle'],
  [/Tüm satıcılar|'Bugün vadeli'/, 'Tüm satış danışmanları, Vadesi bugün'],
  [/[Rr]ezervasyonu? bırak/, 'Rezervasyonu kaldır'],
  [/API başvurusu/, 'API belgeleri'],
  [/gövdesi henüz/, 'henüz geliştirilmedi'],
  [/Gösterim giri|uydurmadır/, 'Demo hesapları'],
  [/Salt okunur bak|Bakışı bitir/, 'Salt okunur görüntüle, Görüntülemeyi bitir'],
  [/Yakında['’]ya çek/, 'Yayından geri al'],
  [/(?<!\p{L})[İi]hale(?!(?:de)?[':])/u, 'müzayede'],
  [/pey sür(?!eyi)/i, 'pey ver'],
  [/[Aa]nahtar\p{L}* döndür|'Döndür'/u, 'yenile'],
  [/(?:Henüz|uyan|ekleyen|Webhook) teslimat|'Teslimat/, 'gönderim'],
  [/çe aktarım(?!\p{L}*da)/u, 'içe aktarma'],
  [/[Bb]ayi ağı|[Ss]atış temsilci/, 'galeri ağı, satış danışmanı'],
  [/iletiyi yok say/, 'e-postayı dikkate almayın'],
  [/needs your eye|very function|also those to come|something else than 2xx/, 'plain product language'],
  [/Request behind it|Error share|Health of the keys|Edit together|'Dealings'/, 'plain product language'],
  [/'Sırlar'|'Loglar'|Farketmez|'Engelli'/, 'Gizli anahtarlar, Günlük, Fark etmez, Satışa kapalı'],
  [/'(?:Present password|Holds until|Call off the promise|Time line|Least mileage)'/, 'plain product language'],
  [/may not use this screen|End the look|Call back the invitation/, 'plain product language'],
];

it('says nothing in words that were replaced', () => {
  const found = FILES.flatMap((path) =>
    readFileSync(path, 'utf8')
      .split('\n')
      .flatMap((line, index) =>
        REPLACED.filter(([old]) => old.test(line)).map(([, better]) => `${path}:${index + 1} → ${better}: ${line.trim()}`),
      ),
  );
  expect(found).toEqual([]);
});
