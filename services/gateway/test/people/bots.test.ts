import {
  BadRequestError,
  InvalidPushDeviceTokenError,
  NoActivePushDeviceError,
  PushServiceNotConfiguredError,
} from '@parley/shared/errors';
import type { Bot } from '@parley/shared/proto';
import {
  addApnsToken,
  addFcmToken,
  addWebPushSubscription,
  createBigBlueButtonCall,
  createBot,
  createZoomCall,
  deactivateBot,
  getBotApiKey,
  getWebPushSubscriptions,
  listOwnBots,
  regenerateBotApiKey,
  registerPushDevice,
  registerQueue,
  removeApnsToken,
  removeFcmToken,
  removeWebPushSubscription,
  sendEncryptedTestPush,
  sendTestPush,
  updateBot,
} from '../../src/endpoints';
import { eg } from '../eg';
import { formBody, startGateway, type TestGateway } from '../gateway';

const KEY = eg.key('b');
const BOT: Bot = {
  user: eg.user({
    id: 30,
    email: 'robbie-bot@bots.invalid',
    fullName: 'Robbie',
    isBot: true,
    botType: 3,
    botOwnerId: 11,
  }),
  defaultSendingChannel: 'social',
  hearsAllPublicChannels: true,
  webhook: { payloadUrl: 'https://example.com/hook', interface: 2, token: eg.key('t') },
  configData: { a: '1' },
};
const DEFAULTS = {
  default_sending_stream: 'social',
  default_events_register_stream: null,
  default_all_public_streams: true,
};

let gateway: TestGateway;
beforeEach(async () => {
  gateway = await startGateway();
  const nothing = async () => ({});
  const key = async () => ({ apiKey: KEY });
  Object.assign(gateway.realm.answers, {
    createBot: async () => ({ bot: BOT, apiKey: KEY }),
    listOwnBots: async () => ({ bots: [{ bot: BOT, apiKey: KEY }] }),
    updateBot: async () => ({ bot: BOT, ownerEmail: 'iago@acme.example' }),
    deactivateBot: nothing,
    getBotApiKey: key,
    regenerateBotApiKey: key,
  });
  Object.assign(gateway.scheduler.answers, { addPushDevice: nothing, removePushDevice: nothing });
});
afterEach(() => gateway.stop());

const SUCCESS = { result: 'success', msg: '' };
const asked = (method: string) => gateway.realm.last(method);
const askedScheduler = (method: string) => gateway.scheduler.last(method);
const send = (method: string, path: string, form: Record<string, string>) =>
  gateway.request({ method, path: `/api/v1${path}`, ...formBody(form) });

