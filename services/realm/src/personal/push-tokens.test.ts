import { contextOfTests, ownerOfEachTest } from '../../test/each-test';
import { newUser, type Person } from '../../test/examples';
import { regenerateApiKey } from '../api-keys/api-keys';
import { addPushToken, registerPushDevice, removePushToken, sendEncryptedTestPush, sendTestPush } from './push-tokens';

const ctx = contextOfTests();
const olivia = ownerOfEachTest(ctx);

const tokensOf = ({ userId }: Person) =>
  ctx.db.query(
    'select kind, token, app_id as "appId" from push_token where user_id = $1 order by registered_at, token',
    [userId],
  );

describe('registering a phone', () => {
  test('is done once per kind and token, and undone', async () => {
    const apple = { kind: 'apns', token: 'c0ffee', appId: 'com.example.Chat' };
    await addPushToken(ctx, olivia, { ...apple, appId: 'other' });
    await addPushToken(ctx, olivia, apple);
    await addPushToken(ctx, olivia, { kind: 'fcm', token: 'c0ffee' });
    expect(await tokensOf(olivia)).toEqual([apple, { kind: 'fcm', token: 'c0ffee', appId: null }]);
    await removePushToken(ctx, olivia, { kind: 'fcm', token: 'c0ffee' });
    expect(await tokensOf(olivia)).toEqual([apple]);
    await expect(removePushToken(ctx, olivia, { kind: 'fcm', token: 'c0ffee' })).rejects.toThrow(
      'Token does not exist',
    );
    const iago = await newUser(ctx, olivia);
    await expect(removePushToken(ctx, iago, apple)).rejects.toMatchObject({
      name: 'NothingToDoError',
      message: 'Token does not exist',
    });
  });

  test('takes tokens of any length up to the bound', async () => {
    const token = 'aB0-_:'.repeat(682);
    await addPushToken(ctx, olivia, { kind: 'fcm', token });
    expect(await tokensOf(olivia)).toMatchObject([{ token }]);
  });

  test('lets the ones registered longest ago make room', async () => {
    await addPushToken(ctx, olivia, { kind: 'fcm', token: 'first' });
    ctx.clock.advance(1_000);
    for (let n = 0; n < 100; n++) await addPushToken(ctx, olivia, { kind: 'fcm', token: `t${n}` });
    const tokens = await tokensOf(olivia);
    expect(tokens).toHaveLength(100);
    expect(tokens).not.toContainEqual({ kind: 'fcm', token: 'first', appId: null });
  });

  test.each([
    [{ kind: 'fcm', token: '' }, 'Empty or invalid length token'],
    [{ kind: 'fcm', token: 'x'.repeat(4_097) }, 'Empty or invalid length token'],
    [{ kind: 'fcm', token: 'a\0' }, 'Invalid characters in token'],
    [{ kind: 'apns', token: '', appId: 'a b' }, 'Invalid app ID'],
    [{ kind: 'apns', token: 'a', appId: 'x'.repeat(256) }, 'Invalid app ID'],
    [{ kind: 'apns', token: '', appId: 'a' }, 'Empty or invalid length token'],
    [{ kind: 'apns', token: 'no token', appId: 'a' }, 'Invalid APNS token'],
    [{ kind: 'apns', token: 'abc', appId: 'a' }, 'Invalid APNS token'],
  ])('refuses %j', async (wrong, message) => {
    await expect(addPushToken(ctx, olivia, wrong)).rejects.toThrow(message);
  });

  test('ends with a new key for all', async () => {
    await addPushToken(ctx, olivia, { kind: 'fcm', token: 'phone' });
    await regenerateApiKey(ctx, olivia);
    expect(await tokensOf(olivia)).toEqual([]);
  });
});

describe('without a service that carries notifications', () => {
  test('a test says so, if it knows the phone', async () => {
    await addPushToken(ctx, olivia, { kind: 'fcm', token: 'phone' });
    for (const request of [{}, { token: 'phone' }]) {
      await expect(sendTestPush(ctx, olivia, request)).rejects.toMatchObject({ code: 'PUSH_SERVICE_NOT_CONFIGURED' });
    }
    await expect(sendTestPush(ctx, olivia, { token: 'other' })).rejects.toMatchObject({
      code: 'INVALID_PUSH_DEVICE_TOKEN',
      message: 'Device not recognized',
    });
  });

  test('devices for encrypted notifications are not registered', async () => {
    await expect(registerPushDevice(ctx, olivia)).rejects.toMatchObject({ code: 'PUSH_SERVICE_NOT_CONFIGURED' });
    await expect(sendEncryptedTestPush(ctx, olivia)).rejects.toMatchObject({ code: 'NO_ACTIVE_PUSH_DEVICE' });
  });
});

test('all of it is for people', async () => {
  const bot = await newUser(ctx, olivia, { botType: 1, botOwnerEmail: olivia.email });
  const token = { kind: 'fcm', token: 'phone' };
  const attempts = [
    () => addPushToken(ctx, bot, token),
    () => removePushToken(ctx, bot, token),
    () => sendTestPush(ctx, bot, {}),
    () => registerPushDevice(ctx, bot),
    () => sendEncryptedTestPush(ctx, bot),
  ];
  for (const attempt of attempts)
    await expect(attempt()).rejects.toThrow('This endpoint does not accept bot requests.');
});
