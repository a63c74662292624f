// Live views of the request log, held open and read as browsers do while the API is measured: what they cost it.
import { once } from 'node:events';
import { type ClientRequest, get, type IncomingMessage } from 'node:http';
import { addMember, insertPerson } from '../src/domain/identity/people.ts';
import { beginSession } from '../src/domain/identity/sessions.ts';
import { newId } from '../src/kit/ids.ts';
import type { BenchData } from './data.ts';

export const TAILS = 50;
/** As many as one session may hold. */
const TAILS_PER_SESSION = 5;
const ACTOR = { type: 'system', name: 'bench' } as const;

/** All of the account that is being called: the hardest case, in which every view is told of every call. Returns how to close them. */
export async function openTails({ connected, small }: BenchData, port: number): Promise<() => Promise<void>> {
  const tokens = await connected.database.onPlatform('write', async (db) => {
    const email = `${newId()}@example.com`;
    const id = await insertPerson(db, { email, passwordHash: 'none', fullName: 'Bench', isAdmin: false });
    await addMember(db, { accountId: small.id, personId: id, fullName: 'Bench', role: 'owner', email }, ACTOR);
    const made: string[] = [];
    for (let count = 0; count < TAILS / TAILS_PER_SESSION; count += 1)
      made.push(await beginSession(db, id, { ip: '127.0.0.1', userAgent: 'galeri-bench' }, new Date(), { pending: false }));
    return made;
  });
  const views = await Promise.all(Array.from({ length: TAILS }, (_, n) => openTail(port, tokens[n % tokens.length]!)));
  return async () => {
    await Promise.all(
      views.map((view) => {
        const closed = once(view, 'close');
        view.destroy();
        return closed;
      }),
    );
  };
}

async function openTail(port: number, token: string): Promise<ClientRequest> {
  const request = get({
    host: '127.0.0.1',
    port,
    path: '/panel/api/logs/tail',
    headers: { Cookie: `__Host-panel=${token}` },
    agent: false,
  });
  request.on('error', () => {});
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  if (response.statusCode !== 200) throw new Error(`a live view was answered ${response.statusCode}`);
  // The first message says where it stands: from then on it follows.
  await once(response, 'data');
  response.on('error', () => {});
  response.resume();
  return request;
}
