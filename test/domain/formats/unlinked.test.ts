// A name in a mail is never a link, in any form that mail programs recognize as one.
import { expect, it } from 'vitest';
import { unlinked } from '../../../src/domain/formats/unlinked.ts';
import { LINK_MAILS } from '../../../src/domain/mail/mail-queue.ts';

it.each([
  ['https://evil.example/a?b=c', 'https: //evil. example/a?b=c'],
  ['Ali evil.example', 'Ali evil. example'],
  ['www.güzel.com.tr', 'www. güzel. com. tr'],
  ['10.0.0.1', '10. 0. 0. 1'],
  ['evil。example', 'evil。 example'],
  ['ali@evil.example', 'ali@ evil. example'],
  ['http:/\\/evil', 'http: /\\/evil'],
])('%s becomes %s', (name, shown) => {
  expect(unlinked(name)).toBe(shown);
});

it.each(['Lefkoşa Oto Ltd. Şti.', 'A. Kemal Ö.', 'Oto 24/7', 'Yılmaz & Oğulları'])('%s stays as it is', (name) => {
  expect(unlinked(name)).toBe(name);
});

it('an invitation contains the link to the panel and none from the dealer’s name', () => {
  for (const locale of ['tr', 'en'] as const) {
    const { subject, text } = LINK_MAILS.invitation[locale]('https://panel.example/davet/1', 'https://evil.example');
    expect(`${subject}\n${text}`.match(/\S*:\/\/\S*|\w+\.example\S*/g)).toEqual(['https://panel.example/davet/1']);
  }
});
