// How PostgreSQL runs a statement of the service: planned as the service's connections plan it, run, and rolled back.
import type { Statement } from '../../src/kit/sql.ts';
import type { Session } from '../../src/postgres/database.ts';

export interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Function Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  'Heap Fetches'?: number;
  Plans?: PlanNode[];
}

const nodesOf = (plan: PlanNode): PlanNode[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

const plain = (value: unknown) => (value instanceof Date ? value.toISOString() : String(value)).replaceAll("'", "''");
const literal = (value: unknown) =>
  value === null ? 'null' : Array.isArray(value) ? `'{${value.map((one) => `"${plain(one)}"`)}}'` : `'${plain(value)}'`;

/** Nodes that were really executed; others are left out. */
export async function planOf(
  tenant: Session,
  accountId: string,
  { text, values }: Statement,
  generic: boolean,
): Promise<PlanNode[]> {
  await tenant.rows(`begin; select set_config('app.account_id', '${accountId}', true);
    set local max_parallel_workers_per_gather = 0;
    set local plan_cache_mode = ${generic ? 'force_generic_plan' : 'force_custom_plan'}`);
  try {
    await tenant.rows(`prepare asked as ${text}`);
    const run = values.length > 0 ? `asked(${values.map(literal)})` : 'asked';
    const [row] = await tenant.rows<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      `explain (analyze, timing off, format json) execute ${run}`,
    );
    return nodesOf(row!['QUERY PLAN'][0].Plan).filter((node) => node['Actual Loops'] > 0);
  } finally {
    await tenant.rows('rollback');
    await tenant.rows('deallocate all');
  }
}
