import { createHash } from 'node:crypto';
import {
  BadImageError,
  BadRequestError,
  CannotDeactivateLastUserError,
  InsufficientPermissionError,
} from '@parley/shared/errors';
import { unknownUser } from '@parley/shared/values';
import { avatarUrl } from '@parley/shared/wire';
import {
  addUser,
  deactivateOwnUser,
  deactivateUser,
  getSubscriptionStatus,
  getUser,
  getUserByEmail,
  getUserChannels,
  listUsers,
  reactivateUser,
  registerQueue,
  removeAvatar,
  setAvatar,
  updateUser,
  updateUserByEmail,
} from '../../src/endpoints';
import { eg } from '../eg';
import { formBody, IAGO, startGateway, type TestGateway } from '../gateway';

const SUCCESS = { result: 'success', msg: '' };
const MUTATIONS = ['updateUser', 'deactivateUser', 'deactivateOwnUser', 'reactivateUser'];
const HIDDEN = eg.user({
  id: 12,
  email: 'user12@hidden.invalid',
  deliveryEmail: 'dan@acme.example',
  emailAddressVisibility: 3,
});
const BOT = eg.user({
  id: 13,
  isBot: true,
  botType: 1,
  botOwnerId: 11,
  email: 'b@acme.example',
  deliveryEmail: 'b@acme.example',
});
const UPLOADED = eg.user({ avatarSource: 'U', avatarFileName: 'f'.repeat(32), avatarVersion: 4 });

let gateway: TestGateway;
beforeEach(async () => {
  gateway = await startGateway();
  const answers = gateway.realm.answers as unknown as Record<string, unknown>;
  for (const name of MUTATIONS) answers[name] = async () => ({});
  gateway.realm.answers.getRegisterState = async () => eg.registerState({ users: [eg.user(), HIDDEN, BOT] });
  gateway.realm.answers.listUsers = async () => ({
    viewerRole: 400,
    users: [eg.user(), HIDDEN, BOT],
    profiles: [{ userId: 12, values: [{ fieldId: 4, value: 'x', renderedValue: '<p>x</p>' }] }],
  });
  gateway.realm.answers.findUser = async () => ({
    viewerRole: 400,
    user: HIDDEN,
    profile: [{ fieldId: 4, value: 'x' }],
  });
});
afterEach(() => gateway.stop());

const asked = (method: string) => gateway.realm.last(method);
const md5 = (text: string) => createHash('md5').update(text).digest('hex');
const upload = (...pictures: string[]) => {
  const parts = pictures.map(
    (bytes, n) => `--b\r\nContent-Disposition: form-data; name="f${n}"; filename="a.png"\r\n\r\n${bytes}\r\n`,
  );
  return gateway.request({
    method: 'POST',
    path: '/api/v1/users/me/avatar',
    headers: { 'Content-Type': 'multipart/form-data; boundary=b' },
    body: `${parts.join('')}--b--\r\n`,
  });
};

describe('GET /users', () => {
  test('lists all users as visible to the caller, with profiles on request only', async () => {
    const { json } = await gateway.call(listUsers, {});
    expect(asked('getUserLists')).toMatchObject({ viewerRole: 400, includesProfiles: false, isDivided: false });
    const [iago, dan, bot] = json.members;
    expect(iago).toMatchObject({ user_id: 11, delivery_email: 'iago@acme.example', is_active: true, avatar_url: null });
    expect(dan).toMatchObject({ email: HIDDEN.email, delivery_email: null, avatar_url: expect.any(String) });
    expect(bot).toMatchObject({ is_bot: true, bot_type: 1, bot_owner_id: 11 });
    for (const member of json.members) expect(member).not.toHaveProperty('profile_data');
  });

  test('adds profiles, and pictures that the client cannot compute', async () => {
    const { json } = await gateway.call(listUsers, {
      include_custom_profile_fields: true,
      client_gravatar: false,
      user_ids: [12, 13],
    });
    expect(asked('listUsers')).toEqual({ userIds: [12, 13], hasUserIds: true, includesProfiles: true });
    const [iago, dan, bot] = json.members;
    expect(iago).toMatchObject({ profile_data: {}, avatar_url: expect.stringContaining('/static/pictures/') });
    expect(dan.profile_data).toEqual({ 4: { value: 'x', rendered_value: '<p>x</p>' } });
    expect(bot).not.toHaveProperty('profile_data');
  });

  test('no picture reveals the hash of a hidden address', async () => {
    for (const role of [100, 400]) {
      gateway.realm.answers.listUsers = async () => ({ viewerRole: role, users: [HIDDEN], profiles: [] });
      const { text } = await gateway.call(listUsers, { client_gravatar: false, user_ids: [12] });
      expect(text).not.toContain(md5('dan@acme.example'));
      expect(text).not.toContain(md5(HIDDEN.email));
    }
  });
});

