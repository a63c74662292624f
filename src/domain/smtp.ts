// Hands one message to a mail server: as much of SMTP (RFC 5321) as that takes, always encrypted where a password is sent.
import { connect as connectPlain, type Socket } from 'node:net';
import { hostname } from 'node:os';
import { connect as connectTls, type TLSSocket } from 'node:tls';

export interface Message {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** Unique among all messages, for the Message-ID. */
  readonly id: string;
  readonly at: Date;
}

const PATIENCE_MS = 20_000;
const isLoopback = (host: string): boolean => /^(localhost|127\.|\[?::1\]?$)/.test(host);

/** `smtp://user:password@host:587?from=galeri@example.com`, or `smtps://` where the whole connection is encrypted. */
export async function sendMail(url: string, message: Message): Promise<void> {
  const { protocol, hostname: host, port, username, password, searchParams } = new URL(url);
  const from = searchParams.get('from') ?? `galeri@${host}`;
  const secure = protocol === 'smtps:';
  const place = { host: host.replace(/^\[|\]$/g, ''), port: Number(port || (secure ? 465 : 587)) };
  let line = await open(secure ? connectTls({ ...place, servername: place.host }) : connectPlain(place));
  try {
    await line.expect(220);
    let offers = await line.say(`EHLO ${hostname()}`, 250);
    if (!secure && /^STARTTLS\b/im.test(offers)) {
      await line.say('STARTTLS', 220);
      line = await open(connectTls({ socket: line.socket, servername: place.host }));
      offers = await line.say(`EHLO ${hostname()}`, 250);
    } else if (!secure && username !== '' && !isLoopback(host)) {
      throw new Error('the mail server offers no encryption, and the password is not sent without it');
    }
    if (username !== '') {
      const secret = `\0${decodeURIComponent(username)}\0${decodeURIComponent(password)}`;
      await line.say(`AUTH PLAIN ${Buffer.from(secret).toString('base64')}`, 235);
    }
    await line.say(`MAIL FROM:<${addressOf(from)}>`, 250);
    await line.say(`RCPT TO:<${addressOf(message.to)}>`, 250);
    await line.say('DATA', 354);
    await line.say(`${textOf(message, from)}\r\n.`, 250);
    await line.say('QUIT', 221).catch(() => {});
  } finally {
    line.socket.destroy();
  }
}

/** What would end the command early is no address. */
function addressOf(address: string): string {
  if (!/^[^\s<>@]+@[^\s<>@]+$/.test(address)) throw new Error('an address that mail cannot be sent to');
  return address;
}

const word = (text: string): string => `=?UTF-8?B?${Buffer.from(text).toString('base64')}?=`;

/** In base64 throughout: no line is too long, none begins with a dot, and every letter arrives. */
function textOf({ to, subject, text, id, at }: Message, from: string): string {
  const body = Buffer.from(text).toString('base64').replace(/.{76}/g, '$&\r\n');
  return [
    `From: Galeri <${addressOf(from)}>`,
    `To: <${addressOf(to)}>`,
    `Subject: ${word(subject)}`,
    `Date: ${at.toUTCString().replace('GMT', '+0000')}`,
    `Message-ID: <${id}@${from.split('@')[1]}>`,
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: base64',
    'Auto-Submitted: auto-generated',
    '',
    body,
  ].join('\r\n');
}

interface Line {
  readonly socket: Socket | TLSSocket;
  expect(code: number): Promise<string>;
  say(text: string, code: number): Promise<string>;
}

async function open(socket: Socket | TLSSocket): Promise<Line> {
  let received = '';
  let failed: Error | null = null;
  let wake = () => {};
  const fail = (error: Error) => {
    failed ??= error;
    wake();
  };
  socket.setTimeout(PATIENCE_MS, () => fail(new Error('the mail server did not answer in time')));
  socket.on('error', fail);
  socket.on('close', () => fail(new Error('the mail server closed the connection')));
  socket.on('data', (chunk: Buffer) => {
    received += chunk.toString('utf8');
    if (received.length > 64_000) fail(new Error('the mail server said too much'));
    wake();
  });
  const expect = async (code: number): Promise<string> => {
    for (;;) {
      // The last line of a reply has a space behind its code, the others a dash.
      const whole = /^(?:\d{3}-.*\r?\n)*(\d{3})(?: .*)?\r?\n/.exec(received);
      if (whole) {
        received = received.slice(whole[0].length);
        if (Number(whole[1]) !== code)
          throw new Error(`the mail server answered ${whole[0].trim().split('\n').at(-1)!.slice(0, 200)}`);
        return whole[0].replace(/^\d{3}[ -]/gm, '');
      }
      if (failed !== null) throw failed;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  return {
    socket,
    expect,
    say: (text, code) => {
      socket.write(`${text}\r\n`);
      return expect(code);
    },
  };
}
