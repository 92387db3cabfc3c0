import { change, RelayNetwork, versionsInLog } from '../../test/relay-network';
import { until } from '../testing';
import { countForRefill, loadForRefill } from './outbox.sql';
import { dropExpiredPartitions, ensureRoom } from './outbox-partitions.sql';

/** Number of ids in the first partition of a new database, and the minimum for the next ones. */
const ROOM = 2 ** 21;
const SIZE = 2 ** 20;

const network = new RelayNetwork();

beforeEach(() => network.open());
afterEach(async () => {
  await network.clear();
  await network.close();
});

async function drawId(id: number): Promise<void> {
  await network.database.query(`select setval('outbox_id_seq', $1, false)`, [id]);
}

/** The partitions, each with the first id after it. */
async function partitions(): Promise<(string | number)[][]> {
  const rows = await network.database.query<{ name: string; endId: number }>(
    `select name::text as name, end_id as "endId" from outbox_partitions()`,
  );
  return rows.map(({ name, endId }) => [name, endId]);
}

/** The ids in each partition. */
async function places(): Promise<Record<string, number[]>> {
  const rows = await network.database.query<{ partition: string; ids: number[] }>(
    'select tableoid::regclass::text as partition, array_agg(id order by id) as ids from outbox group by 1 order by 1',
  );
  return Object.fromEntries(rows.map(({ partition, ids }) => [partition, ids]));
}

async function publishedUpTo(id: number, gaps: number[] = []): Promise<void> {
  await network.database.query('update outbox_progress set published_up_to = $1, gaps = $2', [id, gaps]);
}

const age = (interval: string) =>
  network.database.query('update outbox set created_at = now() - $1::interval', [interval]);

describe('the partitions of the outbox', () => {
  test('are created while there is room for a million events, and take the next ids', async () => {
    const first = ['outbox_first', ROOM + 1];
    await drawId(SIZE);
    await ensureRoom(network.database);
    expect(await partitions()).toEqual([first]);
    await drawId(SIZE + 2);
    await ensureRoom(network.database);
    await ensureRoom(network.database);
    expect(await partitions()).toEqual([first, [`outbox_${ROOM + 1}`, ROOM + 1 + SIZE]]);
    await drawId(ROOM);
    await network.announceAll(1, 2);
    expect(await places()).toEqual({ outbox_first: [ROOM], [`outbox_${ROOM + 1}`]: [ROOM + 1] });
  });

  test("have room for a day's events", async () => {
    await network.announceAll(1);
    await age('2 days');
    await drawId(1 + 10 * SIZE);
    await ensureRoom(network.database);
    expect(await partitions()).toEqual([
      ['outbox_first', ROOM + 1],
      [`outbox_${ROOM + 1}`, 1 + 15 * SIZE],
    ]);
  });

  test('begin after rows that were inserted without a partition for their ids', async () => {
    await drawId(ROOM + 5);
    await network.announceAll(1, 2);
    expect(await places()).toEqual({ outbox_rest: [ROOM + 5, ROOM + 6] });
    await ensureRoom(network.database);
    const next = ROOM + 6 + SIZE;
    expect(await partitions()).toEqual([
      ['outbox_first', ROOM + 1],
      [`outbox_${next}`, next + SIZE],
    ]);
    await drawId(next - 1);
    await network.announceAll(3, 4);
    expect(await places()).toEqual({ outbox_rest: [ROOM + 5, ROOM + 6, next - 1], [`outbox_${next}`]: [next] });
    // Later ones follow without a gap.
    await drawId(next + 10);
    await ensureRoom(network.database);
    expect((await partitions()).at(-1)?.[0]).toBe(`outbox_${next + SIZE}`);
    await drawId(next + SIZE);
    await network.announceAll(5);
    expect((await places())[`outbox_${next + SIZE}`]).toEqual([next + SIZE]);
  });

  test('are dropped when all of their events are published, and older than the retention of the log', async () => {
    await network.announceAll(1, 2, 3);
    await drawId(ROOM + 1);
    await ensureRoom(network.database);
    const dropped = async () => {
      await dropExpiredPartitions(network.database);
      return (await partitions()).length < 2;
    };
    await publishedUpTo(ROOM);
    expect(await dropped()).toBe(false);
    await age('6 days 23 hours');
    expect(await dropped()).toBe(false);
    await age('7 days 1 minute');
    await publishedUpTo(ROOM - 1);
    expect(await dropped()).toBe(false);
    await publishedUpTo(ROOM, [2]);
    expect(await dropped()).toBe(false);
    await publishedUpTo(ROOM, [ROOM + 1]);
    expect(await dropped()).toBe(true);
    await publishedUpTo(3 * ROOM);
    await dropExpiredPartitions(network.database);
    expect(await partitions()).toEqual([[`outbox_${ROOM + 1}`, 2 * ROOM + 1]]);
    expect(await network.database.query('select from outbox')).toEqual([]);
  });

  test('may contain events older than the retention of the log, which are not refilled', async () => {
    await network.announceAll(1, 2, 3);
    await publishedUpTo(3);
    await network.database.query(`update outbox set created_at = now() - interval '7 days 1 minute' where id < 3`);
    const kinds = [change(1).kind];
    expect(await countForRefill(network.database, kinds)).toBe(1);
    const rows = await loadForRefill(network.database, { from: 0, upTo: 3, kinds });
    expect(rows.map(({ id }) => id)).toEqual([3]);
  });

  test('are created and dropped without waiting for open transactions or blocking others', async () => {
    await network.announceAll(1);
    await age('8 days');
    await drawId(ROOM);
    await publishedUpTo(ROOM);
    await network.database.transaction(async (tx) => {
      await tx.query(`insert into outbox (realm_id, kind, payload) values (1, 'thing', '{}')`);
      await ensureRoom(network.database);
      expect(await partitions()).toHaveLength(2);
      await drawId(ROOM + 1);
      await network.announceAll(2);
      await dropExpiredPartitions(network.database);
    });
    expect(await partitions()).toHaveLength(2);
  });

  test('are created by the relay, and published in order', async () => {
    const { bus, relay } = await network.newRelay();
    await drawId(ROOM - 1);
    await publishedUpTo(ROOM - 2);
    relay.start();
    await until(async () => (await partitions()).length >= 2);
    await network.announceAll(1, 2, 3, 4);
    await relay.drain();
    expect(await versionsInLog(bus)).toEqual([1, 2, 3, 4]);
    expect(await places()).toEqual({
      outbox_first: [ROOM - 1, ROOM],
      [`outbox_${ROOM + 1}`]: [ROOM + 1, ROOM + 2],
    });
  });
});
