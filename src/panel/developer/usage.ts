// How an account uses the API, by key, by endpoint and over time, from the hourly rollups.
import { rolesFor } from '../../domain/identity/roles.ts';
import { type AccountUsage, readAccountUsage, type Step } from '../../domain/usage/account-usage.ts';
import { inLog } from '../../kit/db.ts';
import { fail } from '../../kit/errors.ts';
import { momentParam, oneOfParam, textParam, uuidParam } from '../../kit/params.ts';
import { readPeriod } from '../../kit/period.ts';
import { own, sql } from '../../kit/sql.ts';
import { panelGet } from '../kit/endpoint.ts';

export interface UsageView extends Omit<AccountUsage, 'by_key'> {
  readonly from: string;
  readonly to: string;
  readonly step: Step;
  readonly by_key: readonly (AccountUsage['by_key'][number] & { readonly key_name: string })[];
}

const DAY = 86_400_000;
const MAX_HOURS_MS = 8 * DAY;

export const usageEndpoints = [
  panelGet('usage', {
    who: rolesFor({ scope: 'developer:read', risk: 'read' }),
    databaseRole: 'tenant',
    ofOwner: true,
    query: {
      from: momentParam,
      to: momentParam,
      key: uuidParam,
      endpoint: textParam(120),
      step: oneOfParam(['hour', 'day']),
    },
    run: async ({ db, query, account, realNow }) => {
      const period = readPeriod(query, realNow, account.timezone, { days: 7, max: 90 });
      const length = period.end.getTime() - period.from.getTime();
      const step = query.step ?? (length > 3 * DAY ? 'day' : 'hour');
      if (step === 'hour' && length > MAX_HOURS_MS) {
        fail('invalid_parameter', {
          param: 'step',
          words: { allowed: { en: 'day for periods longer than eight days', tr: 'sekiz günden uzunsa day' } },
        });
      }
      const { timezone } = account;
      const names = await db.rows<{ id: string; name: string }>(sql`select id, name from ${own('api_keys')}`);
      const nameOf = new Map(names.map(({ id, name }) => [id, name]));
      const question = { period, step, timezone, key: query.key, endpoint: query.endpoint };
      return inLog(async (log): Promise<UsageView> => {
        const traffic = await readAccountUsage(log, question);
        return {
          ...traffic,
          from: period.from.toISOString(),
          to: new Date(period.end.getTime() - 1).toISOString(),
          step,
          by_key: traffic.by_key.map((key) => ({ ...key, key_name: nameOf.get(key.key_id) ?? key.key_id })),
        };
      });
    },
  }),
];
