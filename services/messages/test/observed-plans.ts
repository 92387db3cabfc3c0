import type { AnyStatement, Sql } from '@parley/shared/db';

export interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: Plan[];
}

/** A database that also keeps how it did what it was asked; what is asked to change something does so twice. */
export function observed(db: Sql): { sql: Sql; plans: Plan[] } {
  const plans: Plan[] = [];
  const query = async <Row>(sql: AnyStatement<Row>, values: readonly unknown[] = []): Promise<Row[]> => {
    const text = typeof sql === 'string' ? sql : sql.text;
    if (text.startsWith('explain')) return db.query(sql, values);
    const [row] = await db.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(
      `explain (analyze, buffers, format json) ${text}`,
      values,
    );
    if (row) plans.push(...row['QUERY PLAN'].map(({ Plan }) => Plan));
    return db.query(sql, values);
  };
  return { sql: { query }, plans };
}

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

const rowsOf = (node: Plan) =>
  (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)) *
  node['Actual Loops'];

/** How many rows of tables were looked at. */
export function rowsReadIn(plans: readonly Plan[]): number {
  const scans = plans.flatMap(nodesOf).filter((node) => node['Relation Name'] !== undefined);
  return scans.reduce((sum, node) => sum + rowsOf(node), 0);
}

/** How many messages were read, and by which indexes; how many pages were looked at in all. */
export function messagesReadIn(plans: readonly Plan[]) {
  const nodes = plans.flatMap(nodesOf);
  const scans = nodes.filter((node) => node['Relation Name'] === 'message' && node['Actual Loops'] > 0);
  return {
    rows: scans.reduce((sum, node) => sum + rowsOf(node), 0),
    types: scans.map((node) => node['Node Type']),
    indexes: new Set(nodes.flatMap((node) => node['Index Name'] ?? [])),
    pages: plans.reduce((sum, plan) => sum + plan['Shared Hit Blocks'] + plan['Shared Read Blocks'], 0),
  };
}
