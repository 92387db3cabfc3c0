import { RelayNetwork } from '../../test/relay-network';
import { withAdvisoryLock } from '../db';
import { loadNext, loadProgress, preferIndexes, saveAndLoadNext } from './outbox.sql';

const RUNS = 12;

const network = new RelayNetwork();

beforeAll(() => network.open());
afterAll(async () => {
  await network.clear();
  await network.close();
});

test("a relay's connection plans each of its reads once, though the outbox has partitions", async () => {
  await network.announceAll(1, 2, 3);
  await withAdvisoryLock(network.database.url, 'plans', async (sql) => {
    await preferIndexes(sql);
    const progress = await loadProgress(sql);
    for (let run = 0; run < RUNS; run += 1) {
      expect(await loadNext(sql, progress)).toHaveLength(3);
      expect(await saveAndLoadNext(sql, progress)).toHaveLength(3);
    }
    const plans = `select generic_plans::int as generic, custom_plans::int as custom from pg_prepared_statements
       where statement like '%from outbox where%'`;
    expect(await sql.query(plans)).toEqual([
      { generic: RUNS, custom: 0 },
      { generic: RUNS, custom: 0 },
    ]);
  });
});
