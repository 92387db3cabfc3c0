import type { ListVersions } from '@parley/shared/proto';
import { eg } from '../eg';
import { formBody, IAGO, startGateway, type TestGateway } from '../gateway';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

const TRICKY = '","delivery_email":null,{"user_id":11,';

/** A state with objects of every kind, as seen by a user with that role and that address. */
function stateOf(role: number, emailAddressVisibility: number) {
  const own = eg.user({ role, emailAddressVisibility, fullName: TRICKY });
  const muted = { isMuted: true, pushNotifications: false, color: '#ffffff' };
  const list = (fieldId: number, value: string) => ({ fieldId, value, renderedValue: `<p>${value}</p>` });
  return eg.registerState({
    ownUser: own,
    users: [
      eg.user({ id: 1, isSystemBot: true, isBot: true, botType: 1 }),
      eg.user({ id: 9, isActive: false, emailAddressVisibility: 4 }),
      eg.user({ id: 10, emailAddressVisibility: 3, fullName: TRICKY }),
      own,
      eg.user({ id: 12, emailAddressVisibility: 5, avatarFileName: 'abc' }),
    ],
    lists: eg.lists({ profiles: [{ userId: 11, values: [list(3, TRICKY)] }] }),
    groups: [eg.group(), eg.group({ id: 50, name: 'old', isSystem: false, isDeactivated: true, memberIds: [11, 12] })],
    subscriptions: [
      eg.subscription(),
      eg.subscription({ ...muted, channel: eg.channel({ id: 8, name: '"quoted"', isArchived: true }) }),
    ],
    unsubscribed: [eg.subscription({ ...muted, channel: eg.channel({ id: 6, isPrivate: true }) })],
    neverSubscribed: [eg.channel({ id: 4, isArchived: true }), eg.channel({ id: 5, description: 'Grüße' })],
    channelSubscribers: [
      { channelId: 7, userIds: [11, 12] },
      { channelId: 5, userIds: [12] },
    ],
  });
}

async function registerAs(role: number, form: Record<string, string>) {
  gateway.realm.addAccount(IAGO.email, IAGO.key, eg.authentication({ role }));
  return (await gateway.request({ method: 'POST', path: '/api/v1/register', ...formBody(form) })).json;
}

const CAPABILITIES = { archived_channels: true, notification_settings_null: true, include_deactivated_groups: true };

describe('a state put together from shared parts equals one made for the caller', () => {
  test.each([
    ['an owner', 100, 1, {}],
    ['a member whose address is for everybody', 400, 1, { include_subscribers: 'true' }],
    ['a member who hides the address from members', 400, 3, { client_gravatar: 'false' }],
    ['a moderator who hides the address from everybody', 300, 4, { include_subscribers: 'partial' }],
    ['a client that knows everything', 400, 4, { client_capabilities: JSON.stringify(CAPABILITIES) }],
    ['a client that wants some of it', 400, 3, { fetch_event_types: '["stream","realm_user"]' }],
  ])('%s', async (_who, role, emailAddressVisibility, form) => {
    gateway.realm.answers.getRegisterState = async (_call, { includesSubscribers }) => {
      const state = stateOf(role, emailAddressVisibility);
      return { ...state, channelSubscribers: includesSubscribers ? state.channelSubscribers : [] };
    };
    gateway.messages.answers.getChannelActivity = async () => ({
      activities: [{ channelId: 7, firstMessageId: 501, hasNamedTopics: true }],
    });
    const inParts = await registerAs(role, form);
    expect(inParts.result).toBe('success');
    // Guests get a separate state; the peer has the same one for all users.
    expect(inParts).toEqual(await registerAs(600, form));
  });
});

test('a caller with another role by now gets the state of that role', async () => {
  gateway.realm.answers.getRegisterState = async () => stateOf(400, 1);
  const users = async (role: number) => (await registerAs(role, { fetch_event_types: '["realm_user"]' })).realm_users;
  expect((await users(200))[0]).toMatchObject({ user_id: 10, delivery_email: null });
  expect(await users(200)).toEqual(await users(400));
});

