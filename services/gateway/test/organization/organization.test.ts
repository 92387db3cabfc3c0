import {
  BadImageError,
  BadRequestError,
  ExpectationMismatchError,
  InvalidParameterError,
  UnauthorizedPrincipalError,
} from '@parley/shared/errors';
import {
  deactivateRealm,
  getRealmIcon,
  getRealmLogo,
  getServerSettings,
  removeRealmIcon,
  removeRealmLogo,
  setRealmIcon,
  setRealmLogo,
  updateRealm,
} from '../../src/endpoints';
import { eg } from '../eg';
import { formBody, startGateway, type TestGateway } from '../gateway';

let gateway: TestGateway;
beforeEach(async () => {
  gateway = await startGateway();
  gateway.realm.answers.updateRealm = async () => ({ settings: '{}', groupSettings: {} });
});
afterEach(() => gateway.stop());

const SUCCESS = { result: 'success', msg: '' };
const send = (method: string, path: string, form: Record<string, string> = {}) =>
  gateway.request({ method, path: `/api/v1${path}`, ...formBody(form) });

describe('PATCH /realm', () => {
  const asked = () => {
    const { settings, ...request } = gateway.realm.last<{ settings: string }>('updateRealm');
    return { ...request, settings: JSON.parse(settings) };
  };

  test('passes all parameters on, each in its encoding, and no others', async () => {
    await gateway.call(updateRealm, {
      name: 'Acme',
      description: '"quoted"',
      string_id: 'other',
      invite_required: false,
      digest_weekday: 0,
      topics_policy: 'disable_empty_topic',
      message_content_edit_limit_seconds: 'unlimited',
      message_retention_days: 30,
      authentication_methods: { Email: true },
      can_create_groups: { new: 41, old: { direct_members: [11], direct_subgroups: [] } },
    });
    expect(asked()).toEqual({
      name: 'Acme',
      description: '"quoted"',
      subdomain: 'other',
      settings: {
        invite_required: false,
        digest_weekday: 0,
        topics_policy: 'disable_empty_topic',
        message_content_edit_limit_seconds: 'unlimited',
        message_retention_days: 30,
        authentication_methods: { Email: true },
      },
      groupSettings: {
        can_create_groups: { new: eg.groupSetting(41), old: { directMemberIds: [11], directSubgroupIds: [] } },
      },
    });
    await send('PATCH', '/realm');
    expect(asked()).toEqual({ settings: {}, groupSettings: {} });
  });

  test.each([
    ['"https://meet.example"', 'https://meet.example'],
    ['https://meet.example', 'https://meet.example'],
    ['"default"', 'default'],
    ['"', '"'],
  ])('takes %s for a server of video calls', async (sent, meant) => {
    await send('PATCH', '/realm', { jitsi_server_url: sent });
    expect(asked().settings).toEqual({ jitsi_server_url: meant });
  });

  test('accepts a setting by the name of every brand, once', async () => {
    await gateway.stop();
    gateway = await startGateway({ API_BRANDS: ['service', 'acme'] });
    const value = { service_update_announcements_stream_id: 7 };
    gateway.realm.answers.updateRealm = async () => ({ settings: JSON.stringify(value), groupSettings: {} });
    const { json } = await send('PATCH', '/realm', { acme_update_announcements_stream_id: '7' });
    expect(json).toEqual({ ...SUCCESS, ...value, acme_update_announcements_stream_id: 7 });
    expect(asked().settings).toEqual(value);
    const both = { service_update_announcements_stream_id: '7', acme_update_announcements_stream_id: '7' };
    expect((await send('PATCH', '/realm', both)).json).toMatchObject({ code: 'REQUEST_CONFUSING_VAR' });
  });

  test('echoes the changes: texts in brief, everything else as it is now', async () => {
    gateway.realm.answers.updateRealm = async () => ({
      name: 'Acme',
      settings: JSON.stringify({
        invite_required: false,
        topics_policy: 'disable_empty_topic',
        message_content_edit_limit_seconds: null,
        jitsi_server_url: null,
        new_stream_announcements_stream_id: -1,
        authentication_methods: { Email: false, Dev: true },
      }),
      groupSettings: {
        can_create_groups: eg.groupSetting(41),
        can_invite_users_group: { directMemberIds: [11], directSubgroupIds: [41] },
      },
    });
    expect((await gateway.call(updateRealm, { name: 'Acme' })).json).toEqual({
      ...SUCCESS,
      name: 'updated',
      invite_required: false,
      topics_policy: 'updated',
      message_content_edit_limit_seconds: null,
      jitsi_server_url: null,
      new_stream_announcements_stream_id: -1,
      authentication_methods: { Email: false },
      can_create_groups: 41,
      can_invite_users_group: { direct_members: [11], direct_subgroups: [41] },
    });
  });

  test.each([
    [{ invite_required: '1' }, 'invite_required is not a boolean'],
    [{ digest_weekday: '"1"' }, 'digest_weekday is not an integer'],
    [{ message_retention_days: 'true' }, 'message_retention_days is not an integer'],
    [{ authentication_methods: '{"Email":1}' }, 'authentication_methods["Email"] is not a boolean'],
    [{ can_create_groups: '41' }, 'can_create_groups is not a dict'],
  ])('refuses %j', async (form, msg) => {
    const answer = await send('PATCH', '/realm', form);
    expect(answer).toMatchObject({ status: 400, json: { code: 'BAD_REQUEST', msg } });
  });

  test.each([
    [new UnauthorizedPrincipalError('Must be an organization owner'), { code: 'UNAUTHORIZED_PRINCIPAL' }],
    [new ExpectationMismatchError(), { code: 'EXPECTATION_MISMATCH' }],
    [
      new InvalidParameterError('message_retention_days', 0),
      { code: 'REQUEST_VARIABLE_INVALID', var_name: 'message_retention_days', bad_value: 0 },
    ],
  ])('passes the error on: %s', async (error, json) => {
    gateway.realm.answers.updateRealm = async () => {
      throw error;
    };
    expect(await send('PATCH', '/realm')).toMatchObject({ status: 400, json });
  });
});

