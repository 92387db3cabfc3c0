/** Bound of transactions in progress in a snapshot: with more, its text would be too long to store. */
const MAX_IN_PROGRESS = 200;

const TEXT = /^(\d+):(\d+):([\d,]*)$/;

/** Which transactions a read of a database has seen: `pg_current_snapshot()`. */
export class TransactionSnapshot {
  private constructor(
    private readonly xmin: number,
    private readonly xmax: number,
    private readonly inProgress: ReadonlySet<number>,
  ) {}

  /** Undefined: not a snapshot, or with too many transactions in progress. Whoever has none assumes that nothing was seen. */
  static parse(text: string): TransactionSnapshot | undefined {
    const [, xmin, xmax, list] = TEXT.exec(text) ?? [];
    const inProgress = list ? list.split(',').map(Number) : [];
    if (xmax === undefined || inProgress.length > MAX_IN_PROGRESS) return undefined;
    return new TransactionSnapshot(Number(xmin), Number(xmax), new Set(inProgress));
  }

  /** Whether what a committed transaction has done was seen. */
  contains(transactionId: number): boolean {
    if (transactionId >= this.xmax) return false;
    return transactionId < this.xmin || !this.inProgress.has(transactionId);
  }
}
