import { NonexistentSubdomainError } from '@parley/shared/errors';
import { getOwnUser, getServerSettings } from '../../src/endpoints';
import { eg } from '../eg';
import { startGateway, type TestGateway } from '../gateway';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway({ API_BRANDS: ['service', 'acme'] });
});
afterAll(() => gateway.stop());

describe('GET /users/me', () => {
  test("shows the caller's own account", async () => {
    const answer = await gateway.call(getOwnUser, {});
    expect(answer.json).toEqual({
      result: 'success',
      msg: '',
      user_id: 11,
      email: 'iago@acme.example',
      delivery_email: 'iago@acme.example',
      full_name: 'Iago',
      date_joined: '2019-10-20T07:50+00:00',
      role: 400,
      is_owner: false,
      is_admin: false,
      is_billing_admin: false,
      is_guest: false,
      is_bot: false,
      is_active: true,
      timezone: 'Europe/Berlin',
      avatar_url: '/static/pictures/11/I.svg?version=1',
      avatar_version: 1,
      profile_data: {},
      max_message_id: 501,
    });
  });

  test('shows the real address however hidden it is from others', async () => {
    gateway.realm.answers.getOwnUser = async () =>
      eg.user({ role: 600, email: 'user11@chat.example', emailAddressVisibility: 4 });
    const { json } = await gateway.call(getOwnUser, {});
    expect(json).toMatchObject({ email: 'user11@chat.example', delivery_email: 'iago@acme.example', is_guest: true });
  });
});

describe('GET /server_settings', () => {
  test('answers every client without credentials, by the names of every brand', async () => {
    const headers = { Authorization: 'Basic nonsense' };
    const answer = await gateway.request({ path: '/api/v1/server_settings', as: false, headers });
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject({
      service_feature_level: 482,
      acme_feature_level: 482,
      service_version: expect.any(String),
      acme_version: answer.json.service_version,
      service_merge_base: answer.json.service_version,
      acme_merge_base: answer.json.service_version,
      authentication_methods: { password: true, email: true, 'openid connect': false },
      external_authentication_methods: [],
      email_auth_enabled: true,
      realm_url: 'https://chat.example',
      realm_uri: 'https://chat.example',
      realm_name: 'Acme',
      realm_description: '<p>We make <em>everything</em></p>',
      realm_web_public_access_enabled: false,
    });
  });

  test('describes the organization of the Host, by its public address', async () => {
    const headers = { Host: 'zeta.chat.example', 'X-Forwarded-Proto': 'https' };
    const answer = await gateway.request({ path: '/api/v1/server_settings', headers });
    expect(gateway.realm.last('getRealm')).toEqual({ subdomain: 'zeta' });
    expect(answer.json.realm_url).toBe('https://zeta.chat.example');
  });

  test('describes the server only at a root domain without an organization; other hosts are not found', async () => {
    gateway.realm.answers.getRealm = async () => {
      throw new NonexistentSubdomainError();
    };
    const root = await gateway.call(getServerSettings, {});
    expect(root.json).toMatchObject({ result: 'success', service_feature_level: 482 });
    expect(root.json).not.toHaveProperty('realm_name');
    const elsewhere = await gateway.request({ path: '/api/v1/server_settings', headers: { Host: 'no.chat.example' } });
    expect(elsewhere).toMatchObject({ status: 404, json: { code: 'NONEXISTENT_SUBDOMAIN' } });
  });
});
