import type { User } from '@parley/shared/proto';
import { connectRpc } from '@parley/shared/rpc';
import { systemClock } from '@parley/shared/values';
import type { PeerChannel } from '../../test/realm-peer';
import {
  callerOf,
  getRequest,
  type MessagesUnderTest,
  startMessages,
  term,
  toChannel,
} from '../../test/start-messages';
import type { Context } from '../context';
import { readMutedSenders } from '../flags/follow-channels';
import { KnownReadFacts } from './known-read-facts';

const OTHERS = 50;
let network: MessagesUnderTest;
let [ann, bob]: User[] = [];
let home: PeerChannel;
let messageId: number;
let pathId: string;

beforeAll(async () => {
  network = await startMessages();
  const { realm, client } = network;
  [ann, bob] = [realm.addUser('Ann'), realm.addUser('Bob')];
  home = realm.addChannel('Home');
  realm.subscribe(home, ann as User, bob as User);
  for (let n = 0; n < OTHERS; n += 1) realm.addChannel(`Other ${n}`);
  pathId = `1/ab/${'s'.repeat(24)}/a.txt`;
  await client.beginUpload(callerOf(bob as User), { pathId, name: 'a.txt', contentType: 'text/plain', size: 3 });
  await client.completeUpload(callerOf(bob as User), { pathId, size: 3, image: null });
  const sent = toChannel(home.id, 'lunch', `[it](/user_uploads/${pathId})`);
  ({ messageId } = await client.sendMessage(callerOf(bob as User), sent));
});
afterAll(() => network.stop());

const send = (content: string) =>
  network.client.sendMessage(callerOf(ann as User), toChannel(home.id, 'answers', content));

const ACTS: [string, () => Promise<unknown>][] = [
  ['messages by their ids', () => getByIds()],
  ['messages by their ids in a channel', () => getByIds(term('channel', { id: home.id }))],
  ['those of them that are muted', () => getByIds(term('is', { text: 'muted' }))],
  ['which messages a narrow matches', () => matchNarrow()],
  ['the history of a message', () => network.client.getMessageHistory(callerOf(ann as User), { messageId })],
  ['following a topic', () => follow()],
  ['marking a topic as read', () => markTopic()],
  ['reading the messages of a muted sender', () => mute()],
  ['a link to a topic', () => send('#**Home>lunch**')],
  ['a link to a file of somebody else', () => send(`again [it](/user_uploads/${pathId})`)],
];

const getByIds = (...narrow: ReturnType<typeof term>[]) =>
  network.client.getMessages(callerOf(ann as User), getRequest({ messageIds: [messageId], narrow }));
const matchNarrow = () =>
  network.client.matchNarrow(callerOf(ann as User), {
    messageIds: [messageId],
    narrow: [term('search', { text: 'it' })],
  });
const follow = () =>
  network.client.setTopicPolicy(callerOf(ann as User), { channelId: home.id, topic: 'lunch', policy: 3 });

const markTopic = () => network.client.markTopicAsRead(callerOf(ann as User), { channelId: home.id, topic: 'lunch' });

const mute = async () => {
  const [userId, mutedUserId] = [(ann as User).id, (bob as User).id];
  network.realm.mutedUserIds.set(userId, [mutedUserId]);
  const payload = { userId, mutedUserId, isMuted: true, mutedUsers: [] };
  const realm = connectRpc('realm', network.realm.address);
  const ctx = { db: network.service.db, readFacts: new KnownReadFacts(realm.client, systemClock) } as Context;
  await readMutedSenders(ctx, [{ id: '1', realmId: 1, payload } as never]);
  realm.close();
};

test.each(ACTS)('%s: realm is asked about few channels, whatever their number', async (_what, act) => {
  const { readFactsCalls } = network.realm;
  readFactsCalls.length = 0;
  await act();
  expect(readFactsCalls.length).toBeGreaterThan(0);
  expect(Math.max(...readFactsCalls)).toBeLessThanOrEqual(2);
});
