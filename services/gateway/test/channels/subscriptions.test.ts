import { BadRequestError, StreamDoesNotExistError } from '@parley/shared/errors';
import type { Channel } from '@parley/shared/proto';
import { publicSubscription } from '@parley/shared/wire';
import {
  changeOwnSubscriptions,
  listSubscriptions,
  registerQueue,
  subscribe,
  unsubscribe,
  updateSubscriptionProperties,
  updateSubscriptionProperty,
} from '../../src/endpoints';
import { eg } from '../eg';
import { channelObjects } from '../events/state-in-parts';
import { formBody, startGateway, type TestGateway } from '../gateway';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

const PATH = '/api/v1/users/me/subscriptions';

describe('POST /users/me/subscriptions', () => {
  const asked = () => gateway.realm.last('subscribe');

  test('subscribes the caller, making channels by the given settings', async () => {
    gateway.realm.answers.subscribe = async () =>
      eg.subscribed({
        subscribed: [{ userId: 11, channelNames: ['social', 'new'] }],
        alreadySubscribed: [{ userId: 12, channelNames: ['social'] }],
        areNoticesSent: true,
      });
    const answer = await gateway.call(subscribe, {
      subscriptions: [
        { name: 'social', color: '#AbC' },
        { name: 'new', description: 'Fresh' },
      ],
      invite_only: true,
      history_public_to_subscribers: true,
    });
    expect(asked()).toEqual({
      channels: [
        { name: 'social', description: '', color: '#AbC' },
        { name: 'new', description: 'Fresh', color: '' },
      ],
      principalIds: [],
      principalEmails: [],
      areAuthorizationErrorsFatal: true,
      newChannel: {
        ...{ isPrivate: true, isWebPublic: false, isHistoryPublic: true, isDefault: false, isAnnounced: false },
        ...{ topicsPolicy: 'inherit', groupSettings: {} },
      },
      sendsNotices: true,
    });
    expect(answer.json).toEqual({
      result: 'success',
      msg: '',
      subscribed: { 11: ['social', 'new'] },
      already_subscribed: { 12: ['social'] },
      new_subscription_messages_sent: true,
    });
  });

  test('subscribes others, by id or by address', async () => {
    await gateway.call(subscribe, { subscriptions: [{ name: 'social' }], principals: [12, 13] });
    expect(asked()).toMatchObject({ principalIds: [12, 13], principalEmails: [] });
    await gateway.call(subscribe, { subscriptions: [{ name: 'social' }], principals: ['a@x'] });
    expect(asked()).toMatchObject({ principalIds: [], principalEmails: ['a@x'] });
  });

  test('lists unauthorized channels when authorization_errors_fatal is false', async () => {
    gateway.realm.answers.subscribe = async () => eg.subscribed({ unauthorized: ['secret'] });
    const answer = await gateway.call(subscribe, {
      subscriptions: [{ name: 'secret' }],
      authorization_errors_fatal: false,
      send_new_subscription_messages: false,
    });
    expect(answer.json).toEqual({
      result: 'success',
      msg: '',
      subscribed: {},
      already_subscribed: {},
      unauthorized: ['secret'],
    });
  });

  test('makes channels by every setting that there is', async () => {
    await gateway.call(subscribe, {
      subscriptions: [{ name: 'new' }],
      ...{ announce: true, is_default_stream: true, folder_id: 3, message_retention_days: '30' },
      ...{ topics_policy: 'empty_topic_only', send_new_subscription_messages: false },
      can_subscribe_group: 43,
      can_send_message_group: { direct_members: [11], direct_subgroups: [] },
    });
    expect(asked()).toMatchObject({
      newChannel: {
        ...{
          isAnnounced: true,
          isDefault: true,
          folderId: 3,
          messageRetention: '30',
          topicsPolicy: 'empty_topic_only',
        },
        groupSettings: {
          can_subscribe_group: eg.groupSetting(43),
          can_send_message_group: { directMemberIds: [11], directSubgroupIds: [] },
        },
      },
      sendsNotices: false,
    });
  });

  test.each([
    [{}, "Missing 'subscriptions' argument"],
    [{ subscriptions: 'social' }, 'subscriptions is not valid JSON'],
    [{ subscriptions: '["social"]' }, 'subscriptions[0] is not a dict'],
    [{ subscriptions: '[{}]' }, 'subscriptions[0]["name"] field is missing: Field required'],
    [{ subscriptions: '[{"name":"a"}]', principals: '[1,"a@x"]' }, 'principals[1] is not an integer'],
    [{ subscriptions: '[{"name":"a"}]', principals: '"a@x"' }, 'principals is not a list'],
    [{ subscriptions: '[{"name":"a"}]', topics_policy: 'any' }, 'Invalid topics_policy'],
    [{ subscriptions: '[{"name":"a"}]', topics_policy: '"any"' }, 'Invalid topics_policy'],
    [{ subscriptions: '[{"name":"a\\u0000"}]' }, 'subscriptions must not contain null bytes'],
  ])('refuses %j', async (form, msg) => {
    const answer = await gateway.request({ method: 'POST', path: PATH, ...formBody(form as Record<string, string>) });
    expect(answer).toMatchObject({ status: 400, json: { msg } });
  });

  test('answers refusals of realm', async () => {
    gateway.realm.answers.subscribe = async () => {
      throw new BadRequestError('Unable to access channel (secret).');
    };
    const answer = await gateway.call(subscribe, { subscriptions: [{ name: 'secret' }] });
    expect(answer.json).toMatchObject({ code: 'BAD_REQUEST', msg: 'Unable to access channel (secret).' });
  });
});

