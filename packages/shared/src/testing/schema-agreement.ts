import type { RealmTable, Sql } from '../db';

/** Tables in the migrations of every service that Prisma files need not describe. */
const UNMODELLED = new Set(['schema_migration', 'outbox', 'outbox_progress', 'handled_event']);

/**
 * The PostgreSQL types (information_schema.columns.data_type) that a Prisma type may have. A bigint column is an Int: Prisma then
 * reads numbers, up to 2^53, and throws beyond.
 */
const DATA_TYPES: Record<string, readonly string[]> = {
  Boolean: ['boolean'],
  Bytes: ['bytea'],
  DateTime: ['timestamp with time zone', 'date'],
  Decimal: ['numeric'],
  Float: ['double precision', 'real'],
  Int: ['bigint', 'integer', 'smallint'],
  Json: ['json', 'jsonb'],
  String: ['text', 'character varying', 'uuid'],
  Unsupported: ['int8multirange', 'tsvector'],
};

interface Column {
  /** A Prisma type, or PostgreSQL's data type. */
  type: string;
  isNullable: boolean;
}

type Schema = Map<string, Map<string, Column>>;

/**
 * Compares the Prisma files with the migrated tables: tables, columns, nullability and the family of types, in both
 * directions. Called by the schema test of each service with a database; returns one line per difference, none if they
 * agree.
 */
export async function schemaAgreement(prismaFileTexts: readonly string[], sql: Sql): Promise<string[]> {
  const modelled = readModels(prismaFileTexts);
  const migrated = await readTables(sql);
  const tables = new Set([...modelled.keys(), ...migrated.keys()]);
  return [...tables].sort().flatMap((table) => compareTables(table, modelled.get(table), migrated.get(table)));
}

function readModels(texts: readonly string[]): Schema {
  const models = texts.flatMap((text) => [...text.matchAll(/^model\s+(\w+)\s*\{(.*?)^\}/gms)]);
  const modelNames = new Set(models.map(([, name]) => name as string));
  return new Map(
    models.map(([, name, body]) => {
      const table = /@@map\("(\w+)"\)/.exec(body as string)?.[1] ?? (name as string);
      return [table, readFields(body as string, modelNames)];
    }),
  );
}

/** Fields whose type is a model are relations: they have no column. */
function readFields(body: string, modelNames: ReadonlySet<string>): Map<string, Column> {
  const fields = [...body.matchAll(/^\s*(\w+)\s+(\w+)(\[\])?(\?)?(.*)$/gm)];
  return new Map(
    fields
      .filter(([, , type]) => !modelNames.has(type as string))
      .map(([, name, type, list, optional, attributes]) => [
        /[^@]@map\("(\w+)"\)/.exec(attributes as string)?.[1] ?? (name as string),
        { type: list ? `${type}[]` : (type as string), isNullable: optional !== undefined },
      ]),
  );
}

/** SQL: the table of a row of information_schema is not a partition. */
const IS_NO_PARTITION = `not (select relispartition from pg_class where oid = quote_ident(c.table_name)::regclass)`;

async function readTables(sql: Sql): Promise<Schema> {
  const rows = await sql.query<{ table: string; column: string; type: string; isNullable: boolean }>(
    `select c.table_name as "table", c.column_name as "column", c.data_type as type, c.is_nullable = 'YES' as "isNullable"
     from information_schema.columns c
     join information_schema.tables t on t.table_schema = c.table_schema and t.table_name = c.table_name
     where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and ${IS_NO_PARTITION}`,
  );
  const schema: Schema = new Map();
  for (const { table, column, ...facts } of rows) {
    const columns = schema.get(table) ?? new Map<string, Column>();
    schema.set(table, columns.set(column, facts));
  }
  return schema;
}

function compareTables(table: string, modelled?: Map<string, Column>, migrated?: Map<string, Column>): string[] {
  if (!migrated) return [`${table}: no migration makes it`];
  if (!modelled) return UNMODELLED.has(table) ? [] : [`${table}: no Prisma file describes it`];
  const columns = new Set([...modelled.keys(), ...migrated.keys()]);
  return [...columns].sort().flatMap((column) => {
    const difference = compareColumns(modelled.get(column), migrated.get(column));
    return difference === null ? [] : [`${table}.${column}: ${difference}`];
  });
}

function compareColumns(modelled?: Column, migrated?: Column): string | null {
  if (!migrated) return 'no migration makes it';
  if (!modelled) return 'no Prisma file describes it';
  if (!isOneType(modelled.type, migrated.type))
    return `is ${modelled.type} in Prisma, ${migrated.type} in the database`;
  if (modelled.isNullable === migrated.isNullable) return null;
  return migrated.isNullable
    ? 'may be null in the database, not in Prisma'
    : 'may be null in Prisma, not in the database';
}

function isOneType(prismaType: string, dataType: string): boolean {
  if (prismaType.endsWith('[]')) return dataType === 'ARRAY';
  return DATA_TYPES[prismaType]?.includes(dataType) ?? false;
}

/** Its rows are short-lived. */
const PASSING = ['outbox'];

/**
 * Names of tables with rows of organizations that are missing in the service's purge, and of listed ones that do not exist.
 * Called by the test of each service's purge: a new table must be added there.
 */
export async function unpurgedTables(sql: Sql, purged: readonly RealmTable[]): Promise<string[]> {
  const rows = await sql.query<{ table: string }>(
    `select c.table_name as "table" from information_schema.columns c
     where c.table_schema = 'public' and c.column_name = 'realm_id' and ${IS_NO_PARTITION}`,
  );
  const existing = rows.map(({ table }) => table).filter((table) => !PASSING.includes(table));
  const named = purged.map(({ table }) => table);
  return [
    ...existing.filter((table) => !named.includes(table)),
    ...named.filter((table) => !existing.includes(table)),
  ].sort();
}
