// Live views of the request log, held open and read as browsers do while the API is measured: their cost.
import { once } from 'node:events';
import { type ClientRequest, get, type IncomingMessage } from 'node:http';
import { addMember, insertPerson } from '../src/domain/identity/people.ts';
import { beginSession } from '../src/domain/identity/sessions.ts';
import { VIEW_LIMITS } from '../src/domain/sharing/live-views.ts';
import type { Db } from '../src/kit/db.ts';
import { newId } from '../src/kit/ids.ts';
import type { BenchData } from './data.ts';

/** As many as one account may hold, with the people and sessions that this takes. */
export const TAILS = VIEW_LIMITS.account;
const PER_PERSON = Math.min(VIEW_LIMITS.person, TAILS);
const PER_SESSION = Math.min(VIEW_LIMITS.session, PER_PERSON);
const ACTOR = { type: 'system', name: 'bench' } as const;

/**
 * All of the account that is being called: the worst case, in which every view receives every call. Returns a function that
 * closes them.
 */
export async function openTails({ connected, small }: BenchData, port: number): Promise<() => Promise<void>> {
  const tokens = await connected.database.onPlatform('write', async (db) => {
    const made: string[] = [];
    for (let left = TAILS; left > 0; left -= PER_PERSON)
      made.push(...(await newViewer(db, small.id, Math.min(left, PER_PERSON))));
    return made;
  });
  const views = await Promise.all(tokens.map((token) => openTail(port, token)));
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

/** A person of the account; a token for each of their views. */
async function newViewer(db: Db, accountId: string, count: number): Promise<string[]> {
  const email = `${newId()}@example.com`;
  const id = await insertPerson(db, { email, passwordHash: 'none', fullName: 'Bench', isAdmin: false });
  await addMember(db, { accountId, personId: id, fullName: 'Bench', role: 'owner', email }, ACTOR);
  const sessions: string[] = [];
  for (let left = count; left > 0; left -= PER_SESSION)
    sessions.push(await beginSession(db, id, { ip: '127.0.0.1', userAgent: 'galeri-bench' }, new Date(), { pending: false }));
  return Array.from({ length: count }, (_, place) => sessions[Math.floor(place / PER_SESSION)]!);
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
  // The first message has its position: from then on it follows.
  await once(response, 'data');
  response.on('error', () => {});
  response.resume();
  return request;
}
