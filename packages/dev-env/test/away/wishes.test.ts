import { sendMessage, updateUserSettings } from '@parley/gateway/endpoints';
import { type AwayNetwork, BATCHING_MS, startAway } from './away';
import { makeWish, PLAIN, WILDCARD, type Wish } from './wish';

let away: AwayNetwork;
beforeAll(async () => {
  away = await startAway({ MAIL_IN_DOMAIN: 'in.parley.test' });
});
afterAll(() => away.stop());

const off = (name: string) => ({ settings: { [name]: false } });
const on = (name: string) => ({ settings: { [name]: true } });

// Each of them changes what happens: without it, the same message has the other result.
const CASES: [string, string, Wish, boolean][] = [
  ['wildcard_mentions_notify', WILDCARD, off('wildcard_mentions_notify'), false],
  ['the channel’s wildcard_mentions_notify', WILDCARD, { property: ['wildcard_mentions_notify', false] }, false],
  [
    'enable_followed_topic_wildcard_mentions_notify',
    WILDCARD,
    {
      isFollowed: true,
      settings: { wildcard_mentions_notify: false, enable_followed_topic_email_notifications: false },
    },
    true,
  ],
  ['enable_offline_email_notifications', WILDCARD, off('enable_offline_email_notifications'), false],
  ['enable_stream_email_notifications', PLAIN, on('enable_stream_email_notifications'), true],
  [
    'the channel’s email_notifications',
    PLAIN,
    { ...on('enable_stream_email_notifications'), property: ['email_notifications', false] },
    false,
  ],
  ['email_notifications of the channel alone', PLAIN, { property: ['email_notifications', true] }, true],
  ['a followed topic', PLAIN, { isFollowed: true }, true],
  [
    'enable_followed_topic_email_notifications',
    PLAIN,
    { isFollowed: true, settings: { enable_followed_topic_email_notifications: false } },
    false,
  ],
  ['a muted channel', WILDCARD, { property: ['is_muted', true] }, false],
];

const DEFAULTS = {
  wildcard_mentions_notify: true,
  enable_offline_email_notifications: true,
  enable_stream_email_notifications: false,
  enable_followed_topic_email_notifications: true,
};

test.each(CASES)('%s', async (name, content, wish, isMailed) => {
  const { network, mailsAfter } = away;
  await makeWish(network, name, wish, DEFAULTS);
  await mailsAfter(BATCHING_MS);
  await network.dan.call(sendMessage, { type: 'channel', to: name, topic: 'lunch', content });
  const mails = await mailsAfter(BATCHING_MS);
  expect(mails.map(({ to }) => to)).toEqual(isMailed ? ['eve@example.com'] : []);
});

test('where mail comes in, a mail about one conversation can be answered', async () => {
  const { network, mailsAfter } = away;
  const send = (content: string) =>
    network.dan.call(sendMessage, { type: 'direct', to: [network.eve.userId], content });
  await network.eve.call(updateUserSettings, DEFAULTS);
  await send('Hello');
  const [first] = await mailsAfter(BATCHING_MS);
  await send('Hello again');
  const [second] = await mailsAfter(BATCHING_MS);
  expect(first?.headers['reply-to']).toMatch(/@in\.parley\.test>?$/);
  expect(second?.headers['reply-to']).toBe(first?.headers['reply-to']);
  expect(first?.text).toContain('A reply to this mail appears in the conversation.');
});

test('a mail about several conversations says that replies are not read, and has no address for them', async () => {
  const { network, mailsAfter } = away;
  const { dan, eve, iris, faye } = network;
  await eve.call(updateUserSettings, DEFAULTS);
  // More than three conversations are one mail.
  const others = [[], [iris], [faye], [iris, faye]];
  for (const people of others) {
    const to = [eve, ...people].map(({ userId }) => userId);
    await dan.call(sendMessage, { type: 'direct', to, content: 'Hello' });
  }
  const mails = await mailsAfter(BATCHING_MS);
  const [mail] = mails.filter(({ to }) => to === 'eve@example.com');
  expect(mail?.subject).toBe('4 new messages in 4 conversations');
  expect(mail?.headers['reply-to']).toBeUndefined();
  expect(mail?.text).toContain('Replies to this mail are not read.');
});
