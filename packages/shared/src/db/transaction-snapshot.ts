import { z } from 'zod';
import { onlyRow, type Sql, statement } from './sql';

const READ = statement('select pg_current_snapshot()::text as snapshot', { snapshot: z.string() });

/** The transactions that a read at this moment includes, for those who read nothing else. */
export async function readSnapshot(sql: Sql): Promise<{ snapshot: string }> {
  return onlyRow(await sql.query(READ));
}

/** Maximum number of running transactions in a snapshot: with more, its text would be too long to store. */
const MAX_IN_PROGRESS = 200;

const NONE: ReadonlySet<number> = new Set();

const TEXT = /^(\d+):(\d+):([\d,]*)$/;

/** The transactions that a read of a database includes: `pg_current_snapshot()`. */
export class TransactionSnapshot {
  private constructor(
    private readonly xmin: number,
    private readonly xmax: number,
    private readonly inProgress: ReadonlySet<number>,
  ) {}

  /** Undefined: not a snapshot, or with too many running transactions. Then callers assume that it includes nothing. */
  static parse(text: string): TransactionSnapshot | undefined {
    const [, xmin, xmax, list] = TEXT.exec(text) ?? [];
    const inProgress = list ? list.split(',').map(Number) : [];
    if (xmax === undefined || inProgress.length > MAX_IN_PROGRESS) return undefined;
    return new TransactionSnapshot(Number(xmin), Number(xmax), inProgress.length > 0 ? new Set(inProgress) : NONE);
  }

  /** Whether the snapshot includes a committed transaction. */
  contains(transactionId: number): boolean {
    if (transactionId >= this.xmax) return false;
    return transactionId < this.xmin || !this.inProgress.has(transactionId);
  }
}
