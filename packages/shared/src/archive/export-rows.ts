import { type Database, listAppliedMigrations, type Transaction } from '../db';
import type { ExportedRows, ExportRequest } from '../proto';
import type { ArchivedTable, ArchivePlan } from './archived-table';
import {
  closeRows,
  type ExportParameters,
  fetchRows,
  listColumns,
  openRows,
  readSequences,
  seeOneMoment,
} from './rows.sql';

const ROWS_AT_ONCE = 500;
const MAX_BYTES = 1024 * 1024;

type Write = (part: ExportedRows) => Promise<void>;

/** Writes an organization's rows, all tables as of one moment; waits while many parts are unsent. */
export function exportRows(db: Database, plan: ArchivePlan, request: ExportRequest, write: Write): Promise<void> {
  const { realmId, isComplete, channelIds, userIds, received, personId } = request;
  const parameters: ExportParameters = [
    ...([realmId, channelIds, personId === undefined ? userIds : [personId]] as const),
    received.map(({ channelId }) => channelId),
    received.map(({ fromVersion }) => fromVersion),
    received.map(({ toVersion }) => toVersion ?? null),
  ];
  return db.transaction(async (tx) => {
    await seeOneMoment(tx);
    const sequences = isComplete ? await readSequences(tx) : {};
    await write({ migrations: await listAppliedMigrations(tx), sequences, table: '', lines: Buffer.alloc(0), rows: 0 });
    for (const table of tablesOf(plan, request)) {
      await exportTable(tx, table, parameters, write);
    }
  });
}

function tablesOf({ complete, shared, personal }: ArchivePlan, { isComplete, personId }: ExportRequest) {
  if (personId !== undefined) return personal;
  return isComplete ? complete : shared;
}

async function exportTable(tx: Transaction, table: ArchivedTable, parameters: ExportParameters, write: Write) {
  await openRows(tx, table, await exportedColumns(tx, table), parameters);
  for await (const lines of inParts(rowsOf(tx, table))) {
    const part = { table: table.table, lines: Buffer.from(lines.join('')), rows: lines.length };
    await write({ migrations: [], sequences: {}, ...part });
  }
  await closeRows(tx);
}

async function* rowsOf(tx: Transaction, { rowsAtOnce = ROWS_AT_ONCE }: ArchivedTable): AsyncGenerator<string[]> {
  for (;;) {
    const rows = await fetchRows(tx, rowsAtOnce);
    if (rows.length === 0) return;
    yield rows;
  }
}

async function exportedColumns(
  tx: Transaction,
  { table, columns, omits = [] }: ArchivedTable,
): Promise<readonly string[]> {
  if (columns) return columns;
  const all = await listColumns(tx, table);
  return all.filter((name) => name !== 'realm_id' && !omits.includes(name));
}

/** Also for small chunks of rows: the number of an archive's parts is limited. */
async function* inParts(fetched: AsyncIterable<string[]>): AsyncGenerator<string[]> {
  let part: string[] = [];
  let bytes = 0;
  for await (const rows of fetched) {
    for (const row of rows) {
      const line = `${row}\n`;
      const lineBytes = Buffer.byteLength(line);
      if (part.length > 0 && bytes + lineBytes > MAX_BYTES) {
        yield part;
        part = [];
        bytes = 0;
      }
      part.push(line);
      bytes += lineBytes;
    }
  }
  if (part.length > 0) yield part;
}
