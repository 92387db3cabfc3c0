import { RelayNetwork } from '../../test/relay-network';
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
  const plans = await network.database.transaction(async (tx) => {
    await preferIndexes(tx);
    const progress = await loadProgress(tx);
    for (let run = 0; run < RUNS; run += 1) {
      expect(await loadNext(tx, progress)).toHaveLength(3);
      expect(await saveAndLoadNext(tx, progress)).toHaveLength(3);
    }
    return tx.query<{ generic: number; custom: number }>(
      `select generic_plans::int as generic, custom_plans::int as custom from pg_prepared_statements
       where statement like '%from outbox where%'`,
    );
  });
  expect(plans).toEqual([
    { generic: RUNS, custom: 0 },
    { generic: RUNS, custom: 0 },
  ]);
});
