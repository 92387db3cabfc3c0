import { newCall } from '@parley/shared/rpc';
import { serveRealm } from './serve-realm';

const { connection } = serveRealm();

test('bots survive the network unchanged: absent fields stay absent', async () => {
  const { client } = connection();
  const owner = await client.createRealm(newCall(), {
    name: 'Example',
    subdomain: 'example',
    ownerEmail: 'olivia@example.com',
    ownerName: 'Olivia',
  });
  const caller = { ...newCall(), realmId: owner.realmId, userId: owner.userId };
  const { bot, apiKey } = await client.createBot(caller, {
    fullName: 'Robbie',
    shortName: 'robbie',
    domain: 'bots.invalid',
    botType: 3,
    payloadUrl: 'https://example.com/hook',
    interface: 1,
    configData: { a: '1' },
    defaultSendingChannel: 'general',
    defaultEventsChannel: '',
    hearsAllPublicChannels: false,
    files: [],
  });
  expect(bot).toMatchObject({
    user: { fullName: 'Robbie', botOwnerId: owner.userId },
    defaultSendingChannel: 'general',
    webhook: { payloadUrl: 'https://example.com/hook', interface: 1 },
    configData: { a: '1' },
  });
  expect(bot).not.toHaveProperty('defaultEventsChannel');
  const botId = bot?.user?.id as number;
  expect(await client.getBotApiKey(caller, { botId })).toEqual({ apiKey });
  const updated = await client.updateBot(caller, { botId, interface: 2, payloadUrl: '', configData: null, files: [] });
  expect(updated).toMatchObject({
    bot: { defaultSendingChannel: 'general', webhook: { payloadUrl: '', interface: 2 }, configData: { a: '1' } },
    ownerEmail: 'olivia@example.com',
  });
  await client.updateBot(caller, { botId, defaultSendingChannel: '', configData: { values: { b: '2' } }, files: [] });
  const { bots } = await client.listOwnBots(caller, {});
  expect(bots).toMatchObject([{ apiKey, bot: { configData: { a: '1', b: '2' } } }]);
  expect(bots[0]?.bot).not.toHaveProperty('defaultSendingChannel');
  const asBot = { ...caller, userId: botId };
  expect(await client.getOwnBotDefaults(asBot, {})).toEqual({ hearsAllPublicChannels: false });
  const state = await client.getRegisterState(caller, { includesSubscribers: false });
  expect(state.bots).toMatchObject([{ user: { id: botId }, webhook: { interface: 2 } }]);
  expect((await client.regenerateBotApiKey(caller, { botId })).apiKey).not.toBe(apiKey);
  await client.deactivateBot(caller, { botId });
  expect(await client.listOwnBots(caller, {})).toEqual({ bots: [] });
});

test('phones are registered over the network', async () => {
  const { client } = connection();
  const account = { name: 'Other', subdomain: 'other', ownerEmail: 'olivia@example.com', ownerName: 'Olivia' };
  const { realmId, userId } = await client.createRealm(newCall(), account);
  const caller = { ...newCall(), realmId, userId };
  await client.addPushToken(caller, { kind: 'apns', token: 'c0ffee', appId: 'com.example' });
  await client.removePushToken(caller, { kind: 'apns', token: 'c0ffee' });
  await expect(client.sendTestPush(caller, { token: 'c0ffee' })).rejects.toMatchObject({
    name: 'InvalidPushDeviceTokenError',
  });
  await expect(client.sendTestPush(caller, {})).rejects.toMatchObject({ name: 'PushServiceNotConfiguredError' });
  await expect(client.registerPushDevice(caller, {})).rejects.toMatchObject({ name: 'PushServiceNotConfiguredError' });
  await expect(client.sendEncryptedTestPush(caller, {})).rejects.toMatchObject({ name: 'NoActivePushDeviceError' });
});
