// Sends one message to a mail server, always encrypted if a password is sent to another machine.
import { isLoopbackHost } from '../net/address.ts';

export interface Attachment {
  readonly name: string;
  readonly type: string;
  readonly content: Buffer;
}

export interface Message {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** Unique among all messages, for the Message-ID. */
  readonly id: string;
  readonly at: Date;
  readonly fromName?: string;
  readonly replyTo?: string;
  readonly attachments?: readonly Attachment[];
}

const TIMEOUT_MS = 20_000;

/** `smtp://user:password@host:587?from=galeri@example.com`, or `smtps://` if the whole connection is encrypted. */
export async function sendMail(url: string, message: Message): Promise<void> {
  const { to, subject, text, id, at, fromName, replyTo, attachments = [] } = message;
  const { protocol, hostname, port, username, password, searchParams } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  const from = addressOf(searchParams.get('from') ?? `galeri@${host}`);
  const secure = protocol === 'smtps:';
  // Loaded with the first mail, because most installations send none.
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({
    host,
    port: Number(port || (secure ? 465 : 587)),
    secure,
    requireTLS: !secure && username !== '' && !isLoopbackHost(host),
    ...(username === '' ? {} : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  // sendMail reports failures itself; a connection that breaks after the message was accepted does not matter.
  transport.on('error', () => {});
  try {
    await transport.sendMail({
      from: { name: fromName ?? 'Galeri', address: from },
      ...(replyTo === undefined ? {} : { replyTo: { name: fromName ?? '', address: addressOf(replyTo) } }),
      to: { name: '', address: addressOf(to) },
      subject,
      text,
      textEncoding: 'base64',
      attachments: attachments.map(({ name, type, content }) => ({ filename: name, contentType: type, content })),
      date: at,
      messageId: `<${id}@${from.split('@')[1]}>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
    });
  } finally {
    transport.close();
  }
}

/** Refuses lists of addresses and anything that would not be delivered exactly as written. */
function addressOf(address: string): string {
  if (!/^[^\s<>@,;]+@[^\s<>@,;]+$/.test(address)) throw new Error('an address that mail cannot be sent to');
  return address;
}