describe('DELETE /users/me/subscriptions', () => {
  test('unsubscribes the caller or others', async () => {
    gateway.realm.answers.unsubscribe = async () => ({ removed: ['social'], notRemoved: ['social', 'news'] });
    const answer = await gateway.call(unsubscribe, { subscriptions: ['social', 'news'], principals: [12, 13] });
    expect(gateway.realm.last('unsubscribe')).toEqual({
      channelNames: ['social', 'news'],
      principalIds: [12, 13],
      principalEmails: [],
    });
    expect(answer.json).toEqual({
      ...{ result: 'success', msg: '' },
      removed: ['social'],
      not_removed: ['social', 'news'],
    });
  });

  test('names a channel that does not exist', async () => {
    gateway.realm.answers.unsubscribe = async () => {
      throw new StreamDoesNotExistError({ stream: 'nothing' });
    };
    const answer = await gateway.call(unsubscribe, { subscriptions: ['nothing'] });
    expect(answer).toMatchObject({ status: 400, json: { code: 'STREAM_DOES_NOT_EXIST', stream: 'nothing' } });
  });
});

test('PATCH /users/me/subscriptions does both, and answers both', async () => {
  gateway.realm.answers.changeOwnSubscriptions = async () => ({
    subscribed: eg.subscribed({ subscribed: [{ userId: 11, channelNames: ['new'] }], areNoticesSent: true }),
    unsubscribed: { removed: ['social'], notRemoved: [] },
  });
  const answer = await gateway.call(changeOwnSubscriptions, { add: [{ name: 'new' }], delete: ['social'] });
  expect(gateway.realm.last('changeOwnSubscriptions')).toEqual({
    added: [{ name: 'new', description: '', color: '' }],
    removedNames: ['social'],
  });
  expect(answer.json).toEqual({
    ...{ result: 'success', msg: '', new_subscription_messages_sent: true },
    ...{ subscribed: { 11: ['new'] }, already_subscribed: {}, removed: ['social'], not_removed: [] },
  });
});

describe('GET /users/me/subscriptions', () => {
  const channels = [eg.channel(), eg.channel({ id: 8, name: 'quiet' }), eg.channel({ id: 9, name: 'elsewhere' })];
  const unset = { channel: null, color: '#c2c2c2', isMuted: false, isPinned: true };
  const own = [unset, { ...unset, isMuted: true, pushNotifications: false }];
  let before: typeof gateway.realm.answers;
  beforeAll(() => {
    before = { ...gateway.realm.answers };
  });
  afterAll(() => Object.assign(gateway.realm.answers, before));
  beforeEach(() => {
    gateway.realm.answers.getChannelObjects = async () => channelObjects(channels);
    gateway.realm.answers.getSubscriberLists = async (_call, { isPartial }) => ({
      version: '1',
      isKnown: false,
      lists: [{ channelId: 7, userIds: Buffer.from('[11,12]'), isPartial }],
    });
    gateway.realm.answers.listSubscriptions = async () => ({
      channels: [],
      groups: own.map((subscription, index) => ({ channelIds: [7 + index], isSubscribed: true, subscription })),
    });
  });

  test('lists the caller’s subscriptions; unset properties are null', async () => {
    const { json } = await gateway.call(listSubscriptions, {});
    const shown = own.map((subscription, index) => ({ ...subscription, channel: channels[index] as Channel }));
    expect(json.subscriptions).toEqual(shown.map((subscription) => publicSubscription(subscription)));
    expect(json.subscriptions[0]).toMatchObject({ pin_to_top: true, in_home_view: true, push_notifications: null });
  });

  test('with include_subscribers lists the subscribers', async () => {
    const { json } = await gateway.request({ path: `${PATH}?include_subscribers=true` });
    expect(json.subscriptions).toMatchObject([{ subscribers: [11, 12] }, { subscribers: [] }]);
  });

  test.each(['partial', '"partial"'])(
    'with include_subscribers %s lists some subscribers of large channels',
    async (wanted) => {
      const path = `${PATH}?include_subscribers=${encodeURIComponent(wanted)}`;
      const { json } = await gateway.request({ path });
      expect(json.subscriptions).toMatchObject([{ partial_subscribers: [11, 12] }, { subscribers: [] }]);
      expect(json.subscriptions[0]).not.toHaveProperty('subscribers');
    },
  );

  test('refuses any other value', async () => {
    const answer = await gateway.request({ path: `${PATH}?include_subscribers=maybe` });
    expect(answer).toMatchObject({ status: 400, json: { msg: 'Invalid include_subscribers' } });
  });
});

