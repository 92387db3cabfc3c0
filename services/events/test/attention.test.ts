import type { AlertWordsChanged, MutedUsersChanged } from '@parley/shared/events';
import { CHANNEL, channelMessage, directMessage, OTHER_REALM, REALM, subscriber } from './eg';
import { Network, type Pod, type TestQueue } from './network';

let network: Network;
let pod: Pod;

beforeEach(async () => {
  network = await new Network().start();
  pod = await network.startPod();
  network.realm.knows(REALM, CHANNEL, 1, [subscriber(1, 1), subscriber(2, 1)]);
});
afterEach(() => network.stop());

const since = (word: string, addedAtMs = 0) => ({ word, addedAtMs });
const changeWords = (userId: number, ...alertWords: AlertWordsChanged['alertWords']) =>
  network.publish('alert-words.changed', [{ userId, alertWords }]);
const changeMuted = (userId: number, mutedUserId: number, isMuted: boolean) => {
  const mutedUsers = isMuted ? [{ userId: mutedUserId, mutedAtMs: 0 }] : [];
  const change: MutedUsersChanged = { userId, mutedUserId, isMuted, mutedUsers };
  return network.publish('muted-users.changed', [change]);
};
/** Messages only, without the events that change words and mutes. */
const register = (userId: number) => pod.register(userId, { eventTypes: ['message'], hasEventTypes: true });
const flags = async (queue: TestQueue) => (await pod.drain(queue)).map((event) => event.flags);

describe('alert words', () => {
  test('mark messages sent after they were added, on waiting and later polls', async () => {
    network.realm.knowsAttention(1, { alertWords: [since('lunch'), since('demo', 2_000_000)] });
    const [waiting, later, indifferent] = [await register(1), await register(1), await register(2)];
    const answer = pod.poll(waiting);
    await pod.parked(1);
    await network.publishMessages(
      channelMessage({ content: 'Lunch?' }),
      channelMessage({ content: 'a demo' }),
      channelMessage({ content: '```\nlunch\n```' }),
    );
    expect((await answer).map((event) => event.flags)).toEqual([['has_alert_word'], [], []]);
    expect(await flags(later)).toEqual([['has_alert_word'], [], []]);
    expect(await flags(indifferent)).toEqual([[], [], []]);
  });

  test('apply from the next message on, on queues that are open', async () => {
    const queue = await register(1);
    await network.publishMessages(channelMessage({ content: 'lunch' }));
    expect(await flags(queue)).toEqual([[]]);
    await changeWords(1, since('lunch'));
    await network.publishMessages(channelMessage({ content: 'lunch' }), directMessage([1, 2], 'lunch'));
    expect(await flags(queue)).toEqual([['has_alert_word'], ['has_alert_word']]);
    await changeWords(1);
    await network.publishMessages(channelMessage({ content: 'lunch' }));
    expect(await flags(queue)).toEqual([[]]);
  });

  test('do not mark messages for a queue that only listens to public channels', async () => {
    network.realm.knowsAttention(5, { alertWords: [since('lunch')] });
    const queue = await pod.register(5, { allPublicChannels: true });
    await network.publishMessages(channelMessage({ content: 'lunch' }));
    expect(await flags(queue)).toEqual([[]]);
  });

  test('apply in one organization only', async () => {
    network.realm.knowsAttention(1, { alertWords: [since('lunch')] });
    const [here, there] = [await register(1), await pod.register(1, {}, OTHER_REALM)];
    expect([await flags(here), await flags(there)]).toEqual([[], []]);
    await network.publish('alert-words.changed', [{ userId: 1, alertWords: [] }], OTHER_REALM);
    await network.publishMessages(channelMessage({ content: 'lunch' }));
    expect(await flags(here)).toEqual([['has_alert_word']]);
  });
});

describe('messages of muted users', () => {
  test('are read', async () => {
    network.realm.knowsAttention(2, { mutedUserIds: [1] });
    const [muting, sender] = [await register(2), await register(1)];
    await network.publishMessages(channelMessage({ mentionedIds: [2] }), directMessage([1, 2]));
    expect(await flags(muting)).toEqual([['read', 'mentioned'], ['read']]);
    expect(await flags(sender)).toEqual([[], []]);
  });

  test('are read from the muting to the unmuting, and stay so', async () => {
    const queue = await register(2);
    await network.publishMessages(channelMessage());
    expect(await flags(queue)).toEqual([[]]);
    await changeMuted(2, 1, true);
    await network.publishMessages(channelMessage());
    await changeMuted(2, 1, false);
    await network.publishMessages(channelMessage());
    expect(await flags(queue)).toEqual([['read'], []]);
  });
});

describe('realm is called', () => {
  test('once for each user and pod', async () => {
    const queues = [await register(1), await register(1), await register(2)];
    await network.publishMessages(channelMessage());
    await Promise.all(queues.map((queue) => pod.drain(queue)));
    await network.publishMessages(channelMessage());
    await Promise.all(queues.map((queue) => pod.drain(queue)));
    expect(network.realm.attentionsAsked).toEqual([1, 2]);
    await network.publishMessages(channelMessage());
    await (await network.startPod()).drain(queues[0] as TestQueue);
    expect(network.realm.attentionsAsked).toEqual([1, 2, 1]);
  });

  test('again after an outage, until which the poll waits', async () => {
    const queue = await register(1);
    network.realm.knowsAttention(1, { alertWords: [since('lunch')] });
    await network.publishMessages(channelMessage({ content: 'lunch' }));
    await network.settle();
    await network.realm.stop();
    const answer = pod.poll(queue, true);
    await network.realm.start();
    expect((await answer).map((event) => event.flags)).toEqual([['has_alert_word']]);
  });
});

describe('a response that has events already', () => {
  test('also has events that need facts from realm', async () => {
    const queue = await pod.register(1);
    await changeWords(1);
    await network.publishMessages(channelMessage());
    expect((await pod.drain(queue)).map(({ type }) => type)).toEqual(['alert_words', 'message']);
  });

  test('does not wait for realm during an outage', async () => {
    network.realm.knowsAttention(1, { alertWords: [since('lunch')] });
    const queue = await pod.register(1);
    await network.realm.stop();
    await changeWords(1, since('lunch'));
    await network.publishMessages(channelMessage({ content: 'lunch' }));
    expect((await pod.drain(queue)).map(({ type }) => type)).toEqual(['alert_words']);
    await network.realm.start();
    expect(await flags(queue)).toEqual([['has_alert_word']]);
  });
});
