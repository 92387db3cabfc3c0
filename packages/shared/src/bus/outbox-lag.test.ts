import { RelayNetwork } from '../../test/relay-network';
import type { AnyStatement, Sql } from '../db';
import { countUnpublished, deleteExpired, loadBeginning, readOutboxLag, requestRefill } from './outbox.sql';

const ROWS = 100_000;
const PUBLISHED = 99_990;

const network = new RelayNetwork();

beforeAll(() => network.open());
afterEach(() => network.clear());
afterAll(() => network.close());

/** An outbox during publication: all rows are an hour old; the last ones and the named ones are unpublished. */
async function fillOutbox(progress: { publishedUpTo: number; gaps?: number[]; pending?: number[][] }): Promise<void> {
  await network.database.query(
    `insert into outbox (realm_id, kind, payload, created_at)
     select 1, 'thing', '{}', now() - interval '1 hour' from generate_series(1, ${ROWS})`,
  );
  const { publishedUpTo, gaps = [], pending = [] } = progress;
  await network.database.query('update outbox_progress set published_up_to = $1, gaps = $2, pending = $3', [
    publishedUpTo,
    gaps,
    JSON.stringify(pending),
  ]);
}

async function age(ids: number[], seconds: number): Promise<void> {
  await network.database.query(
    `update outbox set created_at = clock_timestamp() - make_interval(secs => $2) where id = any($1)`,
    [ids, seconds],
  );
}

async function planOf(read: (sql: Sql) => Promise<unknown>): Promise<string> {
  let plan = '';
  await read({
    async query<Row>(statement: AnyStatement<Row>, values: readonly unknown[] = []) {
      const text = typeof statement === 'string' ? statement : statement.text;
      const lines = await network.database.query<{ 'QUERY PLAN': string }>(`explain (costs off) ${text}`, values);
      plan = lines.map((line) => line['QUERY PLAN']).join('\n');
      return [] as Row[];
    },
  });
  return plan;
}

describe('how far the log is behind the outbox', () => {
  test('counts the rows after the last published one, the gaps that have appeared and the records in publication', async () => {
    await fillOutbox({ publishedUpTo: PUBLISHED, gaps: [5, 200_000], pending: [[7, 8], [9]] });
    await age([8], 7_200);
    const { waitingEvents, oldestWaitingMs, rowsToRefill } = await readOutboxLag(network.database);
    expect({ waitingEvents, rowsToRefill }).toEqual({ waitingEvents: ROWS - PUBLISHED + 4, rowsToRefill: 0 });
    expect(Math.round(oldestWaitingMs / 60_000)).toBe(120);
    expect(await countUnpublished(network.database)).toBe(ROWS - PUBLISHED + 4);
  });

  test('is the age of the record in publication, regardless of older rows', async () => {
    await fillOutbox({ publishedUpTo: ROWS, pending: [[ROWS]] });
    await age([ROWS], 1);
    const { waitingEvents, oldestWaitingMs } = await readOutboxLag(network.database);
    expect(waitingEvents).toBe(1);
    expect(oldestWaitingMs).toBeLessThan(60_000);
  });

  test('is estimated from the ids when the outbox is large, without reading every row', async () => {
    await fillOutbox({ publishedUpTo: 10, pending: [[9, 10]] });
    expect((await readOutboxLag(network.database)).waitingEvents).toBe(ROWS - 10 + 2);
    expect(await countUnpublished(network.database)).toBe(ROWS - 10 + 2);
  });

  test.each([
    ['before the statistics are gathered', false],
    ['afterwards', true],
  ])('is found by the index, %s', async (_when, isAnalyzed) => {
    await fillOutbox({ publishedUpTo: PUBLISHED, gaps: [5], pending: [[7, 8]] });
    if (isAnalyzed) await network.database.query('analyze outbox');
    const reads = [readOutboxLag, countUnpublished, loadBeginning, requestRefill, (sql: Sql) => deleteExpired(sql, 1)];
    for (const read of reads) {
      const plan = await planOf(read);
      expect(plan).toContain('outbox_first_pkey');
      expect(plan).not.toMatch(/Seq Scan on outbox_first/);
    }
  });
});
