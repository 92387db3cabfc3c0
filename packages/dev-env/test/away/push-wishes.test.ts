import {
  addWebPushSubscription,
  removeWebPushSubscription,
  sendMessage,
  updatePresence,
} from '@parley/gateway/endpoints';
import { until } from '@parley/shared/testing';
import { TestNetwork } from '../../src';
import { TestPushService, vapidKeys } from './push-service';
import { makeWish, PLAIN, WILDCARD, type Wish } from './wish';

const { VAPID_PRIVATE_KEY, publicKey } = vapidKeys();
const pushService = new TestPushService(publicKey);
let network: TestNetwork;
beforeAll(async () => {
  await pushService.start();
  network = await TestNetwork.create({ settings: { VAPID_PRIVATE_KEY, OUTGOING_ALLOW: '127.0.0.1' } });
});
afterAll(async () => {
  await network?.stop();
  pushService.stop();
});

interface PushWish extends Wish {
  /** Eve is looking at some client. */
  isActive?: boolean;
}

const DEFAULTS = {
  wildcard_mentions_notify: true,
  enable_followed_topic_wildcard_mentions_notify: true,
  enable_offline_push_notifications: true,
  enable_online_push_notifications: true,
  enable_stream_push_notifications: false,
  enable_followed_topic_push_notifications: true,
};
const off = (...names: (keyof typeof DEFAULTS)[]) => ({
  settings: Object.fromEntries(names.map((name) => [name, false])),
});
const forChannel = { settings: { enable_stream_push_notifications: true } };
const withoutOthers = off('wildcard_mentions_notify', 'enable_followed_topic_push_notifications').settings;

// Beside each wish that keeps a push away is the same message that is told without it.
const CASES: [string, string, PushWish, boolean][] = [
  ['a wildcard', WILDCARD, {}, true],
  ['wildcard_mentions_notify', WILDCARD, off('wildcard_mentions_notify'), false],
  ['the channel’s wildcard_mentions_notify', WILDCARD, { property: ['wildcard_mentions_notify', false] }, false],
  [
    'the channel’s wildcard_mentions_notify alone',
    WILDCARD,
    { ...off('wildcard_mentions_notify'), property: ['wildcard_mentions_notify', true] },
    true,
  ],
  ['a wildcard in a followed topic', WILDCARD, { isFollowed: true, settings: withoutOthers }, true],
  [
    'enable_followed_topic_wildcard_mentions_notify',
    WILDCARD,
    { isFollowed: true, settings: { ...withoutOthers, enable_followed_topic_wildcard_mentions_notify: false } },
    false,
  ],
  ['enable_offline_push_notifications', WILDCARD, off('enable_offline_push_notifications'), false],
  ['nothing in particular', PLAIN, {}, false],
  ['enable_stream_push_notifications', PLAIN, forChannel, true],
  ['the channel’s push_notifications', PLAIN, { ...forChannel, property: ['push_notifications', false] }, false],
  ['push_notifications of the channel alone', PLAIN, { property: ['push_notifications', true] }, true],
  ['a followed topic', PLAIN, { isFollowed: true }, true],
  [
    'enable_followed_topic_push_notifications',
    PLAIN,
    { isFollowed: true, ...off('enable_followed_topic_push_notifications') },
    false,
  ],
  ['a muted channel', WILDCARD, { property: ['is_muted', true] }, false],
  // The last ones: she stays active for a while.
  ['somebody who is active', WILDCARD, { isActive: true }, true],
  ['enable_online_push_notifications', WILDCARD, { isActive: true, ...off('enable_online_push_notifications') }, false],
];

test.each(CASES)('%s', async (name, content, wish, isPushed) => {
  const { dan, eve } = network;
  const channelId = await makeWish(network, name, wish, DEFAULTS);
  if (wish.isActive) await eve.call(updatePresence, { status: 'active' });
  // A browser of its own: deliveries to one are seconds apart.
  const browser = pushService.subscribe(`browser-${channelId}`);
  await eve.call(addWebPushSubscription, browser);
  await dan.call(sendMessage, { type: 'channel', to: name, topic: 'lunch', content });
  await network.settle();
  const queued = `select 1 from due_job where kind = 'push'`;
  await until(async () => (await network.database('scheduler').query(queued)).length === 0);
  const titles = pushService.received.splice(0).map(({ note }) => note.title);
  expect(titles).toEqual(isPushed ? [`#${name} › lunch`] : []);
  await eve.call(removeWebPushSubscription, { endpoint: browser.endpoint });
});
