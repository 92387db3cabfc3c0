import { getEvents, getMessages, registerQueue } from '@parley/gateway/endpoints';
import { newCall } from '@parley/shared/rpc';
import { TestNetwork } from '../../src';

const MESSAGES = 2_000;

let network: TestNetwork;
beforeAll(async () => {
  network = await TestNetwork.create();
});
afterAll(() => network.stop());

test('messages of a fill are readable, and clients register again', async () => {
  const { dan, eve, realmService, messagesService } = network;
  await realmService.fillRealm(newCall(), { subdomain: '', users: 200, channels: 10, seed: 1 });
  await network.settle();
  const { queue_id: queueId } = await eve.call(registerQueue, { event_types: ['message'] });
  const filled = await messagesService.fillMessages(newCall(), { subdomain: '', messages: MESSAGES, seed: 1 });
  expect(filled).toMatchObject({ messages: MESSAGES, topics: expect.any(Number) });
  await network.settle();
  await eve.expectError('BAD_EVENT_QUEUE_ID', getEvents, { queue_id: queueId as string, last_event_id: -1 });

  const [largest] = await network.database('messages').query<{ channelId: number; name: string; size: number }>(
    `select t.channel_id as "channelId", t.name, count(*) as size from topic t
     join message m on m.realm_id = t.realm_id and m.conversation_id = t.id
     where t.channel_id = (select channel_id from message group by channel_id order by count(*) desc limit 1)
     group by t.id, t.channel_id, t.name order by size desc limit 1`,
  );
  const { messages, found_oldest } = await dan.call(getMessages, {
    anchor: 'oldest',
    num_after: MESSAGES,
    narrow: [
      { operator: 'channel', operand: largest?.channelId as number },
      { operator: 'topic', operand: largest?.name as string },
    ],
  });
  expect(found_oldest).toBe(true);
  expect(messages).toHaveLength(largest?.size as number);
  expect(messages.every(({ subject }) => subject === largest?.name)).toBe(true);
});