test('a large channel lists some subscribers only, in partial_subscribers', async () => {
  gateway.realm.answers.getRegisterState = async () => stateOf(400, 1);
  const { getSubscriberLists } = gateway.realm.answers;
  gateway.realm.answers.getSubscriberLists = async (call, request) => {
    const lists = [{ channelId: 7, userIds: Buffer.from('[12]'), isPartial: request.isPartial }];
    return { ...(await getSubscriberLists(call, request)), lists };
  };
  const form = { fetch_event_types: '["subscription"]', include_subscribers: 'partial' };
  const { subscriptions, never_subscribed: others } = await registerAs(400, form);
  expect(subscriptions[0]).toMatchObject({ stream_id: 7, partial_subscribers: [12] });
  expect(subscriptions[0]).not.toHaveProperty('subscribers');
  expect(others[0]).toMatchObject({ stream_id: 5, subscribers: [] });
});

test('a list of the current version is not asked for again, and one that is current after all is not sent again', async () => {
  const { getUserLists, getOwnState } = gateway.realm.answers;
  const asked: string[] = [];
  gateway.realm.answers.getRegisterState = async () => ({ ...stateOf(400, 1), realmUuid: 'another' });
  gateway.realm.answers.getUserLists = async (call, request) => {
    const lists = await getUserLists(call, request);
    asked.push(request.knownVersion);
    return lists.version === request.knownVersion ? { ...lists, isKnown: true, users: Buffer.alloc(0) } : lists;
  };
  const form = { fetch_event_types: '["realm_user"]', client_gravatar: 'false' };
  const first = await registerAs(400, form);
  expect(first.realm_users).toHaveLength(3);
  expect(await registerAs(400, form)).toEqual(first);
  expect(asked).toHaveLength(1);
  let isEarlier = true;
  gateway.realm.answers.getOwnState = async (call, request) => {
    const own = await getOwnState(call, request);
    if (!isEarlier) return own;
    isEarlier = false;
    return { ...own, versions: { ...(own.versions as ListVersions), users: 'earlier' } };
  };
  expect(await registerAs(400, form)).toEqual(first);
  expect(asked).toEqual([expect.anything(), expect.stringMatching(/^[0-9a-f]{64}$/)]);
});

test('first messages of the current version are not sent again, nor the channels asked about, unless the channels have changed', async () => {
  const asked: [string | undefined, number][] = [];
  let [version, firstMessageId] = ['1', 501];
  gateway.realm.answers.getRegisterState = async () => stateOf(400, 1);
  gateway.messages.answers.getChannelActivity = async (_call, { knownVersion, channelIds }) => {
    asked.push([knownVersion, channelIds.length]);
    if (knownVersion === version) return { activities: [], version, isKnown: true };
    return { activities: [{ channelId: 7, firstMessageId, hasNamedTopics: true }], version };
  };
  const first = async () => {
    const { streams } = await registerAs(400, { fetch_event_types: '["stream"]' });
    return streams.find(({ stream_id: id }: { stream_id: number }) => id === 7).first_message_id;
  };
  expect([await first(), await first()]).toEqual([501, 501]);
  [version, firstMessageId] = ['2', 502];
  expect([await first(), await first()]).toEqual([502, 502]);
  gateway.realm.answers.getRegisterState = async () => ({ ...stateOf(400, 1), neverSubscribed: [] });
  expect(await first()).toBe(502);
  const [all, without] = [asked[0]?.[1] as number, asked.at(-1)?.[1]];
  expect(without).toBeLessThan(all);
  expect(asked).toEqual([
    ['', all],
    ['1', 0],
    ['1', 0],
    ['', all],
    ['2', 0],
    ['', without],
  ]);
});

test.each([
  ['shares the lists of a realm that has asked whom they see', true, 'getUserLists'],
  ['gets a state of their own from a realm of the previous version, which has not', false, 'getRegisterState'],
])('a guest %s', async (_, isForGuest, method) => {
  gateway.realm.answers.getRegisterState = async () => stateOf(600, 1);
  const { getOwnState } = gateway.realm.answers;
  gateway.realm.answers.getOwnState = async (...asked) => ({ ...(await getOwnState(...asked)), isForGuest });
  gateway.realm.seen.length = 0;
  expect((await registerAs(600, {})).result).toBe('success');
  const methods = gateway.realm.seen.map((seen) => seen.method);
  const others = ['getUserLists', 'getRegisterState'].filter((other) => other !== method);
  expect(methods).toContain(method);
  expect(methods).not.toEqual(expect.arrayContaining(others));
});
