// Forms that no browser sends, each with a valid photo in it unless it says otherwise.

export interface HostileForm {
  readonly name: string;
  readonly type: string;
  readonly body: Buffer;
  readonly headers?: Readonly<Record<string, string>>;
  /** `drawn`: a valid form despite its appearance. */
  readonly outcome: 'refused' | 'drawn' | 'either';
}

const B = 'xYzZY';
const TYPE = `multipart/form-data; boundary=${B}`;

/** One part: its head as given, then its content. */
const part = (head: string, content: Buffer | string = ''): Buffer =>
  Buffer.concat([Buffer.from(`--${B}\r\n${head}\r\n\r\n`, 'latin1'), Buffer.from(content as string), Buffer.from('\r\n')]);
const END = Buffer.from(`--${B}--\r\n`);
const whole = (...parts: readonly Buffer[]): Buffer => Buffer.concat([...parts, END]);
const field = (name: string, value: string): Buffer => part(`Content-Disposition: form-data; name="${name}"`, value);
const file = (photo: Buffer, disposition = 'form-data; name="file"; filename="a.jpg"', more = ''): Buffer =>
  part(`Content-Disposition: ${disposition}\r\nContent-Type: image/jpeg${more}`, photo);

/** The fields of an endpoint's form besides its file. */
export interface OtherTexts {
  /** Must be present. */
  readonly texts: Readonly<Record<string, string>>;
  /** May be present, with any value. */
  readonly free: string;
}

