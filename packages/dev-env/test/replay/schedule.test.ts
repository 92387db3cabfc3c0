import {
  createReminder,
  createScheduledMessage,
  deleteReminder,
  deleteScheduledMessage,
  sendMessage,
  updateScheduledMessage,
} from '@parley/gateway/endpoints';
import { createFakeClock } from '@parley/shared/testing';
import { TestNetwork } from '../../src';
import { expectFreshEqualsReplayed, type Followers, followEveryone } from './harness';

const clock = createFakeClock();
let network: TestNetwork;
let followers: Followers;

beforeAll(async () => {
  network = await TestNetwork.create({ clock });
  // A gateway that was up before the events pods tries to reach them again by this clock.
  clock.advance(5_000);
  followers = await followEveryone(network);
});
afterAll(() => network.stop());

const expectReplayed = (produced: readonly string[], action: () => Promise<unknown>) =>
  expectFreshEqualsReplayed(network, followers, produced, action);
const inSeconds = (seconds: number) => Math.floor(clock.now() / 1_000) + seconds;

/** Resolves once nothing that is due waits. */
async function pass(seconds: number): Promise<void> {
  clock.advance(seconds * 1_000);
  // A running job is due again soon, in case its worker dies.
  const unfinished = `select from due_job where due_at <= to_timestamp($1 / 1000.0) + interval '1 minute'`;
  while ((await network.database('scheduler').query(unfinished, [clock.now()])).length > 0);
}

test('scheduled messages are added, changed, deleted, and sent', async () => {
  const { dan, eve } = network;
  const ids: number[] = [];
  const schedule = async (seconds: number, content: string) => {
    const message = { type: 'direct' as const, to: [eve.userId], content };
    const made = await dan.call(createScheduledMessage, {
      ...message,
      scheduled_delivery_timestamp: inSeconds(seconds),
    });
    ids.push(made.scheduled_message_id);
  };
  await expectReplayed(['scheduled_messages/add'], async () => {
    for (const [seconds, content] of [
      [60, 'later'],
      [30, 'sooner'],
      [90, 'never'],
    ] as const)
      await schedule(seconds, content);
  });
  const [later, , never] = ids as [number, number, number];
  await expectReplayed(['scheduled_messages/update'], () =>
    dan.call(updateScheduledMessage, { scheduled_message_id: later, scheduled_delivery_timestamp: inSeconds(20) }),
  );
  await expectReplayed(['scheduled_messages/remove'], () =>
    dan.call(deleteScheduledMessage, { scheduled_message_id: never }),
  );
  await expectReplayed(['scheduled_messages/remove', 'message'], () => pass(30));
});

test('reminders are added, deleted, and sent', async () => {
  const { dan, eve } = network;
  const { id: message_id } = await eve.call(sendMessage, { type: 'direct', to: [dan.userId], content: 'Soup?' });
  const ids: number[] = [];
  await expectReplayed(['reminders/add'], async () => {
    for (const seconds of [60, 30]) {
      const reminder = { message_id, scheduled_delivery_timestamp: inSeconds(seconds) };
      ids.push((await dan.call(createReminder, reminder)).reminder_id);
    }
  });
  await expectReplayed(['reminders/remove'], () => dan.call(deleteReminder, { reminder_id: ids[0] as number }));
  await expectReplayed(['reminders/remove', 'message'], () => pass(30));
});
