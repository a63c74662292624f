// Reads a password from the terminal without echo, or one line of stdin. It is never an argument, which other users could see.
import { once } from 'node:events';
import { checkPassword } from '../domain/identity/people.ts';
import { UsageError } from './command.ts';

export async function readPassword(fromStdin: boolean): Promise<string> {
  if (fromStdin) return checkPassword((await readAll(process.stdin)).replace(/\r?\n$/, ''));
  if (!process.stdin.isTTY) throw new UsageError('a password is needed: type it on a terminal, or send it with --password-stdin');
  const password = checkPassword(await ask('Password: '));
  if ((await ask('Again: ')) !== password) throw new UsageError('the two passwords differ');
  return password;
}

async function readAll(stream: NodeJS.ReadStream): Promise<string> {
  let text = '';
  for await (const chunk of stream.setEncoding('utf8')) {
    text += chunk;
    if (text.length > 10_000) throw new UsageError('the password on stdin is too long');
  }
  return text;
}

async function ask(question: string): Promise<string> {
  const { stdin, stderr } = process;
  stderr.write(question);
  stdin.setRawMode(true).setEncoding('utf8').resume();
  let typed = '';
  try {
    for (;;) {
      const [chunk] = (await once(stdin, 'data')) as [string];
      for (const letter of chunk) {
        if (letter === '\r' || letter === '\n') return typed;
        if (letter === '\u0003') throw new UsageError('stopped');
        typed = letter === '\u007f' ? typed.slice(0, -1) : typed + letter;
      }
    }
  } finally {
    stdin.setRawMode(false).pause();
    stderr.write('\n');
  }
}
