import { AuthenticationFailedError, NotFoundError, RateLimitHitError } from '@parley/shared/errors';
import { USER_SETTING_NAMES } from '@parley/shared/values';
import {
  addAlertWords,
  addNavigationView,
  completeOnboardingStep,
  devFetchApiKey,
  fetchApiKey,
  getAlertWords,
  getApiKeys,
  getNavigationViews,
  getUserStatus,
  muteUser,
  regenerateApiKey,
  registerQueue,
  removeAlertWords,
  removeNavigationView,
  revokeApiKey,
  runCommand,
  unmuteUser,
  updateDisplaySettings,
  updateNavigationView,
  updateNotificationsSettings,
  updateOwnStatus,
  updateUserSettings,
  updateUserSettingsDefaults,
  updateUserStatus,
} from '../../src/endpoints';
import { eg } from '../eg';
import { formBody, startGateway, type TestGateway } from '../gateway';

let gateway: TestGateway;
beforeEach(async () => {
  gateway = await startGateway();
  const { answers } = gateway.realm;
  const nothing = async () => ({});
  Object.assign(answers, {
    updateUserSettings: nothing,
    updateUserSettingsDefaults: nothing,
    updateUserStatus: nothing,
    muteUser: nothing,
    unmuteUser: nothing,
    addNavigationView: nothing,
    updateNavigationView: nothing,
    removeNavigationView: nothing,
    completeOnboardingStep: nothing,
    revokeApiKey: nothing,
  });
});
afterEach(() => gateway.stop());

const SUCCESS = { result: 'success', msg: '' };
const send = (method: string, path: string, form: Record<string, string> = {}) =>
  gateway.request({ method, path: `/api/v1${path}`, ...formBody(form) });

describe('POST /zcommand', () => {
  test.each([
    ['/dark', { name: 'color_scheme', integer: 2 }, '/light'],
    ['/light', { name: 'color_scheme', integer: 3 }, '/dark'],
    ['/fluid-width', { name: 'fluid_layout_width', boolean: true }, '/fixed-width'],
    ['/fixed-width', { name: 'fluid_layout_width', boolean: false }, '/fluid-width'],
  ])('%s changes a setting, and names the command that reverts it', async (command, setting, opposite) => {
    const { status, json } = await gateway.call(runCommand, { command });
    expect([status, json]).toMatchObject([200, { result: 'success', msg: expect.stringContaining(opposite) }]);
    expect(gateway.realm.last('updateUserSettings').settings).toMatchObject([setting]);
  });

  test('/ping changes nothing', async () => {
    expect((await gateway.call(runCommand, { command: '/ping' })).json).toEqual(SUCCESS);
  });

  test.each([
    ['dark', 'There should be a leading slash in the command.'],
    ['/dance', 'No such command: dance'],
  ])('refuses %s', async (command, msg) => {
    const { status, json } = await send('POST', '/zcommand', { command });
    expect([status, json]).toMatchObject([400, { code: 'BAD_REQUEST', msg }]);
  });
});

describe('PATCH /settings', () => {
  const asked = () => gateway.realm.last('updateUserSettings');

  test('passes all parameters on, each by its type', async () => {
    const answer = await gateway.call(updateUserSettings, {
      enter_sends: false,
      color_scheme: 2,
      emojiset: 'text',
      full_name: 'Iago Smith',
      timezone: 'Asia/Tokyo',
      old_password: 'old',
      new_password: 'new',
      email: 'new@acme.example',
    });
    expect(answer.json).toEqual(SUCCESS);
    expect(asked()).toMatchObject({
      settings: [
        { name: 'color_scheme', integer: 2 },
        { name: 'emojiset', text: 'text' },
        { name: 'enter_sends', boolean: false },
      ],
      fullName: 'Iago Smith',
      timezone: 'Asia/Tokyo',
      oldPassword: 'old',
      newPassword: 'new',
      email: 'new@acme.example',
    });
  });

  test('lists unsupported parameters', async () => {
    const form = { target_users: '{}', dense_mode: 'true', enter_sends: 'true' };
    const answer = await send('PATCH', '/settings', form);
    expect(answer.json).toEqual({ ...SUCCESS, ignored_parameters_unsupported: ['dense_mode', 'target_users'] });
    expect(asked()).not.toHaveProperty('fullName');
  });

  test.each([
    [{ enter_sends: 'yes' }, 'enter_sends is not valid JSON'],
    [{ enter_sends: '1' }, 'enter_sends is not a boolean'],
    [{ color_scheme: '"dark"' }, 'color_scheme is not an integer'],
    [{ color_scheme: '1.5' }, 'color_scheme is not an integer'],
  ])('refuses %j', async (form, msg) => {
    expect(await send('PATCH', '/settings', form)).toMatchObject({ status: 400, json: { msg } });
  });

  test('accepts old names, too', async () => {
    await gateway.call(updateDisplaySettings, { emojiset: 'text' });
    expect(asked()).toMatchObject({ settings: [{ name: 'emojiset', text: 'text' }] });
    await gateway.call(updateNotificationsSettings, { enable_sounds: false });
    expect(asked()).toMatchObject({ settings: [{ name: 'enable_sounds', boolean: false }] });
  });
});

