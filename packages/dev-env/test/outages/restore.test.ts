import { getEvents, getMessages, sendMessage } from '@parley/gateway/endpoints';
import { connectBus } from '@parley/shared/bus';
import { silentLogger } from '@parley/shared/service';
import { testServers } from '@parley/shared/testing';
import pg from 'pg';
import { type TestClient, TestNetwork } from '../../src';
import { all } from '../../src/all';
import { SCHEMAS } from '../../src/network/replica';

let network: TestNetwork;
let server: pg.Client;
let names: string[];
const copyOf = (name: string) => `${name}_copy`;

beforeAll(async () => {
  network = await TestNetwork.create();
  server = new pg.Client({ connectionString: testServers().databaseUrl });
  await server.connect();
  const found = SCHEMAS.map(({ service }) =>
    network.database(service).query<{ name: string }>('select current_database() as name'),
  );
  names = (await Promise.all(found)).map(([row]) => row?.name as string);
});

afterAll(async () => {
  await network?.stop();
  for (const name of names ?? []) await server.query(`drop database if exists ${copyOf(name)}`);
  await server?.end();
});

const replicas = () => Object.values(network.replicas).flat();

/** While nothing runs; the services are there again when it resolves. */
async function atRest(work: () => Promise<void>): Promise<void> {
  for (const replica of replicas().reverse()) await replica.stop();
  await work();
  await all(replicas().map((replica) => replica.start()));
}

/** All databases at one instant, as a backup of the whole server has them. */
async function copyDatabases(from: (name: string) => string, to: (name: string) => string): Promise<void> {
  for (const name of names) {
    await server.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [from(name)]);
    await server.query(`drop database if exists ${to(name)} with (force)`);
    await server.query(`create database ${to(name)} template ${from(name)}`);
  }
}

async function throwLogAway(): Promise<void> {
  const prefix = (names[0] as string).slice(0, -'_realm'.length);
  const bus = await connectBus({ url: testServers().natsUrl, prefix, name: 'test', log: silentLogger });
  for await (const { config } of bus.jsm.streams.list()) {
    if (config.name.includes(prefix)) await bus.jsm.streams.delete(config.name);
  }
  await bus.close();
}

const say = (person: TestClient, content: string) =>
  person.call(sendMessage, { type: 'channel', to: 'general', topic: 'restore', content });

async function contentsOf(person: TestClient): Promise<string[]> {
  const narrow = [{ operator: 'topic', operand: 'restore' }];
  const page = await person.call(getMessages, {
    anchor: 'newest',
    num_before: 10,
    num_after: 0,
    narrow,
    apply_markdown: false,
  } as never);
  return (page.messages as unknown as { content: string }[]).map(({ content }) => content);
}

test('a backup restored without the log has all its data, continues, and makes clients register again', async () => {
  const { dan, eve } = network;
  const queue = await eve.events({ event_types: ['message'] });
  await say(dan, 'before the backup');
  await network.settle();
  await atRest(() => copyDatabases((name) => name, copyOf));
  await say(dan, 'after the backup');
  expect(await queue.take('message', 2)).toHaveLength(2);
  await network.settle();

  await atRest(async () => {
    await copyDatabases(copyOf, (name) => name);
    await throwLogAway();
  });
  const { queueId } = queue;
  await eve.expectError('BAD_EVENT_QUEUE_ID', getEvents, { queue_id: queueId, last_event_id: -1, dont_block: true });
  expect(await contentsOf(eve)).toEqual(['before the backup']);

  const another = await eve.events({ event_types: ['message'] });
  await say(dan, 'after the restore');
  expect(await another.next('message')).toMatchObject({ message: { content: 'after the restore' } });
  await network.settle();
  expect(await another.rest()).toEqual([]);
  expect(await contentsOf(eve)).toEqual(['before the backup', 'after the restore']);
});
