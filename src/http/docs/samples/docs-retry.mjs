// Adds a task once, however often the request has to be sent: GALERI_KEY=gal_prod_… node retry.mjs
import { setTimeout as wait } from 'node:timers/promises';

const API = 'https://galeri.example/api/v1';

async function write(method, path, body, headers) {
  const key = { Authorization: `Bearer ${process.env.GALERI_KEY}`, 'Content-Type': 'application/json' };
  const request = { method, headers: { ...key, ...headers }, body: JSON.stringify(body) };
  for (let attempt = 1; ; attempt += 1) {
    // Without a reply it is unknown whether the task was added. The same key makes it safe to retry.
    const response = await fetch(`${API}/${path}`, request).catch(() => null);
    const reply = await response?.json().catch(() => null);
    const again = !reply || response.status === 429 || response.status >= 500 || reply.error?.code === 'idempotency_in_progress';
    if (again && attempt < 6) {
      await wait(1000 * Number(response?.headers.get('Retry-After') ?? 2 ** attempt));
      continue;
    }
    if (!reply?.success) throw new Error(reply ? `${reply.error.code}: ${reply.error.message}` : 'no reply');
    return { data: reply.data, replayed: response.headers.has('Idempotent-Replayed') };
  }
}

const task = { title: 'Ruhsatı iste', priority: 'Yüksek' };
await write('POST', 'tasks', task, { 'X-Dry-Run': 'true' }); // checks everything, changes nothing
const { data, replayed } = await write('POST', 'tasks', task, { 'Idempotency-Key': 'order-1042-papers' });
console.log(data.id, replayed ? 'was there already' : 'added');
