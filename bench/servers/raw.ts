// The reference of all ratios: bare node:http, one reply, from memory. It reads its reply from a file.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Reply {
  status: number;
  headers: Record<string, string>;
  body: string;
}

const { status, headers, body } = JSON.parse(readFileSync(process.env.REPLY_FILE!, 'utf8')) as Reply;
const bytes = Buffer.from(body);

const server = createServer((_request, response) => {
  response.writeHead(status, headers);
  response.end(bytes);
});
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
process.stdin.resume().on('end', () => process.exit());
