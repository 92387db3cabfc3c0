import type { GetMessagesRequest, SendMessageRequest, User } from '@parley/shared/proto';
import type { PeerChannel } from '../../test/realm-peer';
import {
  callerOf,
  getRequest,
  idsOf,
  type MessagesUnderTest,
  startMessages,
  term,
  toChannel,
  toUsers,
} from '../../test/start-messages';

// Narrows to more conversations, or channels, than are read one by one.

const MANY = 70;
const FOLLOWED = 3;

let network: MessagesUnderTest;
let reader: User;
let partner: User;
/** Ids of messages, the oldest first. */
const sent = { direct: [] as number[], followed: [] as number[], inChannels: [] as number[] };

beforeAll(async () => {
  network = await startMessages();
  const { realm } = network;
  [reader, partner] = [realm.addUser('Reader'), realm.addUser('Partner')];
  const [topics, ...open] = Array.from({ length: MANY + 1 }, (_, nth) => realm.addChannel(`Open ${nth}`));
  const others = open.map(({ name }) => realm.addUser(`Friend of ${name}`));
  realm.subscribe(topics as PeerChannel, reader);
  // In each of them twice, with the others between.
  for (let round = 0; round < 2; round += 1) {
    for (const [nth, channel] of open.entries()) await sendToEach(topics as PeerChannel, channel, others[nth] as User);
  }
}, 60_000);
afterAll(() => network.stop());

async function sendToEach(topics: PeerChannel, channel: PeerChannel, other: User): Promise<void> {
  const topic = `followed ${channel.id}`;
  sent.direct.push(await send(toUsers(other.id % 2 === 0 ? [reader] : [reader, other], 'Hello'), other));
  await send(toUsers([other], 'Not for the reader'));
  sent.followed.push(await send(toChannel(topics.id, topic, 'Followed')));
  sent.inChannels.push(sent.followed.at(-1) as number, await send(toChannel(channel.id, 'x', 'In another channel')));
  await network.client.setTopicPolicy(callerOf(reader), { channelId: topics.id, topic, policy: FOLLOWED });
}

async function send(request: SendMessageRequest, sender = partner): Promise<number> {
  return (await network.client.sendMessage(callerOf(sender), request)).messageId;
}

const get = (facts: Partial<GetMessagesRequest>) =>
  network.client.getMessages(callerOf(reader), getRequest({ numBefore: 0, ...facts })).then(idsOf);

test.each([
  ['direct messages', [term('is', { text: 'dm' })], sent.direct],
  ['followed topics', [term('is', { text: 'followed' })], sent.followed],
  ['public channels', [term('channels', { text: 'public' })], sent.inChannels],
])('%s are found from both ends, and around a message', async (_, narrow, ids) => {
  const middle = ids[50] as number;
  expect(await get({ narrow, anchorKind: 'newest', numBefore: 30 })).toEqual(ids.slice(-30));
  expect(await get({ narrow, anchorKind: 'oldest', numAfter: 30 })).toEqual(ids.slice(0, 30));
  expect(await get({ narrow, anchor: middle, numBefore: 20, numAfter: 20 })).toEqual(ids.slice(30, 71));
  expect(await get({ narrow, anchorKind: 'newest', numBefore: 1_000 })).toEqual(ids);
});

test.each([
  ['direct messages', [term('is', { text: 'dm' })], sent.direct],
  ['followed topics', [term('is', { text: 'followed' })], sent.followed],
])('the first unread one of %s is found', async (_, narrow, ids) => {
  await network.client.updateFlags(callerOf(reader), { flag: 'read', op: 'add', messageIds: ids.slice(0, 40) });
  expect(await get({ narrow, anchorKind: 'first_unread', numBefore: 5, numAfter: 5 })).toEqual(ids.slice(35, 46));
});
