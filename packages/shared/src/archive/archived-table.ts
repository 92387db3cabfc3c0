import type { RealmTable } from '../db';

/** A table, what of it goes into an archive, and how that is put back. */
export interface ArchivedTable {
  table: string;
  /** Of the organization; unless it is said, `realm_id`. */
  realmColumn?: 'id' | 'realm_id';
  /** The exported columns; absent: all except generated and excluded ones. */
  columns?: readonly string[];
  /** Columns that mean something only where they were written. */
  omits?: readonly string[];
  /** An SQL condition on the table, called `t`: $2 are the channels that were asked for, $3 the users; see wasReceived(), too. */
  only?: string;
  /** SQL: rows that refer to others of the table come after them. */
  orderBy?: string;
  /** Fewer, where rows are large. */
  rowsAtOnce?: number;
  /** SQL for columns that are exported with another value. */
  replaces?: Readonly<Record<string, string>>;
  /** Rows that another organization has already are left out. */
  skipsTaken?: boolean;
  /** An SQL condition on a `row` that is imported into organization $1: an archive is untrusted input. */
  demands?: string;
  /** The row exists, and is updated with the archived values. */
  isUpdated?: boolean;
}

/** One whose columns are named one by one: nothing is shared by being added to a table. */
export type SharedTable = ArchivedTable & { columns: readonly string[] };

/** The data that a service has about organizations. */
export interface ArchivePlan {
  /** In import order: each table after those that it references. */
  complete: readonly ArchivedTable[];
  /** Data fit for the organization itself: no secrets and nothing private. */
  shared: readonly SharedTable[];
  /** The data about one person ($3), for that person. */
  personal: readonly SharedTable[];
}

/**
 * The tables of an archive that can be put back: those that the service's purge lists, the other way round, but for those that are left
 * out. Both lists together name every table, as the purge's test knows when one was forgotten.
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
