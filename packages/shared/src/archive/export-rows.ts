import type { Database, Transaction } from '../db';
import type { ExportedRows, ExportRequest } from '../proto';
import type { ArchivedTable, ArchivePlan } from './archived-table';
import {
  closeRows,
  type ExportParameters,
  fetchRows,
  listColumns,
  listMigrations,
  openRows,
  readSequences,
  seeOneMoment,
} from './rows.sql';

const ROWS_AT_ONCE = 500;
const MAX_BYTES = 1024 * 1024;

type Write = (part: ExportedRows) => Promise<void>;

/** Writes an organization's rows, of all tables as of one moment; waits while many parts are on their way. */
export function exportRows(db: Database, plan: ArchivePlan, request: ExportRequest, write: Write): Promise<void> {
  const { realmId, isComplete, channelIds, userIds, received } = request;
  const parameters: ExportParameters = [
    ...([realmId, channelIds, userIds] as const),
    received.map(({ channelId }) => channelId),
    received.map(({ fromVersion }) => fromVersion),
    received.map(({ toVersion }) => toVersion ?? null),
  ];
  return db.transaction(async (tx) => {
    await seeOneMoment(tx);
    const sequences = isComplete ? await readSequences(tx) : {};
    await write({ migrations: await listMigrations(tx), sequences, table: '', lines: Buffer.alloc(0), rows: 0 });
    for (const table of isComplete ? plan.complete : plan.shared) {
      await exportTable(tx, table, parameters, write);
    }
  });
}

async function exportTable(tx: Transaction, table: ArchivedTable, parameters: ExportParameters, write: Write) {
  await openRows(tx, table, await toldColumns(tx, table), parameters);
  for (;;) {
    const rows = await fetchRows(tx, table.rowsAtOnce ?? ROWS_AT_ONCE);
    for (const lines of inParts(rows)) {
      const part = { table: table.table, lines: Buffer.from(lines.join('')), rows: lines.length };
      await write({ migrations: [], sequences: {}, ...part });
    }
    if (rows.length === 0) return closeRows(tx);
  }
}

async function toldColumns(tx: Transaction, { table, columns, omits = [] }: ArchivedTable): Promise<readonly string[]> {
  if (columns) return columns;
  const all = await listColumns(tx, table);
  return all.filter((name) => name !== 'realm_id' && !omits.includes(name));
}

function inParts(rows: readonly string[]): string[][] {
  const parts: string[][] = [];
  let bytes = MAX_BYTES;
  for (const row of rows) {
    const line = `${row}\n`;
    const lineBytes = Buffer.byteLength(line);
    if (bytes + lineBytes > MAX_BYTES) {
      parts.push([]);
      bytes = 0;
    }
    parts.at(-1)?.push(line);
    bytes += lineBytes;
  }
  return parts;
}
