import type { Caller } from '@parley/shared/rpc';
import { setRealm } from '../../test/channels';
import { contextOfTests, ownerOfEachTest } from '../../test/each-test';
import { newOrganization, newUser } from '../../test/examples';
import { publicEvents } from '../../test/public-events';
import { getOwnUser } from '../accounts/get-own-user';
import { getRegisterState } from '../register/get-register-state';
import { updateUserSettingsDefaults } from './update-user-settings-defaults';

const ctx = contextOfTests();
const olivia = ownerOfEachTest(ctx);

const DARK = [{ name: 'color_scheme', integer: 2 }];

async function colorOf(caller: Caller, list: 'settings' | 'settingsDefaults'): Promise<number | undefined> {
  const { personal } = await getRegisterState(ctx, caller);
  return personal?.[list].find(({ name }) => name === 'color_scheme')?.integer;
}

test('changed defaults are announced to everybody, once', async () => {
  await updateUserSettingsDefaults(ctx, olivia, { settings: DARK });
  await updateUserSettingsDefaults(ctx, olivia, { settings: DARK });
  const event = { type: 'realm_user_settings_defaults', op: 'update', property: 'color_scheme', value: 2 };
  expect(await publicEvents(ctx, olivia, 'realm_user_settings_defaults')).toEqual([
    { audience: { to: 'realm' }, event },
  ]);
  expect(await colorOf(olivia, 'settingsDefaults')).toBe(2);
});

test('accounts keep the defaults of their creation', async () => {
  const early = await newUser(ctx, olivia);
  await updateUserSettingsDefaults(ctx, olivia, { settings: DARK });
  const late = await newUser(ctx, olivia);
  await updateUserSettingsDefaults(ctx, olivia, { settings: [{ name: 'color_scheme', integer: 3 }] });
  const latest = await newUser(ctx, olivia);
  const bot = await newUser(ctx, olivia, { botType: 1, botOwnerEmail: olivia.email });
  const colors = await Promise.all([early, late, latest, bot].map((caller) => colorOf(caller, 'settings')));
  expect(colors).toEqual([1, 2, 3, 1]);
});

test('accounts begin in the language that their organization has at their creation, and keep it', async () => {
  const languageOf = async (caller: Caller) => {
    const { personal } = await getRegisterState(ctx, caller);
    return personal?.settings.find(({ name }) => name === 'default_language')?.text;
  };
  const early = await newUser(ctx, olivia);
  await setRealm(ctx, olivia, { default_language: 'de' });
  const late = await newUser(ctx, olivia);
  await updateUserSettingsDefaults(ctx, olivia, { settings: DARK });
  const dark = await newUser(ctx, olivia);
  await setRealm(ctx, olivia, { default_language: 'fr' });
  expect(await Promise.all([early, late, dark].map(languageOf))).toEqual(['en', 'de', 'de']);
  expect(await Promise.all([late, dark].map((caller) => colorOf(caller, 'settings')))).toEqual([1, 2]);
});

test('new accounts may begin with a hidden address', async () => {
  await updateUserSettingsDefaults(ctx, olivia, { settings: [{ name: 'email_address_visibility', integer: 4 }] });
  const iago = await newUser(ctx, olivia, { email: 'iago@example.com' });
  expect(await getOwnUser(ctx, iago)).toMatchObject({
    email: `user${iago.userId}@hidden.invalid`,
    deliveryEmail: 'iago@example.com',
    emailAddressVisibility: 4,
  });
});

test('organizations do not share their defaults', async () => {
  await updateUserSettingsDefaults(ctx, olivia, { settings: DARK });
  const stranger = await newOrganization(ctx);
  expect(await colorOf(stranger, 'settingsDefaults')).toBe(1);
  expect(await colorOf(await newUser(ctx, stranger), 'settings')).toBe(1);
});

test.each([
  [300, 'Must be an organization administrator'],
  [400, 'Must be an organization administrator'],
  [600, 'Must be an organization administrator'],
])('role %i changes nothing of it, whatever is asked', async (role, message) => {
  const caller = await newUser(ctx, olivia, { role });
  await expect(updateUserSettingsDefaults(ctx, caller, { settings: [{ name: 'nonsense' }] })).rejects.toMatchObject({
    message,
    code: 'UNAUTHORIZED_PRINCIPAL',
  });
});