function multipart(parts: Record<string, string>, files: readonly string[]) {
  const lines = [
    ...Object.entries(parts).map(
      ([name, value]) => `--B\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    ),
    ...files.map((bytes) => `--B\r\nContent-Disposition: form-data; name="file"; filename="x.png"\r\n\r\n${bytes}\r\n`),
    '--B--\r\n',
  ];
  return { headers: { 'Content-Type': 'multipart/form-data; boundary=B' }, body: lines.join('') };
}

describe('POST /bots', () => {
  const path = '/api/v1/bots';

  test('passes all parameters on, with the file, and answers the key', async () => {
    const form = {
      full_name: 'Robbie',
      short_name: 'robbie',
      bot_type: '3',
      payload_url: '"https://example.com/hook"',
      interface_type: '2',
      service_name: 'hook',
      config_data: '{"a":"1"}',
      default_sending_stream: 'social',
      default_all_public_streams: 'true',
    };
    const answer = await gateway.request({ method: 'POST', path, ...multipart(form, ['png']) });
    expect(answer.json).toEqual({
      ...SUCCESS,
      user_id: 30,
      api_key: KEY,
      avatar_url: expect.stringContaining('/static/pictures/'),
      ...DEFAULTS,
    });
    expect(asked('createBot')).toEqual({
      fullName: 'Robbie',
      shortName: 'robbie',
      domain: 'chat.example',
      botType: 3,
      payloadUrl: 'https://example.com/hook',
      interface: 2,
      serviceName: 'hook',
      configData: { a: '1' },
      defaultSendingChannel: 'social',
      defaultEventsChannel: '',
      hearsAllPublicChannels: true,
      files: [Buffer.from('png')],
    });
  });

  test('has defaults for omitted parameters', async () => {
    await gateway.call(createBot, { full_name: 'Robbie', short_name: 'robbie' });
    expect(asked('createBot')).toMatchObject({
      botType: 1,
      payloadUrl: '',
      interface: 1,
      configData: {},
      hearsAllPublicChannels: false,
      files: [],
    });
    expect(asked('createBot')).not.toHaveProperty('serviceName');
  });

  test.each([
    [{ full_name: 'Robbie' }, "Missing 'short_name' argument"],
    [{ full_name: 'Robbie', short_name: 'r', bot_type: 'x' }, 'bot_type is not valid JSON'],
    [{ full_name: 'Robbie', short_name: 'r', config_data: '{"a":1}' }, 'config_data["a"] is not a string'],
    [
      { full_name: 'Robbie', short_name: 'r', default_all_public_streams: '1' },
      'default_all_public_streams is not a boolean',
    ],
  ])('refuses %j', async (form, msg) => {
    expect(await send('POST', '/bots', form)).toMatchObject({ status: 400, json: { msg } });
  });

  test.each(['http://x.example/hook', '"http://x.example/hook"'])('takes an address written as %s', async (sent) => {
    await send('POST', '/bots', { full_name: 'Robbie', short_name: 'r', bot_type: '3', payload_url: sent });
    expect(asked('createBot')).toMatchObject({ payloadUrl: 'http://x.example/hook' });
    await send('PATCH', '/bots/31', { service_payload_url: sent });
    expect(asked('updateBot')).toMatchObject({ payloadUrl: 'http://x.example/hook' });
  });

  test('large numbers are not truncated', async () => {
    await send('POST', '/bots', { full_name: 'Robbie', short_name: 'r', bot_type: '4294967297' });
    expect(asked('createBot')).toMatchObject({ botType: 4_294_967_297 });
  });
});

test('GET /bots lists them with their keys', async () => {
  const answer = await gateway.call(listOwnBots, {});
  expect(answer.json).toEqual({
    ...SUCCESS,
    bots: [
      {
        username: 'robbie-bot@bots.invalid',
        full_name: 'Robbie',
        api_key: KEY,
        avatar_url: expect.stringContaining('/static/pictures/'),
        ...DEFAULTS,
      },
    ],
  });
});

describe('PATCH /bots/{bot_id}', () => {
  test('passes the changes on, and answers the changed bot', async () => {
    const answer = await gateway.call(updateBot, {
      bot_id: 30,
      full_name: 'Robbie',
      role: 300,
      bot_owner_id: 11,
      config_data: { a: '1' },
      service_payload_url: 'https://example.com/hook',
      default_events_register_stream: '',
      default_all_public_streams: true,
    });
    expect(answer.json).toEqual({
      ...SUCCESS,
      full_name: 'Robbie',
      avatar_url: expect.stringContaining('/static/pictures/'),
      service_interface: 2,
      service_payload_url: 'https://example.com/hook',
      config_data: { a: '1' },
      ...DEFAULTS,
      bot_owner: 'iago@acme.example',
    });
    expect(asked('updateBot')).toMatchObject({
      botId: 30,
      fullName: 'Robbie',
      role: 300,
      ownerId: 11,
      configData: { values: { a: '1' } },
      payloadUrl: 'https://example.com/hook',
      interface: 1,
      defaultEventsChannel: '',
      hearsAllPublicChannels: true,
    });
    expect(asked('updateBot')).not.toHaveProperty('defaultSendingChannel');
  });

  test('accepts a file only, and leaves the rest unchanged', async () => {
    await gateway.request({
      method: 'PATCH',
      path: '/api/v1/bots/30',
      ...multipart({ service_interface: '2' }, ['png']),
    });
    expect(asked('updateBot')).toEqual({ botId: 30, configData: null, files: [Buffer.from('png')] });
  });

  test('shows no address for a bot without one', async () => {
    const { webhook: _none, ...plain } = BOT;
    gateway.realm.answers.updateBot = async () => ({
      bot: { ...plain, webhook: null },
      ownerEmail: 'iago@acme.example',
    });
    const { json } = await gateway.call(updateBot, { bot_id: 30 });
    expect(json).toMatchObject({ service_interface: 1, service_payload_url: null });
  });
});

test('bots are deactivated, and their keys shown and replaced', async () => {
  expect((await gateway.call(deactivateBot, { bot_id: 30 })).json).toEqual(SUCCESS);
  expect(asked('deactivateBot')).toEqual({ botId: 30 });
  expect((await gateway.call(getBotApiKey, { bot_id: 30 })).json).toEqual({ ...SUCCESS, api_key: KEY });
  expect((await gateway.call(regenerateBotApiKey, { bot_id: 30 })).json).toEqual({ ...SUCCESS, api_key: KEY });
  expect(asked('regenerateBotApiKey')).toEqual({ botId: 30 });
});

test('POST /register lists the bots that the caller manages, without their keys', async () => {
  gateway.realm.answers.getRegisterState = async () => eg.registerState({ bots: [BOT] });
  const { json } = await gateway.call(registerQueue, { fetch_event_types: ['realm_bot', 'realm_embedded_bots'] });
  expect(json.realm_embedded_bots).toEqual([]);
  expect(json.realm_bots).toEqual([
    {
      user_id: 30,
      full_name: 'Robbie',
      email: 'robbie-bot@bots.invalid',
      bot_type: 3,
      is_active: true,
      owner_id: 11,
      avatar_url: expect.stringContaining('/static/pictures/'),
      ...DEFAULTS,
      services: [{ base_url: 'https://example.com/hook', interface: 2, token: eg.key('t') }],
    },
  ]);
});

describe('phones', () => {
  test('are registered by kind', async () => {
    expect((await gateway.call(addApnsToken, { token: 'c0ffee', appid: 'com.example' })).json).toEqual(SUCCESS);
    const apiKeyId = expect.any(Number);
    expect(askedScheduler('addPushDevice')).toEqual({ kind: 'apns', token: 'c0ffee', appId: 'com.example', apiKeyId });
    expect((await gateway.call(addFcmToken, { token: 'phone' })).json).toEqual(SUCCESS);
    expect(askedScheduler('addPushDevice')).toEqual({ kind: 'fcm', token: 'phone', apiKeyId });
    expect((await gateway.call(removeApnsToken, { token: 'c0ffee' })).json).toEqual(SUCCESS);
    expect(askedScheduler('removePushDevice')).toEqual({ kind: 'apns', token: 'c0ffee' });
    expect((await gateway.call(removeFcmToken, { token: 'phone' })).json).toEqual(SUCCESS);
    expect(askedScheduler('removePushDevice')).toEqual({ kind: 'fcm', token: 'phone' });
    expect(await send('POST', '/users/me/apns_device_token', { token: 'c0ffee' })).toMatchObject({
      status: 400,
      json: { code: 'REQUEST_VARIABLE_MISSING', var_name: 'appid' },
    });
  });

  test('so are browsers, with the key for them', async () => {
    const endpoint = 'https://push.example.com/1';
    const subscription = { endpoint, p256dh: 'key', auth: 'secret' };
    expect((await gateway.call(addWebPushSubscription, subscription)).json).toEqual(SUCCESS);
    const keys = { p256dh: 'key', auth: 'secret' };
    const apiKeyId = expect.any(Number);
    expect(askedScheduler('addPushDevice')).toEqual({ kind: 'web', token: endpoint, ...keys, apiKeyId });
    expect((await gateway.call(removeWebPushSubscription, { endpoint })).json).toEqual(SUCCESS);
    expect(askedScheduler('removePushDevice')).toEqual({ kind: 'web', token: endpoint });
    const { answers } = gateway.scheduler;
    answers.listWebPushSubscriptions = async () => ({ subscriptions: [] });
    expect((await gateway.call(getWebPushSubscriptions, {})).json).toMatchObject({
      application_server_key: null,
      subscriptions: [],
    });
    answers.listWebPushSubscriptions = async () => ({
      applicationServerKey: 'public',
      subscriptions: [{ endpoint, registeredAtMs: 5_000 }],
    });
    expect((await gateway.call(getWebPushSubscriptions, {})).json).toMatchObject({
      application_server_key: 'public',
      subscriptions: [{ endpoint, registered_at: 5 }],
    });
  });

  test('have ids, which are listed for their account', async () => {
    Object.assign(gateway.realm.answers, {
      registerClientDevice: async () => ({ deviceId: 5 }),
      removeClientDevice: async () => ({}),
    });
    expect((await send('POST', '/register_client_device', {})).json).toEqual({ ...SUCCESS, device_id: 5 });
    expect((await send('POST', '/remove_client_device', { device_id: '5' })).json).toEqual(SUCCESS);
    expect(asked('removeClientDevice')).toEqual({ deviceId: 5 });
  });

  test('get no notifications without a push service', async () => {
    gateway.scheduler.answers.testPush = async (_call, { token }) => {
      throw token === undefined ? new PushServiceNotConfiguredError() : new InvalidPushDeviceTokenError();
    };
    Object.assign(gateway.realm.answers, {
      registerPushDevice: async () => {
        throw new PushServiceNotConfiguredError();
      },
      sendEncryptedTestPush: async () => {
        throw new NoActivePushDeviceError();
      },
    });
    const notConfigured = {
      result: 'error',
      code: 'PUSH_SERVICE_NOT_CONFIGURED',
      msg: 'Server is not configured to use push notification service.',
    };
    const registration = {
      token_kind: 'fcm' as const,
      push_account_id: 2408,
      push_public_key: 'key',
      bouncer_public_key: 'key',
      encrypted_push_registration: 'data',
    };
    expect((await gateway.call(sendTestPush, {})).json).toEqual(notConfigured);
    expect((await gateway.call(sendTestPush, { token: 'other' })).json).toMatchObject({
      code: 'INVALID_PUSH_DEVICE_TOKEN',
    });
    expect((await gateway.call(registerPushDevice, registration)).json).toEqual(notConfigured);
    expect((await gateway.call(sendEncryptedTestPush, { push_account_id: 1 })).json).toMatchObject({
      code: 'NO_ACTIVE_PUSH_DEVICE',
      msg: 'No active registered push device',
    });
    expect(
      (await send('POST', '/mobile_push/register', { ...registration, token_kind: 'x' } as never)).json,
    ).toMatchObject({
      msg: 'Invalid token_kind',
    });
  });
});

describe('the storage of a bot', () => {
  const entries = [
    { key: 'a', value: '1' },
    { key: 'b', value: '' },
  ];
  const path = '/api/v1/bot_storage';

  test('is written by key', async () => {
    gateway.realm.answers.putBotStorage = async () => ({});
    expect((await send('PUT', '/bot_storage', { storage: '{"a":"1","b":""}' })).json).toEqual(SUCCESS);
    expect(asked('putBotStorage')).toEqual({ entries });
    expect((await send('PUT', '/bot_storage', { storage: '{"a":1}' })).json.msg).toBe('storage["a"] is not a string');
  });

  test('is read, as a whole or by keys', async () => {
    gateway.realm.answers.getBotStorage = async () => ({ entries });
    expect((await gateway.request({ path })).json).toEqual({ ...SUCCESS, storage: { a: '1', b: '' } });
    expect(asked('getBotStorage')).toEqual({ keys: null });
    await gateway.request({ path: `${path}?keys=["a"]` });
    expect(asked('getBotStorage')).toEqual({ keys: { keys: ['a'] } });
  });

  test('is deleted, as a whole or by keys', async () => {
    gateway.realm.answers.removeBotStorage = async () => ({});
    expect((await send('DELETE', '/bot_storage', { keys: '["a"]' })).json).toEqual(SUCCESS);
    expect(asked('removeBotStorage')).toEqual({ keys: { keys: ['a'] } });
    await gateway.request({ method: 'DELETE', path });
    expect(asked('removeBotStorage')).toEqual({ keys: null });
  });
});

test('video calls need a configured provider', async () => {
  expect(await gateway.call(createBigBlueButtonCall, { meeting_name: 'lunch', voice_only: true })).toMatchObject({
    status: 400,
    json: { code: 'BAD_REQUEST', msg: 'BigBlueButton is not configured.' },
  });
  expect(await gateway.call(createZoomCall, {})).toMatchObject({
    status: 400,
    json: { code: 'BAD_REQUEST', msg: 'Zoom credentials have not been configured' },
  });
});

test('refusals of realm are passed on unchanged', async () => {
  gateway.realm.answers.getBotApiKey = async () => {
    throw new BadRequestError('No such bot');
  };
  expect(await gateway.call(getBotApiKey, { bot_id: 5 })).toMatchObject({ status: 400, json: { msg: 'No such bot' } });
});

describe('the default narrow of a bot’s queue', () => {
  const as = { email: 'robbie-bot@bots.invalid', key: KEY };
  const register = async (form: Record<string, string>, caller?: typeof as) => {
    await gateway.request({
      method: 'POST',
      path: '/api/v1/register',
      ...formBody(form),
      ...(caller && { as: caller }),
    });
    const { narrow, allPublicChannels } = gateway.events.last('createQueue');
    return { narrow, allPublicChannels };
  };

  beforeEach(() => {
    gateway.realm.addAccount(as.email, as.key, eg.authentication({ userId: 30, isBot: true, botType: 1 }));
    gateway.realm.answers.getOwnBotDefaults = async () => ({ eventsChannel: 'social', hearsAllPublicChannels: true });
  });

  test('is set by its owner, and overridden by parameters', async () => {
    const social = [{ operator: 'channel', operand: 'social' }];
    const lunch = { narrow: '[["topic", "lunch"]]' };
    expect(await register({}, as)).toEqual({ narrow: social, allPublicChannels: true });
    expect(await register({ all_public_streams: 'false' }, as)).toEqual({ narrow: social, allPublicChannels: false });
    expect(await register(lunch, as)).toMatchObject({ narrow: [{ operand: 'lunch' }], allPublicChannels: true });
  });

  test('is empty where nothing is set, and for people', async () => {
    expect(await register({})).toEqual({ narrow: [], allPublicChannels: false });
    gateway.realm.answers.getOwnBotDefaults = async () => ({ hearsAllPublicChannels: false });
    expect(await register({}, as)).toEqual({ narrow: [], allPublicChannels: false });
  });
});