describe('subscription properties', () => {
  const asked = () => gateway.realm.last('updateSubscriptionProperties');
  beforeEach(() => {
    gateway.realm.answers.updateSubscriptionProperties = async () => ({});
  });

  test('change in one request', async () => {
    const { json } = await gateway.call(updateSubscriptionProperties, {
      subscription_data: [
        { stream_id: 7, property: 'is_muted', value: true },
        { stream_id: 8, property: 'color', value: '#abc' },
      ],
    });
    expect(json).toEqual({ result: 'success', msg: '' });
    expect(asked()).toEqual({
      changes: [
        { channelId: 7, property: 'is_muted', boolean: true },
        { channelId: 8, property: 'color', text: '#abc' },
      ],
    });
  });

  test('change one by one', async () => {
    await gateway.call(updateSubscriptionProperty, { stream_id: 7, property: 'pin_to_top', value: false });
    expect(asked()).toEqual({ changes: [{ channelId: 7, property: 'pin_to_top', boolean: false }] });
    for (const value of ['#abc', '"#abc"']) {
      const form = formBody({ property: 'color', value });
      await gateway.request({ method: 'PATCH', path: `${PATH}/7`, ...form });
      expect(asked()).toEqual({ changes: [{ channelId: 7, property: 'color', text: '#abc' }] });
    }
  });

  test.each([
    [{}, "Missing 'subscription_data' argument"],
    [{ subscription_data: '[{"property":"color","value":"#abc"}]' }, 'stream_id'],
    [{ subscription_data: '[{"stream_id":7,"property":"color"}]' }, 'value'],
  ])('%j is refused', async (form, words) => {
    const answer = await gateway.request({
      ...{ method: 'POST', path: `${PATH}/properties` },
      ...formBody(form as Record<string, string>),
    });
    expect(answer).toMatchObject({ status: 400, json: { msg: expect.stringContaining(words) } });
  });
});

describe('POST /register', () => {
  const register = async (include: 'true' | 'false' | 'partial', capabilities = {}) => {
    const { json } = await gateway.call(registerQueue, {
      fetch_event_types: ['subscription'],
      include_subscribers: include,
      client_capabilities: capabilities,
    });
    return json;
  };

  test('shows the subscribers of channels in all three lists, if requested', async () => {
    const [left, other] = [eg.channel({ id: 8, name: 'left' }), eg.channel({ id: 9, name: 'other' })];
    gateway.realm.answers.getRegisterState = async (_call, { includesSubscribers }) =>
      eg.registerState({
        unsubscribed: [eg.subscription({ channel: left })],
        neverSubscribed: [other],
        channelSubscribers: includesSubscribers
          ? [
              { channelId: 7, userIds: [11] },
              { channelId: 9, userIds: [12] },
            ]
          : [],
      });
    for (const include of ['true', 'partial'] as const) {
      expect(await register(include)).toMatchObject({
        subscriptions: [{ stream_id: 7, subscribers: [11] }],
        unsubscribed: [{ stream_id: 8, subscribers: [] }],
        never_subscribed: [{ stream_id: 9, subscribers: [12] }],
      });
    }
    const { subscriptions, never_subscribed } = await register('false');
    for (const shown of [...subscriptions, ...never_subscribed]) expect(shown).not.toHaveProperty('subscribers');
  });

  test('shows the account’s setting to clients that do not understand null', async () => {
    const settings = eg
      .personalState()
      .settings.map((setting) =>
        setting.name === 'enable_stream_push_notifications' ? { ...setting, boolean: true } : setting,
      );
    gateway.realm.answers.getRegisterState = async () =>
      eg.registerState({
        subscriptions: [eg.subscription({ desktopNotifications: true })],
        personal: eg.personalState({ settings }),
      });
    const set = { desktop_notifications: true };
    const { subscriptions: old } = await register('false');
    expect(old).toMatchObject([
      { ...set, push_notifications: true, email_notifications: false, wildcard_mentions_notify: true },
    ]);
    const { subscriptions } = await register('false', { notification_settings_null: true });
    expect(subscriptions).toMatchObject([{ ...set, push_notifications: null, wildcard_mentions_notify: null }]);
  });
});
