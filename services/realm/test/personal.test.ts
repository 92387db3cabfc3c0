import type { UserSetting } from '@parley/shared/proto';
import { newCall } from '@parley/shared/rpc';
import { serveRealm } from './serve-realm';

const { connection } = serveRealm();

test('personal settings and lists cross the network as they are', async () => {
  const { client } = connection();
  const account = { name: 'Example', subdomain: 'example', ownerEmail: 'olivia@example.com', ownerName: 'Olivia' };
  const owner = await client.createRealm(newCall(), { ...account, ownerPassword: 'correct horse' });
  const wanted = { subdomain: 'example', email: 'iago@example.com', fullName: 'Iago', role: 400 };
  const member = await client.createUser(newCall(), wanted);
  const caller = { ...newCall(), realmId: owner.realmId, userId: owner.userId };

  const settings = [
    { name: 'enter_sends', boolean: false },
    { name: 'color_scheme', integer: 3 },
    { name: 'default_language', text: 'de' },
  ];
  await client.updateUserSettings(caller, { settings, fullName: 'Olivia O', timezone: 'Europe/Berlin' });
  await client.updateUserSettingsDefaults(caller, { settings: [{ name: 'enter_sends', boolean: true }] });
  await client.updateUserStatus(caller, { emojiName: 'smile' });
  await client.updateUserStatus(caller, { userId: member.userId, statusText: 'new here' });
  await client.muteUser(caller, { userId: member.userId });
  await client.addAlertWords(caller, { words: ['lunch', 'tea'] });
  expect(await client.removeAlertWords(caller, { words: ['tea'] })).toEqual({ words: ['lunch'] });
  await client.addNavigationView(caller, { fragment: 'inbox', isPinned: false });
  await client.addNavigationView(caller, { fragment: 'own', isPinned: true, name: 'Own' });
  await client.updateNavigationView(caller, { fragment: 'own', name: 'Mine' });
  expect((await client.getNavigationViews(caller, {})).views).toMatchObject([
    { fragment: 'inbox', isPinned: false },
    { fragment: 'own', isPinned: true, name: 'Mine' },
  ]);

  const { personal } = await client.getRegisterState(caller, { includesSubscribers: false });
  const settingOf = (list: UserSetting[] | undefined, name: string) => list?.find((setting) => setting.name === name);
  expect(settingOf(personal?.settings, 'enter_sends')).toMatchObject({ boolean: false });
  expect(settingOf(personal?.settings, 'color_scheme')).toMatchObject({ integer: 3 });
  expect(settingOf(personal?.settings, 'default_language')).toMatchObject({ text: 'de' });
  expect(settingOf(personal?.settingsDefaults, 'enter_sends')).toMatchObject({ boolean: true });
  expect(personal).toMatchObject({
    alertWords: ['lunch'],
    mutedUsers: [{ userId: member.userId }],
    statuses: [
      { statusText: '', emoji: { name: 'smile', code: '1f642' } },
      { statusText: 'new here', emoji: null },
    ],
  });
  expect(await client.getUserStatus(caller, { userId: member.userId })).toMatchObject({ statusText: 'new here' });

  await client.unmuteUser(caller, { userId: member.userId });
  await client.removeNavigationView(caller, { fragment: 'own' });
  expect(await client.getAlertWords(caller, {})).toEqual({ words: ['lunch'] });
});

test('keys are created and revoked by their methods', async () => {
  const { client } = connection();
  const account = { name: 'Other', subdomain: 'other', ownerEmail: 'olivia@example.com', ownerName: 'Olivia' };
  const owner = await client.createRealm(newCall(), { ...account, ownerPassword: 'correct horse' });
  const caller = { ...newCall(), realmId: owner.realmId, userId: owner.userId };
  const login = { subdomain: 'other', username: 'olivia@example.com', label: 'phone' };
  expect(await client.fetchApiKey(newCall(), { ...login, password: 'correct horse', address: '' })).toMatchObject({
    userId: owner.userId,
    deliveryEmail: 'olivia@example.com',
  });
  await client.devFetchApiKey(newCall(), login);
  const { keys } = await client.getApiKeys(caller, {});
  expect(keys.map(({ label }) => label)).toEqual(['', 'phone', 'phone']);
  await client.revokeApiKey(caller, { keyId: keys[1]?.id as number });
  await client.regenerateApiKey(caller, {});
  expect((await client.getApiKeys(caller, {})).keys).toHaveLength(1);
  await expect(client.fetchApiKey(newCall(), { ...login, password: 'wrong', address: '' })).rejects.toMatchObject({
    name: 'AuthenticationFailedError',
    httpStatus: 401,
  });
});
