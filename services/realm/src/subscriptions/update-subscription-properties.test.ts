import type { KnownChannel, Subscription, SubscriptionPropertyChange } from '@parley/shared/proto';
import {
  channelIds,
  join,
  leave,
  newOrganization,
  newUser,
  openContext,
  type Person,
  type TestContext,
} from '../../test/examples';
import { publicEvents } from '../../test/public-events';
import { listSubscriptions } from '../joining/subscribe';
import { updateSubscriptionProperties } from './update-subscription-properties';

let ctx: TestContext;
let olivia: Person;
let general: number;

beforeAll(async () => {
  ctx = await openContext();
});
beforeEach(async () => {
  olivia = await newOrganization(ctx);
  general = (await channelIds(ctx, olivia))['general'] as number;
});
afterAll(() => ctx.close());

type Value = boolean | string;
const changeOf = (property: string, value: Value, channelId = general): SubscriptionPropertyChange => ({
  ...{ channelId, property },
  ...(typeof value === 'boolean' ? { boolean: value } : { text: value }),
});
const set = (person: Person, ...changes: SubscriptionPropertyChange[]) =>
  updateSubscriptionProperties(ctx, person, { changes });
const stored = async (person: Person) => {
  const { channels } = await listSubscriptions(ctx, person, {});
  const { channel, ...properties } = (channels[0] as KnownChannel).subscription as Subscription;
  return properties;
};
const announced = async () =>
  (await publicEvents(ctx, olivia, 'subscription'))
    .filter(({ event }) => event['op'] === 'update')
    .map(({ audience, event }) => {
      expect(audience).toEqual({ to: 'users', userIds: [olivia.userId] });
      expect(event).toMatchObject({ type: 'subscription', stream_id: expect.any(Number) });
      return [event['property'], event['value']];
    });

test.each([
  ['color', '#ABC', { color: '#aabbcc' }, [['color', '#aabbcc']]],
  ['pin_to_top', true, { isPinned: true }, [['pin_to_top', true]]],
  ['desktop_notifications', false, { desktopNotifications: false }, [['desktop_notifications', false]]],
  ['audible_notifications', true, { audibleNotifications: true }, [['audible_notifications', true]]],
  ['push_notifications', false, { pushNotifications: false }, [['push_notifications', false]]],
  ['email_notifications', true, { emailNotifications: true }, [['email_notifications', true]]],
  ['wildcard_mentions_notify', false, { wildcardMentionsNotify: false }, [['wildcard_mentions_notify', false]]],
  [
    'is_muted',
    true,
    { isMuted: true },
    [
      ['in_home_view', false],
      ['is_muted', true],
    ],
  ],
  [
    'in_home_view',
    false,
    { isMuted: true },
    [
      ['in_home_view', false],
      ['is_muted', true],
    ],
  ],
] as const)(
  '%s becomes %p, which is announced to the user only; again it changes nothing',

  async (property, value, properties, events) => {
    const before = await stored(olivia);
    await set(olivia, changeOf(property, value));
    await set(olivia, changeOf(property, value));
    expect(await stored(olivia)).toEqual({ ...before, ...properties });
    expect(await announced()).toEqual(events);
  },
);

test('changes come in the order of the list, all of them or none', async () => {
  const sandbox = (await channelIds(ctx, olivia))['sandbox'] as number;
  await set(olivia, changeOf('is_muted', true), changeOf('pin_to_top', true, sandbox), changeOf('is_muted', false));
  expect(await announced()).toEqual([
    ['in_home_view', false],
    ['is_muted', true],
    ['pin_to_top', true],
    ['in_home_view', true],
    ['is_muted', false],
  ]);
  await expect(set(olivia, changeOf('pin_to_top', true), changeOf('pin_to_top', true, 2 ** 40))).rejects.toThrow();
  expect(await stored(olivia)).toMatchObject({ isMuted: false, isPinned: false });
});

test('is about channels that one is subscribed to', async () => {
  const iago = await newUser(ctx, olivia);
  await join(ctx, olivia, ['open', 'left']);
  await join(ctx, olivia, ['closed'], { newChannel: { isPrivate: true } });
  await join(ctx, iago, ['left']);
  await leave(ctx, iago, ['left']);
  const { open, closed, left } = (await channelIds(ctx, olivia)) as Record<string, number>;
  const attempt = (id = 0) => set(iago, changeOf('is_muted', true, id));
  await expect(attempt(open)).rejects.toThrow(`Not subscribed to channel ID ${open}`);
  await expect(attempt(left)).rejects.toThrow(`Not subscribed to channel ID ${left}`);
  for (const id of [closed, 2 ** 40, 2 ** 63]) await expect(attempt(id)).rejects.toThrow('Invalid channel ID');
});

test.each([
  ['sound', true, 'Unknown subscription property: sound'],
  ['constructor', true, 'Unknown subscription property: constructor'],
  ['color', 'red', 'Invalid subscription_data[1]: Value error, color is not a valid hex color code'],
  ['color', true, 'Invalid subscription_data[1]: Value error, color is not a valid hex color code'],
  ['is_muted', 'yes', 'is_muted is not a boolean'],
  ['pin_to_top', '#ffffff', 'pin_to_top is not a boolean'],
])('%s is not %p; that is said before any channel is looked at', async (property, value, message) => {
  await expect(set(olivia, changeOf('is_muted', true, 2 ** 40), changeOf(property, value))).rejects.toThrow(message);
});

test('any number of changes takes as many statements', async () => {
  const names = Array.from({ length: 100 }, (_, index) => `c${index}`);
  await join(ctx, olivia, names);
  const ids = Object.values(await channelIds(ctx, olivia));
  const count = async (channels: number[]) => {
    const before = ctx.db.statementCount;
    await set(olivia, ...channels.map((id) => changeOf('pin_to_top', true, id)));
    return ctx.db.statementCount - before;
  };
  expect(await count(ids.slice(1))).toBe(await count(ids.slice(0, 1)));
});