test('PATCH /realm/user_settings_defaults takes no personal settings', async () => {
  await gateway.call(updateUserSettingsDefaults, { color_scheme: 3 });
  expect(gateway.realm.last('updateUserSettingsDefaults')).toMatchObject({
    settings: [{ name: 'color_scheme', integer: 3 }],
  });
  const answer = await send('PATCH', '/realm/user_settings_defaults', { default_language: 'de', full_name: 'x' });
  expect(answer.json.ignored_parameters_unsupported).toEqual(['default_language', 'full_name']);
});

describe('statuses', () => {
  test('have only the set fields', async () => {
    const emoji = { name: 'smile', code: '1f642', reactionType: 'unicode_emoji' };
    gateway.realm.answers.getUserStatus = async (_call, { userId }) =>
      userId === 12
        ? { userId, statusText: 'lunch', emoji, isAway: true }
        : { userId, statusText: '', emoji: null, isAway: false };
    expect((await gateway.call(getUserStatus, { user_id: 12 })).json.status).toEqual({
      status_text: 'lunch',
      emoji_name: 'smile',
      emoji_code: '1f642',
      reaction_type: 'unicode_emoji',
      away: true,
    });
    expect((await gateway.call(getUserStatus, { user_id: 13 })).json).toEqual({ ...SUCCESS, status: {} });
  });

  test('are set in part, one’s own or another user’s', async () => {
    const asked = () => gateway.realm.last('updateUserStatus');
    await gateway.call(updateOwnStatus, { status_text: '', away: false });
    expect(asked()).toMatchObject({ statusText: '', isAway: false });
    expect(asked()).not.toHaveProperty('emojiName');
    await gateway.call(updateUserStatus, {
      user_id: 12,
      emoji_name: 'smile',
      emoji_code: '1f642',
      reaction_type: 'unicode_emoji',
    });
    expect(asked()).toMatchObject({
      userId: 12,
      emojiName: 'smile',
      emojiCode: '1f642',
      reactionType: 'unicode_emoji',
    });
    const answer = await send('POST', '/users/12/status', { status_text: 'x', away: 'true' });
    expect(answer.json.ignored_parameters_unsupported).toEqual(['away']);
  });
});

test('users are muted and unmuted', async () => {
  expect((await gateway.call(muteUser, { muted_user_id: 12 })).json).toEqual(SUCCESS);
  expect(gateway.realm.last('muteUser')).toEqual({ userId: 12 });
  await gateway.call(unmuteUser, { muted_user_id: 13 });
  expect(gateway.realm.last('unmuteUser')).toEqual({ userId: 13 });
});

describe('alert words', () => {
  test('are answered in full', async () => {
    const words = async () => ({ words: ['lunch', 'tea'] });
    Object.assign(gateway.realm.answers, { getAlertWords: words, addAlertWords: words, removeAlertWords: words });
    const full = { ...SUCCESS, alert_words: ['lunch', 'tea'] };
    expect((await gateway.call(getAlertWords, {})).json).toEqual(full);
    expect((await gateway.call(addAlertWords, { alert_words: ['tea'] })).json).toEqual(full);
    expect((await gateway.call(removeAlertWords, { alert_words: ['x'] })).json).toEqual(full);
    expect(gateway.realm.last('removeAlertWords')).toEqual({ words: ['x'] });
  });

  test.each([
    [{}, "Missing 'alert_words' argument"],
    [{ alert_words: 'tea' }, 'alert_words is not valid JSON'],
    [{ alert_words: '"tea"' }, 'alert_words is not a list'],
    [{ alert_words: '["tea", 1]' }, 'alert_words[1] is not a string'],
  ])('%j is not a list of words', async (form, msg) => {
    expect((await send('POST', '/users/me/alert_words', form as Record<string, string>)).json.msg).toBe(msg);
  });
});

