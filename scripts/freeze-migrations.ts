// `npm run migrations:freeze`, after a new migration: adds it to migrations/frozen.txt, in which no line is ever changed, and
// generates migrations/schema.sql, from which new databases are created.
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSession } from '../src/postgres/database.ts';
import { openEmbeddedPostgres } from '../src/postgres/embedded.ts';
import { migrate } from '../src/postgres/migrate.ts';
import { FROZEN, frozenProblems, frozenText, readTexts } from '../test/architecture/migrations.ts';
import { baselineText } from './schema-text.ts';

const migrations = readTexts();
const problems = frozenProblems(migrations, readFileSync(FROZEN, 'utf8')).filter((problem) => !problem.includes(' is new: '));
if (problems.length > 0) throw new Error(problems.join('; '));
writeFileSync(FROZEN, frozenText(migrations));

const dataDir = await mkdtemp(join(tmpdir(), 'galeri-schema-'));
const server = await openEmbeddedPostgres({ dataDir });
try {
  await migrate(server.url, undefined, { withBaseline: false });
  const session = await openSession(server.url);
  writeFileSync(join(import.meta.dirname, '../migrations/schema.sql'), await baselineText(session));
  await session.close();
} finally {
  await server.close();
  await rm(dataDir, { recursive: true, force: true });
}