describe('the pictures of an organization', () => {
  const images = [
    { kind: 'icon', version: 1_700_000_000_000 },
    { kind: 'night_logo', version: 1_700_000_000_001 },
  ];
  const ICON = '/user_avatars/2/realm/icon.png?version=1700000000000';
  const DEFAULT_ICON = expect.stringMatching(/^\/static\/pictures\/\d+\/[A-Z]\.svg\?version=1$/);

  const upload = (path: string, fields: Record<string, string> = {}) => {
    const parts = Object.entries(fields).map(
      ([name, value]) => `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    );
    const file = '--x\r\nContent-Disposition: form-data; name="f"; filename="a.png"\r\n\r\nbytes\r\n--x--\r\n';
    const headers = { 'Content-Type': 'multipart/form-data; boundary=x' };
    return gateway.request({ method: 'POST', path: `/api/v1${path}`, headers, body: parts.join('') + file });
  };

  test('are uploaded: an icon, and a logo for each theme', async () => {
    gateway.realm.answers.setOrganizationImage = async () => ({ images });
    const icon = await upload('/realm/icon');
    expect(icon.json).toEqual({ ...SUCCESS, icon_url: ICON });
    expect(gateway.realm.last('setOrganizationImage')).toEqual({ kind: 'icon', files: [Buffer.from('bytes')] });
    expect((await upload('/realm/logo', { night: 'true' })).json).toEqual(SUCCESS);
    expect(gateway.realm.last('setOrganizationImage')).toMatchObject({ kind: 'night_logo' });
    await upload('/realm/logo', { night: 'false' });
    expect(gateway.realm.last('setOrganizationImage')).toMatchObject({ kind: 'logo' });
    expect((await upload('/realm/logo')).json).toMatchObject({ code: 'REQUEST_VARIABLE_MISSING', var_name: 'night' });
  });

  test('may be refused', async () => {
    for (const error of [new BadImageError('Invalid image format'), new BadRequestError('You must upload …')]) {
      gateway.realm.answers.setOrganizationImage = async () => {
        throw error;
      };
      const refusal = { status: 400, json: { code: error.code, msg: error.message } };
      expect(await gateway.call(setRealmIcon, {})).toMatchObject(refusal);
      expect(await gateway.call(setRealmLogo, { night: false })).toMatchObject(refusal);
    }
  });

  test('give way to the default ones', async () => {
    gateway.realm.answers.removeOrganizationImage = async () => ({ images: [] });
    expect((await gateway.call(removeRealmIcon, {})).json).toEqual({ ...SUCCESS, icon_url: DEFAULT_ICON });
    expect((await gateway.call(removeRealmLogo, { night: true })).json).toEqual(SUCCESS);
    expect(gateway.realm.last('removeOrganizationImage')).toEqual({ kind: 'night_logo' });
  });

  test('are led to', async () => {
    const plain = await gateway.call(getRealmIcon, {});
    expect(plain).toMatchObject({ status: 302, text: '', headers: { location: DEFAULT_ICON } });
    gateway.realm.answers.getRealm = async () => eg.organization({ images });
    expect((await gateway.call(getRealmIcon, {})).headers.location).toBe(ICON);
    const logos = [
      await gateway.call(getRealmLogo, { night: true }),
      await gateway.call(getRealmLogo, { night: false }),
    ];
    expect(logos.map(({ headers }) => headers.location)).toEqual([
      '/user_avatars/2/realm/night_logo.png?version=1700000000001',
      '/static/images/default-logo.svg',
    ]);
  });

  test('are served without credentials, cacheable for ever', async () => {
    gateway.realm.answers.getOrganizationImage = async (_call, { kind }) =>
      kind === 'icon'
        ? { contentType: 'image/png', bytes: Buffer.from('"x"') }
        : { contentType: '', bytes: Buffer.alloc(0) };
    const found = await gateway.request({ path: '/user_avatars/2/realm/icon.png?version=1', as: false });
    expect(found).toMatchObject({
      status: 200,
      text: '"x"',
      headers: { 'content-type': 'image/png', 'cache-control': expect.stringContaining('immutable') },
    });
    expect(gateway.realm.last('getOrganizationImage')).toEqual({ realmId: 2, kind: 'icon' });
    for (const path of ['/user_avatars/2/realm/logo.png', '/user_avatars/2/realm/cat.png']) {
      expect(await gateway.request({ path, as: false })).toMatchObject({ status: 404 });
    }
  });
});

test('the default logo is a picture, the names of emoji are data', async () => {
  const logo = await gateway.raw(
    'GET /static/images/default-logo.svg HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  );
  expect(logo).toMatch(/^HTTP\/1\.1 200 .*Content-Type: image\/svg\+xml.*<svg /s);
  const { json, headers } = await gateway.request({ path: '/static/emoji-data.json', as: false });
  expect(json.code_to_names['1f642']).toContain('smile');
  expect(headers['cache-control']).toContain('public');
});

test('POST /realm/deactivate passes on after how many days the data may be deleted', async () => {
  gateway.realm.answers.deactivateRealm = async () => ({});
  expect((await gateway.call(deactivateRealm, {})).json).toEqual(SUCCESS);
  expect(gateway.realm.last('deactivateRealm')).toEqual({});
  await send('POST', '/realm/deactivate', { deletion_delay_days: 'null' });
  expect(gateway.realm.last('deactivateRealm')).toEqual({});
  await send('POST', '/realm/deactivate', { deletion_delay_days: '14' });
  expect(gateway.realm.last('deactivateRealm')).toEqual({ deletionDelayDays: 14 });
});

test('GET /server_settings lists the methods to sign in to the organization', async () => {
  await gateway.stop();
  gateway = await startGateway({ DEV_LOGIN: true, WEB_PUBLIC_STREAMS_ENABLED: true });
  const settings = { authentication_methods: { Email: false, Dev: true }, enable_spectator_access: true };
  gateway.realm.answers.getRealm = async () => eg.organization({ settings: JSON.stringify(settings) });
  expect((await gateway.call(getServerSettings, {})).json).toMatchObject({
    authentication_methods: { password: false, email: false, dev: true, google: false },
    email_auth_enabled: false,
    realm_web_public_access_enabled: true,
  });
  gateway.realm.answers.getRealm = async () => eg.organization({ settings: JSON.stringify(settings), hasLdap: true });
  expect((await gateway.call(getServerSettings, {})).json).toMatchObject({
    authentication_methods: { password: true, email: false, ldap: true },
    require_email_format_usernames: false,
  });
});