test('a hint that was seen is not shown again', async () => {
  expect((await gateway.call(completeOnboardingStep, { onboarding_step: 'intro_resolve_topic' })).json).toEqual(
    SUCCESS,
  );
  expect(gateway.realm.last('completeOnboardingStep')).toEqual({ name: 'intro_resolve_topic' });
  const personal = eg.personalState({ completedOnboardingSteps: ['intro_resolve_topic'] });
  gateway.realm.answers.getRegisterState = async () => eg.registerState({ personal });
  const state = (await gateway.call(registerQueue, { fetch_event_types: ['onboarding_steps'] })).json;
  const names = (state.onboarding_steps as { name: string }[]).map(({ name }) => name);
  expect(names).toContain('visibility_policy_banner');
  expect(names).not.toContain('intro_resolve_topic');
});

describe('navigation views', () => {
  test('of the client itself have no name', async () => {
    const views = [
      { fragment: 'inbox', isPinned: true },
      { fragment: 'own', isPinned: false, name: 'Mine' },
    ];
    gateway.realm.answers.getNavigationViews = async () => ({ views });
    expect((await gateway.call(getNavigationViews, {})).json.navigation_views).toEqual([
      { fragment: 'inbox', is_pinned: true, name: null },
      { fragment: 'own', is_pinned: false, name: 'Mine' },
    ]);
  });

  test('are named in the path by a fragment with slashes', async () => {
    const fragment = 'narrow/is/starred';
    await gateway.call(addNavigationView, { fragment, is_pinned: true });
    expect(gateway.realm.last('addNavigationView')).toMatchObject({ fragment, isPinned: true });
    await gateway.call(updateNavigationView, { fragment, is_pinned: false, name: '' });
    expect(gateway.realm.last('updateNavigationView')).toMatchObject({ fragment, isPinned: false, name: '' });
    await gateway.call(removeNavigationView, { fragment });
    expect(gateway.realm.last('removeNavigationView')).toEqual({ fragment });
    expect((await send('DELETE', '/navigation_views/narrow/is/starred')).status).toBe(404);
  });

  test('that do not exist are not found', async () => {
    gateway.realm.answers.updateNavigationView = async () => {
      throw new NotFoundError('Navigation view does not exist.');
    };
    const answer = await gateway.call(updateNavigationView, { fragment: 'inbox' });
    expect(answer).toMatchObject({ status: 404, json: { code: 'NOT_FOUND', msg: 'Navigation view does not exist.' } });
  });
});