describe('GET /users/{user_id} and GET /users/{email}', () => {
  test('show one user', async () => {
    const { json } = await gateway.call(getUser, { user_id: 12 });
    expect(asked('findUser')).toEqual({ user: { id: 12 }, includesProfile: false });
    expect(json).toMatchObject({ ...SUCCESS, user: { user_id: 12, delivery_email: null, is_active: true } });
    expect(json.user).not.toHaveProperty('profile_data');
  });

  test('by address, and with profile values', async () => {
    const { json } = await gateway.call(getUserByEmail, {
      email: 'Dan+x@acme.example',
      include_custom_profile_fields: true,
    });
    expect(asked('findUser')).toEqual({ user: { email: 'Dan+x@acme.example' }, includesProfile: true });
    expect(json.user.profile_data).toEqual({ 4: { value: 'x' } });
  });

  test('pass the reason of a refusal on', async () => {
    gateway.realm.answers.findUser = async () => {
      throw new BadRequestError('No such user');
    };
    const answer = await gateway.call(getUser, { user_id: 99 });
    expect(answer).toMatchObject({ status: 400, json: { result: 'error', code: 'BAD_REQUEST', msg: 'No such user' } });
  });
});

test('POST /users makes an account', async () => {
  gateway.realm.answers.addUser = async () => ({ userId: 25 });
  const person = { email: 'dan@acme.example', password: 'correct horse', full_name: 'Dan' };
  const { json } = await gateway.call(addUser, person);
  expect(json).toEqual({ ...SUCCESS, user_id: 25 });
  expect(asked('addUser')).toEqual({ email: person.email, password: person.password, fullName: 'Dan' });
  const { status, json: refusal } = await gateway.request({
    method: 'POST',
    path: '/api/v1/users',
    ...formBody({ email: 'x' }),
  });
  expect([status, refusal.code, refusal.var_name]).toEqual([400, 'REQUEST_VARIABLE_MISSING', 'password']);
});

describe('PATCH /users/{user_id} and PATCH /users/{email}', () => {
  test('change the given fields', async () => {
    const profile_data = [
      { id: 1, value: 'text' },
      { id: 2, value: [11, 12] },
      { id: 3, value: null },
    ];
    const { json } = await gateway.call(updateUser, { user_id: 12, role: 600, full_name: 'Dan', profile_data });
    expect(json).toEqual(SUCCESS);
    expect(asked('updateUser')).toEqual({
      user: { id: 12 },
      role: 600,
      fullName: 'Dan',
      profileValues: [
        { fieldId: 1, text: 'text', userIds: null },
        { fieldId: 2, userIds: { ids: [11, 12] } },
        { fieldId: 3, userIds: null },
      ],
    });
    await gateway.call(updateUserByEmail, { email: 'dan@acme.example', new_email: 'd@acme.example' });
    expect(asked('updateUser')).toEqual({
      user: { email: 'dan@acme.example' },
      newEmail: 'd@acme.example',
      profileValues: [],
    });
  });

  test.each(['101', '0', 'null', '"x"'])('accept the five roles, and ignore null: %s', async (role) => {
    const answer = await gateway.request({ method: 'PATCH', path: '/api/v1/users/12', ...formBody({ role }) });
    if (role === 'null') return expect(answer.json).toEqual(SUCCESS);
    expect(answer.json.msg).toMatch(
      role === '"x"' ? 'role is not an integer' : 'Invalid role: Value error, Not in the list of possible values',
    );
  });
});

describe('accounts are deactivated and reactivated', () => {
  test('DELETE /users/{user_id}, with or without a mail', async () => {
    expect((await gateway.call(deactivateUser, { user_id: 12 })).json).toEqual(SUCCESS);
    expect(asked('deactivateUser')).toEqual({ userId: 12 });
    await gateway.call(deactivateUser, { user_id: 12, deactivation_notification_comment: '' });
    expect(asked('deactivateUser')).toEqual({ userId: 12, notificationComment: '' });
  });

  test('DELETE /users/me, except for the last owner', async () => {
    expect((await gateway.call(deactivateOwnUser, {})).json).toEqual(SUCCESS);
    gateway.realm.answers.deactivateOwnUser = async () => {
      throw new CannotDeactivateLastUserError('organization owner');
    };
    expect((await gateway.call(deactivateOwnUser, {})).json).toEqual({
      result: 'error',
      msg: 'Cannot deactivate the only organization owner.',
      code: 'CANNOT_DEACTIVATE_LAST_USER',
      is_last_owner: true,
      entity: 'organization owner',
    });
  });

  test('POST /users/{user_id}/reactivate', async () => {
    expect((await gateway.call(reactivateUser, { user_id: 12 })).json).toEqual(SUCCESS);
    expect(asked('reactivateUser')).toEqual({ userId: 12 });
  });
});

test('the subscriptions of a user: one channel, or all of them', async () => {
  gateway.realm.answers.listUserChannels = async () => ({ channelIds: [7] });
  expect((await gateway.call(getSubscriptionStatus, { user_id: 12, stream_id: 7 })).json.is_subscribed).toBe(true);
  expect(asked('listUserChannels')).toEqual({ userId: 12, channelId: 7 });
  gateway.realm.answers.listUserChannels = async () => ({ channelIds: [] });
  expect((await gateway.call(getSubscriptionStatus, { user_id: 12, stream_id: 7 })).json.is_subscribed).toBe(false);
  gateway.realm.answers.listUserChannels = async () => ({ channelIds: [7, 9] });
  expect((await gateway.call(getUserChannels, { user_id: 12 })).json).toEqual({
    ...SUCCESS,
    subscribed_channel_ids: [7, 9],
  });
});

