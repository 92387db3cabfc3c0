import pg from './driver';
import { getTypeParser } from './type-parsers';

/** The parts of pg's queries and connections that its types leave out. */
interface PgQuery extends pg.Query {
  name: string | undefined;
  callback: (error: Error | undefined, rows: unknown[]) => void;
  hasBeenParsed(connection: pg.Connection): boolean;
  prepare(connection: pg.Connection): void;
  handleError(error: Error, connection: pg.Connection): void;
}
/** Of a client or pool: the pool hands the query on to a client. */
interface Runs {
  query(query: PgQuery, done: (error: Error | undefined, rows: unknown[]) => void): void;
}
const PgQuery = pg.Query as unknown as new (text: string, values: readonly unknown[]) => PgQuery;

/** A row as PostgreSQL sends it. */
type SentRow = readonly (string | null)[];
type ReadRow = (sent: SentRow) => unknown;

export interface PreparedText {
  /** Absent: it is not prepared. */
  name?: string | undefined;
  text: string;
}

/** Runs a text on a pg client or pool; of several statements in one text, which has no values then, the last one's rows count. */
export function queryRows(
  client: pg.ClientBase | pg.Pool,
  prepared: PreparedText,
  values: readonly unknown[],
): Promise<unknown[]> {
  return new Promise((resolve, reject) => {
    (client as unknown as Runs).query(new RowQuery(prepared, values), (error, rows) => {
      if (error) reject(error);
      else resolve(rows);
    });
  });
}

/**
 * A query of pg with less work for each run and row: the columns of a prepared statement are asked for at its first run on a connection only,
 * and rows are made by a function for their columns, where pg copies an object and sets each column by its name.
 */
class RowQuery extends PgQuery {
  #read: ReadRow | undefined;
  #rows: unknown[] = [];
  /** Of the statement before, or of the only one. */
  #done: unknown[] = [];
  #failure: Error | undefined;
  #readers: Map<string, ReadRow> | undefined;

  constructor({ name, text }: PreparedText, values: readonly unknown[]) {
    super(text, values);
    this.name = name;
  }

  override prepare(connection: pg.Connection): void {
    this.#readers = readersOf(connection);
    this.#read = this.hasBeenParsed(connection) ? this.#readers.get(this.name as string) : undefined;
    super.prepare(this.#read ? undescribed(connection) : connection);
  }

  handleRowDescription({ fields }: { fields: readonly pg.FieldDef[] }): void {
    this.#read = readerOf(fields);
    if (this.name !== undefined) this.#readers?.set(this.name, this.#read);
  }

  handleDataRow({ fields }: { fields: SentRow }): void {
    try {
      this.#rows.push((this.#read as ReadRow)(fields));
    } catch (error) {
      this.#failure = error as Error;
    }
  }

  handleCommandComplete(): void {
    this.#done = this.#rows;
    this.#rows = [];
  }

  handleReadyForQuery(connection: pg.Connection): void {
    if (this.#failure) this.handleError(this.#failure, connection);
    else this.callback(undefined, this.#done);
  }
}

/** How to read the rows of each prepared statement, by connection: another may have prepared it after a migration. */
const readers = new WeakMap<pg.Connection, Map<string, ReadRow>>();

function readersOf(connection: pg.Connection): Map<string, ReadRow> {
  const found = readers.get(connection) ?? new Map<string, ReadRow>();
  readers.set(connection, found);
  return found;
}

const undescribing = new WeakMap<pg.Connection, pg.Connection>();

/** The same connection, which does not ask for the columns. */
function undescribed(connection: pg.Connection): pg.Connection {
  const found = undescribing.get(connection) ?? Object.create(connection, { describe: { value: () => {} } });
  undescribing.set(connection, found);
  return found;
}

const TEXT = 25;
const asItIs = getTypeParser(TEXT);
const made = new Map<string, ReadRow>();

function readerOf(fields: readonly pg.FieldDef[]): ReadRow {
  const key = fields.map(({ name, dataTypeID }) => `${dataTypeID} ${name}`).join('\n');
  const found = made.get(key) ?? makeReader(fields);
  made.set(key, found);
  return found;
}

/** NOTE: made of text, so that V8 knows the members of its rows: a loop over the columns takes several times as long. */
function makeReader(fields: readonly pg.FieldDef[]): ReadRow {
  const parsers = fields.map(({ dataTypeID }) => getTypeParser(dataTypeID));
  const members = fields.map(({ name }, at) => {
    const value = parsers[at] === asItIs ? `row[${at}]` : `row[${at}] === null ? null : parse${at}(row[${at}])`;
    return `${JSON.stringify(name)}: ${value}`;
  });
  const names = parsers.map((_, at) => `parse${at}`);
  return new Function(...names, `return (row) => ({ ${members.join(', ')} });`)(...parsers) as ReadRow;
}
