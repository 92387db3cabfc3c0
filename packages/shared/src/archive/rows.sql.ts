import { z } from 'zod';
import { composed, type Sql, statement, type Transaction } from '../db';
import type { ArchivedTable } from './archived-table';

/** The parameters $1 to $6 of export statements. The last three are ranges of versions, see wasReceived(). */
export type ExportParameters = readonly [
  realmId: number,
  channelIds: readonly number[],
  userIds: readonly number[],
  rangeChannelIds: readonly number[],
  fromVersions: readonly number[],
  toVersions: readonly (number | null)[],
];

/** SQL: a message, under this name, was sent within one of the requested ranges. */
export function wasReceived(message: string): string {
  return `exists (select from unnest($4::bigint[], $5::bigint[], $6::bigint[]) as range (channel_id, from_version, to_version)
    where range.channel_id = ${message}.sent_channel_id and range.from_version <= ${message}.sent_version
      and (range.to_version is null or ${message}.sent_version < range.to_version))`;
}

/** SQL: the types of parameters that a condition may not use. */
const TYPES = ['$2', '$3', '$4', '$5', '$6'].map((parameter) => `${parameter}::bigint[] is not null`).join(' and ');

const READ_ONE_MOMENT = composed('set transaction isolation level repeatable read, read only');
/** The other side may read or send rows slowly. */
const ALLOW_PAUSES = composed(`set local idle_in_transaction_session_timeout = '10min'`);

/** To be called first: everything is read as of this moment. */
export async function seeOneMoment(tx: Transaction): Promise<void> {
  await tx.query(READ_ONE_MOMENT);
  await tx.query(ALLOW_PAUSES);
}

/** Rows arrive at the sender's speed. */
export async function waitForRows(tx: Transaction): Promise<void> {
  await tx.query(ALLOW_PAUSES);
}

const LIST_COLUMNS = statement(
  `select column_name as name from information_schema.columns
   where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER' order by ordinal_position`,
  { name: z.string() },
);

/** Columns that are not generated. */
export async function listColumns(sql: Sql, table: string): Promise<string[]> {
  return (await sql.query(LIST_COLUMNS, [table])).map(({ name }) => name);
}

const CURSOR = 'exported_rows';

export async function openRows(
  tx: Transaction,
  { table, realmColumn = 'realm_id', only = 'true', orderBy, replaces = {} }: ArchivedTable,
  columns: readonly string[],
  parameters: ExportParameters,
): Promise<void> {
  const fields = columns.map((name) => `${replaces[name] ?? `t.${name}`} as ${name}`).join(', ');
  const open = composed(
    `declare ${CURSOR} no scroll cursor for
     select (select row_to_json(row)::text from (select ${fields}) as row) as line from ${table} t
     where t.${realmColumn} = $1 and (${only}) and ${TYPES}
     ${orderBy ? `order by ${orderBy}` : ''}`,
  );
  await tx.query(open, parameters);
}

const LINE = { line: z.string() };

export async function fetchRows(tx: Transaction, limit: number): Promise<string[]> {
  const rows = await tx.query(composed(`fetch ${limit} from ${CURSOR}`, LINE));
  return rows.map(({ line }) => line);
}

const CLOSE = composed(`close ${CURSOR}`);

export async function closeRows(tx: Transaction): Promise<void> {
  await tx.query(CLOSE);
}

const FOUND = { found: z.literal(true) };

export async function hasRows(sql: Sql, { table }: ArchivedTable, realmId: number): Promise<boolean> {
  const anyRow = composed(`select true as found from ${table} where realm_id = $1 limit 1`, FOUND);
  return (await sql.query(anyRow, [realmId])).length > 0;
}

const OUTCOME = { count: z.number(), isRefused: z.boolean() };

/** `json` is a list of rows. Returns the number inserted; null if a row violates the table's constraints. */
export async function insertRows(
  sql: Sql,
  { table, skipsTaken, demands = 'true' }: ArchivedTable,
  columns: readonly string[],
  realmId: number,
  json: string,
): Promise<number | null> {
  const names = columns.join(', ');
  const values = columns.map((name) => (name === 'realm_id' ? '$1::bigint' : `row.${name}`)).join(', ');
  // NOTE: prepared: to write a megabyte of rows into the text would hold the event loop.
  const insert = statement(
    `with given as materialized (select * from json_populate_recordset(null::${table}, $2)), put as (
       insert into ${table} (${names}) overriding system value
       select ${values} from given as row
       ${skipsTaken ? 'on conflict do nothing' : ''} returning 1
     )
     select count(*) as count, exists (select from given as row where (${demands}) is not true) as "isRefused" from put`,
    OUTCOME,
  );
  const [outcome] = await sql.query(insert, [realmId, json]);
  return outcome && !outcome.isRefused ? outcome.count : null;
}

const ID = { id: z.number() };

/** For the organization's own row, which exists already. */
export async function updateRow(
  sql: Sql,
  { table }: ArchivedTable,
  columns: readonly string[],
  realmId: number,
  json: string,
): Promise<number> {
  const update = statement(
    `update ${table} set ${columns.map((name) => `${name} = row.${name}`).join(', ')}
     from json_populate_recordset(null::${table}, $2) as row where ${table}.id = $1 returning ${table}.id`,
    ID,
  );
  return (await sql.query(update, [realmId, json])).length;
}

/** Sequences of the deployment, which no organization imports. */
const NOT_MOVED = ['realm_id_seq', 'outbox_id_seq'];

const READ_SEQUENCES = statement(
  `select sequencename as name, last_value as last from pg_sequences
   where schemaname = 'public' and last_value is not null and sequencename <> all($1)`,
  { name: z.string(), last: z.number() },
);

/** The last number of each sequence that assigns ids to organizations' rows. */
export async function readSequences(sql: Sql): Promise<Record<string, number>> {
  const rows = await sql.query(READ_SEQUENCES, [NOT_MOVED]);
  return Object.fromEntries(rows.map(({ name, last }) => [name, last]));
}

/** More numbers than are ever assigned between two statements. */
const FAR = 100_000;
const COUNT_MISSING = statement(
  `select $2::bigint - coalesce(last_value, 0) as missing from pg_sequences
   where schemaname = 'public' and sequencename = $1 and sequencename <> all($3)`,
  { missing: z.number() },
);
const SET = statement('select setval($1::regclass, $2) as last', { last: z.number() });
const DRAW = statement('select count(nextval($1::regclass)) as count from generate_series(1, $2::int)', {
  count: z.number(),
});

/** Advances the sequence past a number. */
// NOTE: it is never set back, because others use it concurrently.
export async function passNumber(sql: Sql, sequence: string, last: number): Promise<void> {
  const [row] = await sql.query(COUNT_MISSING, [sequence, last, NOT_MOVED]);
  if (!row || row.missing <= 0) return;
  if (row.missing > FAR) await sql.query(SET, [sequence, last]);
  else await sql.query(DRAW, [sequence, row.missing]);
}
