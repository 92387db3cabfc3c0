import { createHash } from 'node:crypto';
import { z } from 'zod';
import { memoized } from '../values';
import pg from './driver';
import { answered } from './lost-connection';
import { queryRows } from './row-query';

/** A statement and the shape of its rows: their type derives from it, and tests check every row against it. */
export interface Statement<Row = unknown> {
  /** Prepared and planned once per connection under this name; without one it is planned for the values of every call. */
  readonly name?: string;
  readonly text: string;
  readonly row: z.ZodType<Row>;
}

/** The type of a statement's rows: `RowOf<typeof LIST>`. */
export type RowOf<Declared extends Statement> = Declared extends Statement<infer Row> ? Row : never;

/** A plain text is for tests: its rows are not checked. */
export type AnyStatement<Row> = Statement<Row> | string;

/** Something that runs SQL: the database, or a transaction. Rows come as objects, bigints and timestamps as numbers. */
export interface Sql {
  query<Row>(sql: AnyStatement<Row>, values?: readonly unknown[]): Promise<Row[]>;
}

/** A running transaction. */
export interface Transaction extends Sql {
  /** Set by announce(): after the commit the outbox relay is woken. */
  hasAnnounced: boolean;
  /** Names of further tasks after the commit; for listeners of Database.onCommitted(). */
  readonly orders: Set<string>;
}

const NO_ROWS = z.never();

/** By text: some statements are built for each call from few variants, and a digest of a long text takes longer than finding it here. */
const known = new Map<string, { shape: z.ZodRawShape | undefined; statement: Statement }>();
const MOST_KNOWN = 5_000;

/**
 * Declares a statement whose text never changes. `shape` names every column of its rows; without it the statement must return none.
 * It is prepared and planned once per connection, for all values.
 */
export function statement(text: string): Statement<never>;
export function statement<Shape extends z.ZodRawShape>(text: string, shape: Shape): Statement<RowOfShape<Shape>>;
export function statement(text: string, shape?: z.ZodRawShape): Statement {
  const found = known.get(text);
  if (found && found.shape === shape) return found.statement;
  const made = declared(shape, { name: nameOf(text), text });
  // Texts are few; those that are built for each call would be many only by mistake.
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(text, { shape, statement: made });
  return made;
}

/** Declares a statement whose text is composed for one call, or whose plan depends on the values: it is planned for each call. */
export function composed(text: string): Statement<never>;
export function composed<Shape extends z.ZodRawShape>(text: string, shape: Shape): Statement<RowOfShape<Shape>>;
export function composed(text: string, shape?: z.ZodRawShape): Statement {
  return declared(shape, { text });
}

/** The row of a statement that always returns one, such as an insert with `returning`. */
export function onlyRow<Row>([row]: readonly Row[]): Row {
  if (row === undefined) throw new Error('the statement has answered with no row');
  return row;
}

/**
 * SQL: whether a query, given from its `from` on, has a row, by a look for each row that asks. For a set of rows PostgreSQL may answer `exists` by
 * reading and hashing all that it could ask for, all keys of an organization for instance, though mostly one row asks.
 */
export function hasRow(query: string): string {
  return `((select true ${query} limit 1) is not null)`;
}

/**
 * SQL: the rows of a query that selects `row(…)`, for a join with few rows: `fewRows(…) as old (id bigint)`. Of a query with a `limit`
 * PostgreSQL expects all rows that it allows, or a tenth of those found where it does not know it, and would read the whole table that is joined.
 */
export function fewRows(query: string): string {
  return `unnest(array(${query}))`;
}

/**
 * SQL: whether a value is in a list, by a look into a hash table of it. PostgreSQL compares a value with each of a list that is a parameter, `= any($1)`, unless
 * an index has it: fine for few.
 */
export function isInList(value: string, list: string): string {
  return `(${value} in (select unnest(${list}))) is true`;
}

type RowOfShape<Shape extends z.ZodRawShape> = z.infer<z.ZodObject<Shape>>;

