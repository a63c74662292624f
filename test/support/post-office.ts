// A mail server that only listens: the received commands and messages, and a command that it refuses on request.
import { createServer, type Server, type Socket } from 'node:net';

export interface PostOffice {
  readonly url: string;
  readonly letters: string[];
  readonly commands: string[];
  refuses: string | null;
  close(): Promise<void>;
}

export async function openPostOffice(): Promise<PostOffice> {
  const letters: string[] = [];
  const commands: string[] = [];
  const sockets = new Set<Socket>();
  const office = { letters, commands, refuses: null as string | null };
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    let letter: string | null = null;
    let rest = '';
    socket.on('error', () => {});
    socket.write('220 post.example ready\r\n');
    const answer = (line: string) => {
      commands.push(line);
      if (office.refuses !== null && line.startsWith(office.refuses)) return socket.write('451 not now\r\n');
      if (line.startsWith('EHLO')) return socket.write('250-post.example\r\n250-8BITMIME\r\n250 AUTH PLAIN\r\n');
      if (line.startsWith('AUTH')) return socket.write('235 known\r\n');
      if (line === 'DATA') {
        letter = '';
        return socket.write('354 go on\r\n');
      }
      return socket.write(line === 'QUIT' ? '221 bye\r\n' : '250 ok\r\n');
    };
    socket.on('data', (chunk: Buffer) => {
      rest += chunk.toString('utf8');
      for (let end = rest.indexOf('\r\n'); end >= 0; end = rest.indexOf('\r\n')) {
        const line = rest.slice(0, end);
        rest = rest.slice(end + 2);
        if (letter === null) answer(line);
        else if (line === '.') {
          letters.push(letter);
          letter = null;
          socket.write('250 taken\r\n');
        } else letter += `${line}\n`;
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return Object.assign(office, {
    url: `smtp://someone:p%40ss@127.0.0.1:${port}?from=panel@galeri.example`,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}

export const bodyOf = (letter: string): string => Buffer.from(letter.split('\n\n').slice(1).join(''), 'base64').toString('utf8');
