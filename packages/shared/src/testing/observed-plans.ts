import pg from 'pg';
import type { AnyStatement, Sql } from '../db';

export interface Plan {
  'Node Type': string;
  'Subplan Name'?: string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  Filter?: string;
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
  if (value === null || value === undefined) return 'null';
  return pg.escapeLiteral(Array.isArray(value) ? `{${value.map((each) => JSON.stringify(each))}}` : String(value));
}

/** The plan's nodes, itself first. */
export const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

/** Number of rows that a node has read, of all its runs. */
export const rowsOf = (node: Plan) =>
  (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)) *
  node['Actual Loops'];

/** Number of rows read from tables. */
export function rowsReadIn(plans: readonly Plan[]): number {
  const scans = plans.flatMap(nodesOf).filter((node) => node['Relation Name'] !== undefined);
  return scans.reduce((sum, node) => sum + rowsOf(node), 0);
}

/** Number of pages read, of tables and indexes. */
export function pagesReadIn(plans: readonly Plan[]): number {
  return plans.reduce((sum, plan) => sum + plan['Shared Hit Blocks'] + plan['Shared Read Blocks'], 0);
}