/** The row schema is for tests, so it is created on first use. */
function declared(shape: z.ZodRawShape | undefined, statement: Omit<Statement, 'row'>): Statement {
  return {
    ...statement,
    get row() {
      return shape ? rowOf(shape) : NO_ROWS;
    },
  };
}

/** Created once per shape, though composed() may be called for every request. */
const rows = new WeakMap<z.ZodRawShape, z.ZodType>();

function rowOf(shape: z.ZodRawShape): z.ZodType {
  const row = rows.get(shape) ?? z.strictObject(shape);
  rows.set(shape, row);
  return row;
}

const TABLE = String.raw`\s+(?:"public"\.)?"?(\w+)`;
/** Excludes the words of `for update` and `do update`. */
const WRITING = new RegExp(String.raw`(?<!\b(?:for|do|key) )\b(insert|delete|update)(?: into| from)?${TABLE}`, 'i');
const READING = new RegExp(String.raw`\bfrom${TABLE}`, 'i');

/**
 * The name under which a text is prepared, as traces show it: what the statement does to which table, and a digest, because two versions of a
 * service share the connections of a pooler.
 */
export function nameOf(text: string): string {
  const [, verb = 'select', table = ''] = WRITING.exec(text) ?? ['', undefined, READING.exec(text)?.[1]];
  const deed = `${verb.toLowerCase()}-${table}`.slice(0, 40);
  return `${deed}-${createHash('sha256').update(text).digest('base64url').slice(0, 22)}`;
}

/** Set by Jest; elsewhere rows are not checked. */
const IS_TEST = process.env['NODE_ENV'] === 'test';

/** Runs a statement on a pg client or pool; of several in one text the last one's rows count. Throws ServiceUnavailableError when the database is unreachable. */
export async function run<Row>(
  client: pg.ClientBase | pg.Pool,
  sql: AnyStatement<Row>,
  values: readonly unknown[],
): Promise<Row[]> {
  const rows = (await answered(rowsOf(client, sql, values))) as Row[];
  if (IS_TEST && typeof sql !== 'string') for (const each of rows) check(each, sql.row, sql.text);
  return rows;
}

function rowsOf(client: pg.ClientBase | pg.Pool, sql: AnyStatement<unknown>, values: readonly unknown[]) {
  if (typeof sql === 'string') return queryRows(client, { text: sql }, values.map(written));
  if (sql.name === undefined) return queryRows(client, { text: withValues(sql.text, values) }, []);
  return queryRows(client, sql, values.map(written));
}

/** Parameters of a statement, and its strings, which contain none. */
const PARAMETER = /'[^']*'|\$(\d+)/g;

/** The text with values instead of parameters, which PostgreSQL would plan without their values: see `plan_cache_mode` in database.ts. */
function withValues(text: string, values: readonly unknown[]): string {
  // Some statements name a list of thousands several times: it is written once.
  const literal = memoized((number: string) => literalOf(values[Number(number) - 1]));
  return text.replace(PARAMETER, (found: string, number?: string) => (number === undefined ? found : literal(number)));
}

function literalOf(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  return pg.escapeLiteral(Array.isArray(value) ? listOf(value) : scalarOf(value));
}

const listOf = (values: readonly unknown[]) => `{${values.map(itemOf).join()}}`;

function itemOf(value: unknown): string {
  if (typeof value === 'number') return String(value);
  return value === null ? 'NULL' : `"${scalarOf(value).replace(/["\\]/g, '\\$&')}"`;
}

function scalarOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new TypeError('a composed statement has values that are no texts, numbers, booleans, or lists of these');
}

/** Lists of numbers as PostgreSQL reads them: pg takes ten times as long, and some have hundreds. */
function written(value: unknown): unknown {
  if (!Array.isArray(value) || !value.every((each) => typeof each === 'number' || each === null)) return value;
  return `{${value.map((each) => each ?? 'NULL').join()}}`;
}

function check(row: unknown, shape: z.ZodType, text: string): void {
  const { error } = shape.safeParse(row);
  if (error) throw new Error(`a row is not what its statement has declared: ${z.prettifyError(error)}\n${text}`);
}
