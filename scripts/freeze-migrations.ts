// `npm run migrations:freeze`: adds new migrations to migrations/frozen.txt. Those that are in it already are never changed.
import { readFileSync, writeFileSync } from 'node:fs';
import { FROZEN, frozenProblems, frozenText, readTexts } from '../test/architecture/migrations.ts';

const migrations = readTexts();
const problems = frozenProblems(migrations, readFileSync(FROZEN, 'utf8')).filter((problem) => !problem.includes(' is new: '));
if (problems.length > 0) throw new Error(problems.join('; '));
writeFileSync(FROZEN, frozenText(migrations));