describe('pictures', () => {
  test('are uploaded as a file, and removed', async () => {
    gateway.realm.answers.setAvatar = async () => UPLOADED;
    gateway.realm.answers.removeAvatar = async () => eg.user({ avatarVersion: 5 });
    const { json } = await upload('PNG');
    expect(json).toEqual({ ...SUCCESS, avatar_url: `/user_avatars/2/${'f'.repeat(32)}.png?version=4` });
    expect(gateway.realm.last<{ files: Buffer[] }>('setAvatar').files.map(String)).toEqual(['PNG']);
    expect((await gateway.call(removeAvatar, {})).json.avatar_url).toMatch(/pictures.*version=5$/);
  });

  test('that are not images are refused', async () => {
    gateway.realm.answers.setAvatar = async () => {
      throw new BadImageError('Invalid image format');
    };
    expect((await gateway.call(setAvatar, {})).json).toMatchObject({ code: 'BAD_IMAGE', msg: 'Invalid image format' });
  });

  test('are served without credentials, in two sizes, cacheable for ever', async () => {
    gateway.realm.answers.getAvatarImage = async (_call, { isMedium }) => ({
      bytes: Buffer.from(isMedium ? '500' : '100'),
    });
    for (const [suffix, body, isMedium] of [
      ['', '100', false],
      ['-medium', '500', true],
    ] as const) {
      const path = `/user_avatars/2/${'f'.repeat(32)}${suffix}.png?version=4`;
      const { status, headers, text } = await gateway.request({ path, as: false });
      expect([status, headers['content-type'], text]).toEqual([200, 'image/png', body]);
      expect(headers['cache-control']).toContain('immutable');
      expect(asked('getAvatarImage')).toEqual({ realmId: 2, fileName: 'f'.repeat(32), isMedium });
    }
    gateway.realm.answers.getAvatarImage = async () => ({ bytes: Buffer.alloc(0) });
    const absent = await gateway.request({ path: `/user_avatars/2/${'f'.repeat(32)}.png`, as: false });
    expect(absent.status).toBe(404);
    expect((await gateway.request({ path: '/user_avatars/2/11.png', as: false })).status).toBe(404);
  });

  test.each([
    ['/avatar/11', { id: 11 }, `/user_avatars/2/${'f'.repeat(32)}.png?version=4`],
    [
      '/avatar/iago@acme.example/medium',
      { email: 'iago@acme.example' },
      `/user_avatars/2/${'f'.repeat(32)}-medium.png?version=4`,
    ],
  ])('are found at %s', async (path, user, location) => {
    gateway.realm.answers.findUser = async () => ({ viewerRole: 400, user: UPLOADED, profile: [] });
    const { status, headers } = await gateway.request({ path });
    expect([status, headers.location]).toEqual([302, location]);
    expect(headers['cache-control']).toContain('no-store');
    expect(asked('findUser')).toEqual({ user, includesProfile: false });
    expect((await gateway.request({ path, as: false })).status).toBe(401);
  });

  test('of somebody whom the caller may not see is that of an unknown user, by id only', async () => {
    gateway.realm.answers.findUser = async () => {
      throw new InsufficientPermissionError();
    };
    for (const path of ['/avatar/12', '/avatar/12/medium', '/avatar/user12@hidden.invalid']) {
      const { status, headers } = await gateway.request({ path });
      expect([status, headers.location]).toEqual([302, avatarUrl(unknownUser(2, 12), false)]);
    }
    expect((await gateway.request({ path: '/avatar/iago@acme.example' })).status).toBe(400);
  });
});

describe('POST /register', () => {
  beforeEach(() => {
    gateway.realm.addAccount(IAGO.email, IAGO.key, eg.authentication({ role: 600 }));
    gateway.realm.answers.getRegisterState = async () => eg.registerState({ users: [eg.user()], unknownUserIds: [12] });
  });
  afterEach(() => gateway.realm.addAccount(IAGO.email, IAGO.key, eg.authentication()));
  const users = async (capabilities: { user_list_incomplete?: boolean }) => {
    const options = { fetch_event_types: ['realm_user'], client_capabilities: capabilities };
    return (await gateway.call(registerQueue, options)).json.realm_users;
  };

  test('has placeholders for users that the caller may not see', async () => {
    const { fullName } = unknownUser(2, 12);
    expect(await users({})).toMatchObject([
      { user_id: 11 },
      {
        user_id: 12,
        full_name: fullName,
        delivery_email: null,
        role: 400,
        date_joined: '1970-01-01T00:00+00:00',
        timezone: '',
        profile_data: {},
      },
    ]);
  });

  test('omits them for clients that do not need them', async () => {
    expect(await users({ user_list_incomplete: true })).toMatchObject([{ user_id: 11 }]);
  });
});
