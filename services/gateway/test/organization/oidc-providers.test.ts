import {
  addOidcProvider,
  forgetOidcIdentities,
  listOidcProviders,
  removeOidcProvider,
  testOidcProvider,
  updateOidcProvider,
} from '../../src/endpoints';
import { startGateway, type TestGateway } from '../gateway';

const SETTINGS = {
  displayName: 'Acme ID',
  iconUrl: '',
  issuer: 'https://id.acme.example',
  clientId: 'parley',
  scopes: ['openid', 'email', 'profile'],
  newAccounts: 'invite_only',
  keysEndAt: 'deactivation',
  groupsClaim: '',
  groupRules: [],
  rolesClaim: '',
  roleRules: [],
};
const NAMED = { display_name: 'Acme ID', issuer: 'https://id.acme.example', client_id: 'parley' };

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
  gateway.realm.answers.listOidcProviderSettings = async () => ({
    providers: [{ id: 7, settings: SETTINGS, hasClientSecret: true }],
  });
});
afterAll(() => gateway.stop());

test('a provider is listed with the addresses that belong to it, and without its secret', async () => {
  const { json } = await gateway.call(listOidcProviders, {});
  expect(json.oidc_providers).toEqual([
    {
      id: 7,
      ...NAMED,
      icon_url: '',
      has_client_secret: true,
      scopes: ['openid', 'email', 'profile'],
      new_accounts: 'invite_only',
      keys_end_at: 'deactivation',
      groups_claim: '',
      group_rules: [],
      roles_claim: '',
      role_rules: [],
      callback_url: 'https://chat.example/accounts/oidc/7/callback',
      logout_url: 'https://chat.example/accounts/oidc/7/logout',
    },
  ]);
});

test('a provider needs three settings, and begins with careful ones otherwise', async () => {
  gateway.realm.answers.addOidcProvider = async () => ({ providerId: 8 });
  const { json } = await gateway.call(addOidcProvider, { ...NAMED, client_secret: 'a secret' });
  expect(json).toMatchObject({ id: 8, callback_url: 'https://chat.example/accounts/oidc/8/callback' });
  expect(gateway.realm.last('addOidcProvider')).toEqual({ settings: SETTINGS, clientSecret: 'a secret' });
});

test('a change leaves what it does not name, and the secret', async () => {
  gateway.realm.answers.updateOidcProvider = async () => ({});
  const change = { groups_claim: 'groups', group_rules: [{ value: 'staff', group_id: 12 }], new_accounts: 'everyone' };
  await gateway.call(updateOidcProvider, { provider_id: 7, ...change } as never);
  expect(gateway.realm.last('updateOidcProvider')).toEqual({
    providerId: 7,
    settings: {
      ...SETTINGS,
      groupsClaim: 'groups',
      groupRules: [{ value: 'staff', groupId: 12 }],
      newAccounts: 'everyone',
    },
  });
  await gateway.call(updateOidcProvider, { provider_id: 7, client_secret: '' });
  expect(gateway.realm.last('updateOidcProvider')).toEqual({ providerId: 7, settings: SETTINGS, clientSecret: '' });
  const unknown = await gateway.call(updateOidcProvider, { provider_id: 9, display_name: 'Other' });
  expect(unknown).toMatchObject({ status: 404, json: { code: 'NOT_FOUND' } });
});

test('a provider is tested and removed', async () => {
  const found = { faults: ['It has no keys.'], authorizationEndpoint: '', tokenEndpoint: '', keys: 0 };
  gateway.realm.answers.testOidcProvider = async () => ({ ...found, hasBackchannelLogout: false });
  gateway.realm.answers.removeOidcProvider = async () => ({});
  expect((await gateway.call(testOidcProvider, { provider_id: 7 })).json).toMatchObject({
    faults: ['It has no keys.'],
    keys: 0,
    has_backchannel_logout: false,
  });
  await gateway.call(removeOidcProvider, { provider_id: 7 });
  expect(gateway.realm.last('removeOidcProvider')).toEqual({ providerId: 7 });
});

test('what is known of somebody at providers is forgotten', async () => {
  gateway.realm.answers.forgetOidcIdentities = async () => ({ count: 2 });
  expect((await gateway.call(forgetOidcIdentities, { user_id: 12 })).json).toMatchObject({ count: 2 });
  expect(gateway.realm.last('forgetOidcIdentities')).toEqual({ userId: 12 });
});
