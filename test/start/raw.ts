// One exchange over a socket, byte for byte: what fetch would not send.
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';

export async function exchange(port: number, head: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(head);
  return text(socket);
}
