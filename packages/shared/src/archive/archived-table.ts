import type { RealmTable } from '../db';

/** A table, its exported rows and columns, and how to import them. */
export interface ArchivedTable {
  table: string;
  /** The column with the organization's id; absent: `realm_id`. */
  realmColumn?: 'id' | 'realm_id';
  /** The exported columns; absent: all except generated and excluded ones. */
  columns?: readonly string[];
  /** Columns that are meaningful in the database of origin only. */
  omits?: readonly string[];
  /** An SQL condition on the table, called `t`: $2 are the requested channels, $3 the users; see also wasReceived(). */
  only?: string;
  /** SQL: the order of rows, such that referring rows come after those that they refer to. */
  orderBy?: string;
  /** Number of rows per statement; fewer for large rows. */
  rowsAtOnce?: number;
  /** SQL for columns that are exported with another value. */
  replaces?: Readonly<Record<string, string>>;
  /** Rows that another organization already has are skipped. */
  skipsTaken?: boolean;
  /** An SQL condition on an imported `row` for organization $1: an archive is untrusted input. */
  demands?: string;
  /** The row exists, and is updated with the archived values. */
  isUpdated?: boolean;
}

/** A table with listed columns: a column added to the table later is not shared. */
export type SharedTable = ArchivedTable & { columns: readonly string[] };

/** A service's data about organizations. */
export interface ArchivePlan {
  /** In import order: each table after those that it references. */
  complete: readonly ArchivedTable[];
  /** Data for the organization itself: without secrets and private data. */
  shared: readonly SharedTable[];
  /** Data about one person ($3), for that person. */
  personal: readonly SharedTable[];
}

/**
 * The tables of an archive that can be imported: those in the service's purge, in reverse order, except excluded ones. Both lists
 * together contain every table, which the purge's test checks.
 */
export function archivedTables(
  purged: readonly RealmTable[],
  leftOut: readonly string[],
  details: readonly ArchivedTable[],
): ArchivedTable[] {
  const names = [...new Set(purged.map(({ table }) => table).reverse())].filter((table) => !leftOut.includes(table));
  const known = new Map(details.map((detail) => [detail.table, detail]));
  return names.map((table) => known.get(table) ?? { table });
}
