import { type Database, listAppliedMigrations, type Transaction } from '../db';
import { BadRequestError } from '../errors';
import type { ImportedRows } from '../proto';
import type { ArchivedTable, ArchivePlan } from './archived-table';
import { hasRows, insertRows, listColumns, passNumber, updateRow, waitForRows } from './rows.sql';

/** Ids are shared by all organizations: a higher imported id would use up those that JavaScript numbers can represent. */
const MAX_ID = 2 ** 48;

/** The columns of a table, known from its first rows on. */
interface Target {
  table: ArchivedTable;
  columns: readonly string[];
  rows: number;
}

/**
 * Imports the rows of an organization that has none here yet: all, if the last part declares itself the
 * last, or none. Returns their numbers, by table.
 */
export function importRows(
  db: Database,
  { complete }: ArchivePlan,
  parts: AsyncIterable<ImportedRows>,
): Promise<Record<string, number>> {
  return db.transaction(async (tx) => {
    await waitForRows(tx);
    const targets = new Map<string, Target>();
    let first: ImportedRows | null = null;
    for await (const part of parts) {
      if (first === null) {
        first = part;
        await begin(tx, complete, part);
        continue;
      }
      if (part.isEnd) return await end(tx, first, targets);
      await put(tx, await targetOf(tx, complete, targets, part.table), first.realmId, part.lines as Buffer);
    }
    throw new BadRequestError('The end of the archive is missing');
  });
}

/** Moves sequences past the imported ids. */
async function end(tx: Transaction, { sequences }: ImportedRows, targets: ReadonlyMap<string, Target>) {
  for (const [name, last] of Object.entries(sequences)) await passNumber(tx, name, last);
  return Object.fromEntries([...targets].map(([name, { rows }]) => [name, rows]));
}

async function begin(tx: Transaction, tables: readonly ArchivedTable[], part: ImportedRows): Promise<void> {
  const { realmId, migrations, sequences } = part;
  checkSchema(await listAppliedMigrations(tx), migrations);
  for (const [name, last] of Object.entries(sequences)) {
    if (!Number.isSafeInteger(last) || last > MAX_ID) throw new BadRequestError(`No id that can be: ${name} ${last}`);
  }
  for (const table of tables) {
    if (table.isUpdated || !(await hasRows(tx, table, realmId))) continue;
    throw new BadRequestError(`There is something of the organization in ${table.table} already`);
  }
}

/** Rows can be imported only into tables with the same migrations, which may have changed rows. */
function checkSchema(own: readonly string[], theirs: readonly string[]): void {
  const newer = theirs.filter((name) => !own.includes(name));
  const older = own.filter((name) => !theirs.includes(name));
  if (newer.length > 0) throw new BadRequestError(`The archive is of a newer version: ${newer[0]} is missing here`);
  if (older.length > 0) {
    throw new BadRequestError(`The archive is of an older version, before ${older[0]}: import it there, and upgrade`);
  }
}

async function targetOf(
  tx: Transaction,
  tables: readonly ArchivedTable[],
  targets: Map<string, Target>,
  name: string,
): Promise<Target> {
  const known = targets.get(name);
  if (known) return known;
  const table = tables.find((each) => each.table === name);
  if (!table) throw new BadRequestError(`No table of this service: ${name}`);
  const columns = (await listColumns(tx, name)).filter((column) => !table.omits?.includes(column));
  const target = { table, columns, rows: 0 };
  targets.set(name, target);
  return target;
}

async function put(tx: Transaction, target: Target, realmId: number, lines: Buffer): Promise<void> {
  const { table, columns } = target;
  const json = `[${lines.toString().trimEnd().replaceAll('\n', ',')}]`;
  const rows = await (table.isUpdated ? updateRow : insertRows)(tx, table, columns, realmId, json);
  if (rows === null) throw new BadRequestError(`A row of ${table.table} is not as Parley writes it`);
  target.rows += rows;
}
