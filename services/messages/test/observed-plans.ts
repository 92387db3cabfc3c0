import type { AnyStatement, Sql } from '@parley/shared/db';
import pg from 'pg';

export interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  'Rows Removed by Join Filter'?: number;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: Plan[];
}

type Explained = { 'QUERY PLAN': { Plan: Plan }[] };

/**
 * A database that also records the plans of its statements: of prepared ones the plan for all values, as they run with it. Statements with
 * changes run twice.
 */
export function observed(db: Sql): { sql: Sql; plans: Plan[] } {
  const plans: Plan[] = [];
  const query = async <Row>(sql: AnyStatement<Row>, values: readonly unknown[] = []): Promise<Row[]> => {
    const text = typeof sql === 'string' ? sql : sql.text;
    if (text.startsWith('explain')) return db.query(sql, values);
    const [row] = await (isPrepared(sql) && values.length > 0
      ? db.query<Explained>(preparedAndExplained(text, values))
      : db.query<Explained>(`${EXPLAIN} ${text}`, values));
    if (row) plans.push(...row['QUERY PLAN'].map(({ Plan }) => Plan));
    return db.query(sql, values);
  };
  return { sql: { query }, plans };
}

const EXPLAIN = 'explain (analyze, buffers, format json)';
const isPrepared = (sql: AnyStatement<unknown>) => typeof sql !== 'string' && sql.name !== undefined;
let prepared = 0;

/** EXPLAIN plans a statement for its values, except one that is prepared. */
function preparedAndExplained(text: string, values: readonly unknown[]): string {
  const name = `observed_${++prepared}`;
  return `prepare ${name} as ${text}; ${EXPLAIN} execute ${name} (${values.map(literalOf)})`;
}

function literalOf(value: unknown): string {
  if (value === null) return 'null';
  return pg.escapeLiteral(Array.isArray(value) ? `{${value.map((each) => JSON.stringify(each))}}` : String(value));
}

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

const rowsOf = (node: Plan) =>
  (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)) *
  node['Actual Loops'];

/** Number of rows read from tables. */
export function rowsReadIn(plans: readonly Plan[]): number {
  const scans = plans.flatMap(nodesOf).filter((node) => node['Relation Name'] !== undefined);
  return scans.reduce((sum, node) => sum + rowsOf(node), 0);
}

/** Number of steps that the longest walk took. */
export function stepsIn(plans: readonly Plan[]): number {
  const walks = plans.flatMap(nodesOf).filter((node) => node['Node Type'] === 'Recursive Union');
  return Math.max(...walks.map((node) => node['Actual Rows'] - 1));
}

/** Number of pairs of rows that joins without an index compared in vain. */
export function pairsComparedIn(plans: readonly Plan[]): number {
  const nodes = plans.flatMap(nodesOf);
  return nodes.reduce((sum, node) => sum + (node['Rows Removed by Join Filter'] ?? 0) * node['Actual Loops'], 0);
}

/** Number of messages read, by index; total number of pages read. */
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