export function hostileForms(photo: Buffer, { texts, free }: OtherTexts = { texts: {}, free: 'caption' }): HostileForm[] {
  const needed = Object.entries(texts).map(([name, value]) => field(name, value));
  const form = (...parts: readonly Buffer[]): Buffer => whole(...needed, ...parts);
  const refused = (name: string, body: Buffer, type = TYPE, headers = {}): HostileForm => ({
    name,
    type,
    body,
    headers,
    outcome: 'refused',
  });
  const drawn = (name: string, body: Buffer): HostileForm => ({ name, type: TYPE, body, outcome: 'drawn' });
  const either = (name: string, body: Buffer, type = TYPE): HostileForm => ({ name, type, body, outcome: 'either' });
  const good = form(file(photo));
  return [
    refused('no boundary is named', good, 'multipart/form-data'),
    refused('an empty boundary', good, 'multipart/form-data; boundary='),
    refused('another boundary', good, 'multipart/form-data; boundary=other'),
    refused('a boundary of ten thousand letters', good, `multipart/form-data; boundary=${'x'.repeat(10_000)}`),
    refused('no end', Buffer.concat([...needed, file(photo)])),
    refused('an end within the head of a part', Buffer.from(`--${B}\r\nContent-Disposition: form-da`)),
    refused('an end within the file', good.subarray(0, good.length / 2)),
    refused('nothing but its end', END),
    refused('nothing', Buffer.alloc(0)),
    refused('line feeds only', Buffer.from(good.toString('latin1').replaceAll('\r\n', '\n'), 'latin1')),
    refused('JSON that is called a form', Buffer.from('{"url":"https://example.com/a.jpg"}')),
    refused('a form that is called JSON', good, 'application/json'),
    refused('a form that is called text', good, 'text/plain'),
    refused('a form that is called a picture', good, 'image/jpeg'),
    refused('a picture alone', photo, 'image/jpeg'),
    refused('url-encoded', Buffer.from('file=x&url=https://example.com/a.jpg'), 'application/x-www-form-urlencoded'),
    refused('multipart of another kind', good, `multipart/mixed; boundary=${B}`),
    refused('multipart related', good, `multipart/related; boundary=${B}; type="image/jpeg"`),
    refused('packed', good, TYPE, { 'content-encoding': 'gzip' }),
    refused('packed with br', good, TYPE, { 'content-encoding': 'br' }),
    refused('packed twice', good, TYPE, { 'content-encoding': 'gzip, gzip' }),
    refused('no file', form(field(free, 'x'))),
    refused('two files', form(file(photo), file(photo))),
    refused('a file of another name', form(file(photo, 'form-data; name="photo"; filename="a.jpg"'))),
    refused('a file besides', form(file(photo), file(photo, 'form-data; name="other"; filename="b.jpg"'))),
    refused('the file as a text', form(field('file', 'x'))),
    refused(
      'a text as a file',
      form(file(photo), file(Buffer.from('x'), 'form-data; name="caption"; filename="c.txt"'.replace('caption', free))),
    ),
    refused('an unknown text', form(file(photo), field('is_admin', 'true'))),
    refused('account_id', form(file(photo), field('account_id', '00000000-0000-0000-0000-000000000000'))),
    refused('__proto__', form(file(photo), field('__proto__', 'x'))),
    refused('constructor', form(file(photo), field('constructor', 'x'))),
    refused('toString', form(file(photo), field('toString', 'x'))),
    refused('a field in brackets', form(file(photo), field(`${free}[$ne]`, 'x'))),
    refused('the same text twice', form(file(photo), field(free, 'a'), field(free, 'b'))),
    refused('a text of 1 MB', form(file(photo), field(free, 'x'.repeat(1_000_000)))),
    refused('a text with a zero byte', form(file(photo), field(free, 'a\0b'))),
    refused('a position that is not a number', form(file(photo), field('position', '1e0'))),
    refused('a position far off', form(file(photo), field('position', '999999999'))),
    refused('a position below the first', form(file(photo), field('position', '-1'))),
    refused('a url beside the file', form(file(photo), field('url', 'https://127.0.0.1/a.jpg'))),
    refused('a nameless part', form(part('Content-Type: image/jpeg', photo))),
    refused('a part without a head', Buffer.concat([Buffer.from(`--${B}\r\n\r\n`), photo, Buffer.from(`\r\n--${B}--\r\n`)])),
    refused('a part without a name', form(part('Content-Disposition: form-data; filename="a.jpg"', photo))),
    refused('a part with an empty name', form(file(photo, 'form-data; name=""; filename="a.jpg"'))),
    refused('an attachment', form(file(photo, 'attachment; name="file"; filename="a.jpg"'))),
    either(
      'a head of 1 MB',
      form(part(`Content-Disposition: form-data; name="file"; filename="a.jpg"\r\nX-Long: ${'x'.repeat(1_000_000)}`, photo)),
    ),
    either(
      'a head of ten thousand lines',
      form(part(`Content-Disposition: form-data; name="file"; filename="a.jpg"\r\n${'X-A: b\r\n'.repeat(10_000)}X-B: c`, photo)),
    ),
    refused('an endless head', Buffer.from(`--${B}\r\nContent-Disposition: form-data; name="file"${' '.repeat(2_000_000)}`)),
    either('a head without colons', form(part('Content-Disposition form-data name file', photo))),
    refused('ten thousand empty parts', form(...Array.from({ length: 10_000 }, () => part('')))),
    refused('ten thousand texts', form(file(photo), ...Array.from({ length: 10_000 }, (_, index) => field(`f${index}`, 'x')))),
    refused(
      'a thousand files',
      form(...Array.from({ length: 1000 }, (_, index) => file(Buffer.from('x'), `form-data; name="f${index}"; filename="x"`))),
    ),
    refused(
      'a form in a form',
      form(
        part(
          `Content-Disposition: form-data; name="file"\r\nContent-Type: multipart/mixed; boundary=inner`,
          '--inner\r\n\r\nx\r\n--inner--',
        ),
      ),
    ),
    refused(
      'too many parts, the last cut off',
      Buffer.concat([...Array.from({ length: 60 }, () => part('')), Buffer.from(`--${B}\r\nContent-`)]),
    ),
    refused('a nameless part, cut off', part('Content-Type: image/jpeg', photo).subarray(0, 80)),
    refused('a part of another kind, cut off', file(photo, 'attachment; name="file"').subarray(0, 120)),
    refused(
      'too many texts, the last cut off',
      Buffer.concat([
        ...Array.from({ length: 22 }, (_, index) => field(`f${index}`, 'x')),
        field('g', 'xxxxxxxx').subarray(0, 60),
      ]),
    ),
    refused(
      'too many files, the last cut off',
      Buffer.concat([
        ...Array.from({ length: 8 }, (_, index) => file(photo, `form-data; name="f${index}"; filename="x"`)),
        file(photo).subarray(0, 200),
      ]),
    ),
    refused('boundaries only', Buffer.from(`--${B}\r\n`.repeat(50_000))),
    either('words before the first boundary', Buffer.concat([Buffer.from('hello\r\n'), good])),
    either('words after the last', Buffer.concat([good, Buffer.from('<script>alert(1)</script>')])),
    either('a photo after the last', Buffer.concat([good, good])),
    refused(
      'a file in base64',
      form(file(Buffer.from(photo.toString('base64')), undefined, '\r\nContent-Transfer-Encoding: base64')),
    ),
    ...fileNames().map((name) =>
      drawn(
        `the file name ${JSON.stringify(name).slice(0, 60)}`,
        form(file(photo, `form-data; name="file"; filename="${name}"`)),
      ),
    ),
    drawn(
      'a file name in another alphabet',
      form(file(photo, `form-data; name="file"; filename="a"; filename*=UTF-8''%2e%2e%2f%2e%2e%2fetc%2fpasswd`)),
    ),
    either('a file name in no alphabet', form(file(photo, `form-data; name="file"; filename*=utf-99''%ff%fe`))),
    drawn(
      'a file labelled as html',
      form(part('Content-Disposition: form-data; name="file"; filename="a.html"\r\nContent-Type: text/html', photo)),
    ),
    drawn(
      'a file labelled as a program',
      form(
        part('Content-Disposition: form-data; name="file"; filename="a.exe"\r\nContent-Type: application/x-msdownload', photo),
      ),
    ),
    drawn('a caption in script', form(file(photo), field(free, '<script>alert(1)</script>'))),
    drawn('a caption that a sheet would run', form(file(photo), field(free, '=cmd|"/c calc"!A1'))),
    drawn('a caption that a database would', form(file(photo), field(free, "'; drop table vehicle_photos; --"))),
  ];
}

const fileNames = (): string[] => [
  '../../../../etc/passwd',
  '..\\\\..\\\\windows\\\\win.ini',
  '/etc/cron.d/x',
  'C:\\\\boot.ini',
  'a\0.jpg',
  'a.jpg\0.html',
  'x'.repeat(5000),
  '\u202egpj.exe',
  'aux',
  '.htaccess',
  '.',
  '..',
  '~/.ssh/authorized_keys',
  '$(id).jpg',
  '`id`.jpg',
  '; rm -rf .jpg',
  '%2e%2e%2f%2e%2e%2fetc%2fpasswd',
  '<img src=x onerror=alert(1)>.jpg',
  'a.jpg/',
  '',
];