describe('signing in', () => {
  const KEY = { apiKey: eg.key('n'), deliveryEmail: 'iago@acme.example', userId: 11 };
  const PUBLIC_KEY = { ...SUCCESS, api_key: KEY.apiKey, email: KEY.deliveryEmail, user_id: 11 };

  test('with a password, without credentials or in spite of bad ones, labels the key after the client', async () => {
    gateway.realm.answers.fetchApiKey = async () => KEY;
    const form = formBody({ username: 'iago@acme.example', password: 'correct: horse' });
    const headers = {
      ...form.headers,
      Authorization: 'Basic ****',
      'User-Agent': 'ParleyPhone/3.1',
      Host: 'zeta.chat.example',
    };
    const path = '/api/v1/fetch_api_key';
    const answer = await gateway.request({ method: 'POST', path, as: false, ...form, headers });
    expect(answer.json).toEqual(PUBLIC_KEY);
    expect(gateway.realm.last('fetchApiKey')).toEqual({
      subdomain: 'zeta',
      username: 'iago@acme.example',
      password: 'correct: horse',
      label: 'ParleyPhone',
      address: '',
    });
  });

  test('fails, and after too many failures says when to retry', async () => {
    gateway.realm.answers.fetchApiKey = async () => {
      throw new AuthenticationFailedError();
    };
    const login = { username: 'iago@acme.example', password: 'x' };
    expect(await gateway.call(fetchApiKey, login)).toMatchObject({
      status: 401,
      json: { code: 'AUTHENTICATION_FAILED', msg: 'Your username or password is incorrect' },
    });
    gateway.realm.answers.fetchApiKey = async () => {
      throw new RateLimitHitError(1_200);
    };
    const limited = await gateway.call(fetchApiKey, login);
    expect(limited).toMatchObject({ status: 429, headers: { 'retry-after': '1200' } });
    expect(limited.json).toEqual({
      result: 'error',
      code: 'RATE_LIMIT_HIT',
      msg: 'API usage exceeded rate limit',
      'retry-after': 1_200,
    });
  });

  test('without a password is for development servers', async () => {
    const refused = await gateway.call(devFetchApiKey, { username: 'iago@acme.example' });
    expect(refused).toMatchObject({ status: 400, json: { msg: 'Endpoint not available in production.' } });
    expect(gateway.realm.seen.map(({ method }) => method)).not.toContain('devFetchApiKey');
    const development = await startGateway({ DEV_LOGIN: true });
    development.realm.answers.devFetchApiKey = async () => KEY;
    expect((await development.call(devFetchApiKey, { username: 'iago@acme.example' })).json).toEqual(PUBLIC_KEY);
    const settings = await development.request({ path: '/api/v1/server_settings' });
    expect(settings.json.authentication_methods.dev).toBe(true);
    await development.stop();
  });
});

test('keys are listed, ended and replaced', async () => {
  gateway.realm.answers.getApiKeys = async () => ({
    keys: [{ id: 3, label: 'phone', createdAtMs: 1_700_000_000_900 }],
  });
  gateway.realm.answers.regenerateApiKey = async () => ({ apiKey: eg.key('n') });
  expect((await gateway.call(getApiKeys, {})).json.api_keys).toEqual([
    { id: 3, label: 'phone', date_created: 1_700_000_000, expires_at: null, is_current: false },
  ]);
  await gateway.call(revokeApiKey, { key_id: 3 });
  expect(gateway.realm.last('revokeApiKey')).toEqual({ keyId: 3 });
  expect((await gateway.call(regenerateApiKey, {})).json).toEqual({ ...SUCCESS, api_key: eg.key('n') });
});

describe('POST /register', () => {
  const register = async (type: string) => (await gateway.call(registerQueue, { fetch_event_types: [type] })).json;

  test.each(['user_settings', 'realm_user_settings_defaults'])('has every setting in %s', async (type) => {
    const settings = (await register(type))[type];
    expect(settings).toMatchObject({
      color_scheme: 1,
      enter_sends: false,
      emojiset: 'google',
      available_notification_sounds: expect.arrayContaining(['ding']),
      emojiset_choices: expect.arrayContaining([{ key: 'google', text: 'Google' }]),
    });
    const names = [...USER_SETTING_NAMES, 'available_notification_sounds', 'emojiset_choices'];
    const personal = type === 'user_settings' ? ['timezone'] : [];
    expect(Object.keys(settings).sort()).toEqual([...names, ...personal].sort());
    expect(settings.timezone).toBe(type === 'user_settings' ? 'Europe/Berlin' : undefined);
  });

  test('has the lists', async () => {
    const personal = eg.personalState({
      alertWords: ['lunch'],
      mutedUsers: [{ userId: 12, mutedAtMs: 1_700_000_000_900 }],
      navigationViews: [{ fragment: 'inbox', isPinned: true }],
      statuses: [{ userId: 12, statusText: 'lunch', emoji: null, isAway: false }],
    });
    gateway.realm.answers.getRegisterState = async () => eg.registerState({ personal });
    const views = [{ fragment: 'inbox', is_pinned: true, name: null }];
    expect(await register('alert_words')).toMatchObject({ alert_words: ['lunch'] });
    expect(await register('muted_users')).toMatchObject({ muted_users: [{ id: 12, timestamp: 1_700_000_000 }] });
    expect(await register('navigation_view')).toMatchObject({ navigation_views: views });
    expect(await register('navigation_views')).toMatchObject({ navigation_views: views });
    expect((await register('user_status')).user_status).toEqual({ 12: { status_text: 'lunch' } });
  });
});
