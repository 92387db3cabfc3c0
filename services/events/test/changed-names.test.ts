import type { MessageSent } from '@parley/shared/events';
import { CHANNEL, channelMessage, directMessage, REALM, subscriber, user } from './eg';
import { Network, type Pod, type TestQueue } from './network';

let network: Network;
let pod: Pod;

beforeEach(async () => {
  network = await new Network().start();
  pod = await network.startPod();
});
afterEach(() => network.stop());

const nobody = { to: 'users', userIds: [] };
const rename = (userId: number, fullName: string) =>
  network.publish('user.renamed', [{ userId, fullName, audience: nobody, managerIds: [] }]);

/** What the messages in the queue show. */
async function shownIn(queue: TestQueue) {
  const events = await pod.drain(queue);
  return events.map(({ message }) => message as Record<string, unknown>);
}

test('a message sent while its recipient is renamed has the name that comes before it in the log', async () => {
  const queue = await pod.register(1);
  const stale = () => network.publishMessages(directMessage([1, 2]));
  await stale();
  await rename(2, 'Second');
  await stale();
  await rename(2, 'Third');
  const names = (await shownIn(queue)).map((message) =>
    (message['display_recipient'] as { id: number; full_name: string }[]).map(({ full_name: name }) => name),
  );
  expect(names).toEqual([
    ['User 1', 'User 2'],
    ['User 1', 'Second'],
  ]);
});

test('and so has its sender a name, an address and a picture, and its channel a name', async () => {
  network.realm.knows(REALM, CHANNEL, 1, [subscriber(1, 1)]);
  const queue = await pod.register(1);
  await rename(1, 'Renamed');
  const changed = {
    ...user(1),
    fullName: 'Earlier',
    email: 'new@example.com',
    avatarSource: 'U',
    avatarVersion: 2,
    avatarFileName: 'picture',
  };
  await network.publish('email.changed', [
    { userId: 1, user: changed, seers: nobody, audience: nobody, managerIds: [] },
  ]);
  const renaming = { channelId: CHANNEL, name: 'Lobby', isArchived: false, change: { name: 'Hall' }, audience: nobody };
  await network.publish('channel.changed', [renaming, { ...renaming, name: 'Hall', change: { isQuiet: true } }]);
  await network.publishMessages(channelMessage());
  const [message] = await shownIn(queue);
  expect(message).toMatchObject({
    sender_full_name: 'Renamed',
    sender_email: 'new@example.com',
    avatar_url: `/user_avatars/${REALM}/picture.png?version=2`,
    display_recipient: 'Hall',
  });
});

test('a pod that starts later shows the same', async () => {
  const queue = await pod.register(1);
  await rename(2, 'Second');
  const sent: MessageSent = directMessage([1, 2]);
  await network.publishMessages(sent);
  const events = await pod.drain(queue);
  queue.lastEventId = -1;
  const later = await network.startPod();
  expect(await later.drain(queue)).toEqual(events);
  expect(JSON.stringify(events)).toContain('Second');
});
