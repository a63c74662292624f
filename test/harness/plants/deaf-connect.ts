// Planted: no error listener on a connection that requested CONNECT.
import { Server } from 'node:http';
import type { Socket } from 'node:net';

type Emit = (this: Server, event: string, ...args: unknown[]) => boolean;
const server = Server.prototype as unknown as { emit: Emit };
const { emit } = server;

server.emit = function (this: Server, event: string, ...args: unknown[]) {
  if (event === 'connect') (args[1] as Socket).removeAllListeners('error');
  return emit.call(this, event, ...args);
};
