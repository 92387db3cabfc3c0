import { listChannels, sendMessage } from '@parley/gateway/endpoints';
import { createFakeClock, until } from '@parley/shared/testing';
import { type EventQueue, eg, TestNetwork } from '../../src';

const MINUTE_MS = 60_000;
const clock = createFakeClock();
let network: TestNetwork;

beforeAll(async () => {
  network = await TestNetwork.create({ clock, replicas: { messages: 2, realm: 2 } });
});
afterAll(() => network.stop());

/** Moves all data half a year into the past: advancing the clock would run all periodic tasks of that time. */
async function letHalfAYearPass(): Promise<void> {
  await network.database('realm').query("update channel set created_at = created_at - interval '180 days'");
  await network.database('messages').query("update message set sent_at = sent_at - interval '180 days'");
}

/** The channel's events in the next hour and a half. */
async function activityEventsOf(queue: EventQueue, name: string): Promise<unknown[]> {
  const values: unknown[] = [];
  const collect = async () => {
    await network.settle();
    const events = (await queue.rest()).filter((event) => event['property'] === 'is_recently_active');
    values.push(...events.filter((event) => event['name'] === name).map(({ value }) => value));
  };
  for (let minutes = 0; minutes < 90; minutes += 9) {
    clock.advance(9 * MINUTE_MS);
    await collect();
  }
  // The review of that hour may still run.
  await until(async () => {
    await collect();
    return values.length > 0;
  });
  return values;
}

async function isActive(name: string): Promise<boolean | undefined> {
  const { streams } = await network.eve.call(listChannels, {});
  return streams.find((channel) => channel.name === name)?.is_recently_active;
}

test('a channel without messages for half a year is not recently active, until the next message', async () => {
  const { dan, eve } = network;
  const write = () => dan.call(sendMessage, { type: 'channel', to: eg.general, topic: 'tea', content: 'Anybody?' });
  await write();
  await letHalfAYearPass();
  expect(await isActive(eg.general)).toBe(true);
  const queue = await eve.events({ event_types: ['stream'] });
  expect(await activityEventsOf(queue, eg.general)).toEqual([false]);
  expect(await isActive(eg.general)).toBe(false);

  await write();
  await network.settle();
  expect(await isActive(eg.general)).toBe(true);
  await write();
  expect(await activityEventsOf(queue, eg.general)).toEqual([true]);
});
