import { testServers } from '../testing';
import { openDatabase } from './database';

test('readings that wait for something leave half of the pool to others', async () => {
  const db = openDatabase({ url: testServers().databaseUrl, poolSize: 4, applicationName: 'test' });
  let answer = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const readings = Array.from({ length: 10 }, () => db.readAtOnce(() => answered));
  const others = Array.from({ length: 2 }, () => db.transaction((tx) => tx.query('select 1 as one')));
  expect(await Promise.all(others)).toEqual([[{ one: 1 }], [{ one: 1 }]]);
  expect(db.pool.totalCount).toBe(4);
  answer();
  expect(await Promise.all(readings)).toHaveLength(10);
  await db.close();
});
