import { BadRequestError } from '@parley/shared/errors';
import type { InvitationFound } from '@parley/shared/proto';
import { acceptInvitation, lookUpInvitation, testWelcomeMessage } from '../../src/endpoints';
import { formBody, recordingLogger, startGateway, type TestGateway } from '../gateway';

const KEY = 'a'.repeat(24);
const found: InvitationFound = {
  email: 'eve@x.example',
  invitedAs: 400,
  expiresAtMs: 1_800_000_000_000,
  organizationName: '<b>Acme</b>',
  subdomain: '',
  emailAddressVisibility: 1,
  isPasswordNeeded: true,
};
const accepted = {
  isConfirmationRequired: false,
  userId: 7,
  email: 'user7@x.example',
  deliveryEmail: 'eve@x.example',
  apiKey: 'k'.repeat(32),
};
const session = { apiKey: 's'.repeat(32), deliveryEmail: 'eve@x.example', userId: 7, expiresAtMs: 1_900_000_000_000 };
const noSuch = () => Promise.reject(new BadRequestError('No such invitation'));

let gateway: TestGateway;
beforeEach(() => start());
afterEach(() => gateway.stop());

async function start(config = {}, overrides = {}): Promise<void> {
  gateway = await startGateway(config, overrides);
  Object.assign(gateway.invites.answers, {
    lookUpInvitation: async () => found,
    acceptInvitation: async () => accepted,
  });
  gateway.realm.answers.fetchApiKey = async () => session;
}

const page = (method: string, path: string, form: Record<string, string> = {}) =>
  gateway.request({ method, path, as: false, ...(method === 'POST' && formBody(form)) });
const typed = { full_name: 'Eve', password: 'correct horse' };

describe('by the API', () => {
  test('an invitation is described', async () => {
    expect((await gateway.call(lookUpInvitation, { key: KEY })).json).toEqual({
      result: 'success',
      msg: '',
      kind: 'email',
      email: 'eve@x.example',
      realm_name: '<b>Acme</b>',
      realm_url: 'https://chat.example',
      invited_as: 400,
      expiry_date: 1_800_000_000,
      password_required: true,
      password_min_length: 6,
      password_max_length: 100,
      terms_required: false,
      realm_default_email_address_visibility: 1,
    });
    expect(gateway.invites.last('lookUpInvitation')).toEqual({ realmId: 2, key: KEY });
  });

  test('accepting it answers the account and a key', async () => {
    const answer = await gateway.call(acceptInvitation, { key: KEY, ...typed, timezone: 'Europe/Berlin' });
    expect(answer.json).toMatchObject({
      confirmation_required: false,
      user_id: 7,
      email: 'user7@x.example',
      delivery_email: 'eve@x.example',
      api_key: 'k'.repeat(32),
      realm_url: 'https://chat.example',
    });
    expect(gateway.invites.last('acceptInvitation')).toEqual({
      realmId: 2,
      key: KEY,
      fullName: 'Eve',
      password: 'correct horse',
      timezone: 'Europe/Berlin',
      defaultLanguage: '',
      defaultChannelGroups: [],
    });
  });

  test('an address that is to be proved gets no account yet', async () => {
    gateway.invites.answers.acceptInvitation = async () => ({ ...accepted, isConfirmationRequired: true });
    const { json } = await gateway.call(acceptInvitation, { key: KEY, email: 'eve@x.example' });
    expect(json).toEqual({
      result: 'success',
      msg: '',
      confirmation_required: true,
      realm_url: 'https://chat.example',
    });
  });
});

describe('the pages', () => {
  test('ask for a name and a password, escape texts of users, run no scripts and are not cached', async () => {
    const { status, text, headers } = await page('GET', `/accounts/do_confirm/${KEY}`);
    expect(status).toBe(200);
    expect(text).toContain('<h1>Join &lt;b&gt;Acme&lt;/b&gt;</h1>');
    expect(text).toMatch(/<label for="full_name">.*<input id="full_name" name="full_name"[^>]* autofocus>/s);
    expect(text).toMatch(
      /<input id="password"[^>]* type="password" autocomplete="new-password" required maxlength="100"/,
    );
    expect(text).not.toContain('<script');
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'/,
    );
    expect(headers['referrer-policy']).toBe('same-origin');
    expect(headers['cache-control']).toContain('no-store');
  });

  test('make the account, and sign in', async () => {
    const { status, headers, text } = await page('POST', `/accounts/do_confirm/${KEY}`, typed);
    expect({ status, location: headers['location'] }).toEqual({ status: 303, location: '/#welcome' });
    expect(String(headers['set-cookie'])).toContain('s'.repeat(32));
    expect(text).not.toContain('k'.repeat(32));
    expect(gateway.realm.last('fetchApiKey')).toMatchObject({ username: 'eve@x.example', isSession: true });
    expect(gateway.invites.last('acceptInvitation')).toMatchObject({ realmId: 2, key: KEY, fullName: 'Eve' });
  });

  test('make the account where nobody is signed in by a password', async () => {
    gateway.realm.answers.fetchApiKey = () => Promise.reject(new BadRequestError('Passwords are switched off'));
    const { status, text, headers } = await page('POST', `/accounts/do_confirm/${KEY}`, typed);
    expect(status).toBe(200);
    expect(text).toContain('Sign in as <strong>eve@x.example</strong>');
    expect(text).not.toContain('k'.repeat(32));
    expect(headers['set-cookie']).toBeUndefined();
  });

  test('show errors beside the entered values, except for the password', async () => {
    gateway.invites.answers.acceptInvitation = () => Promise.reject(new BadRequestError('Name <too> short!'));
    const { status, text } = await page('POST', `/accounts/do_confirm/${KEY}`, {
      full_name: '"E"',
      password: 'secret1',
    });
    expect(status).toBe(400);
    expect(text).toContain('<p role="alert" class="error" tabindex="-1" autofocus>Name &lt;too&gt; short!</p>');
    expect(text).toContain('value="&quot;E&quot;"');
    expect(text).not.toContain('secret1');
  });

  test('of a reusable link ask for an address and announce a mail', async () => {
    const { email: _email, ...link } = found;
    gateway.invites.answers.lookUpInvitation = async () => link;
    gateway.invites.answers.acceptInvitation = async () => ({ ...accepted, isConfirmationRequired: true });
    const form = await page('GET', `/join/${KEY}/`);
    expect(form.text).toMatch(/<input id="email" name="email" type="email"/);
    expect(form.text).not.toContain('password');
    const sent = await page('POST', `/join/${KEY}/`, { email: 'eve@x.example' });
    expect(sent.text).toContain('We have sent a link to <strong>eve@x.example</strong>');
    expect(gateway.invites.last('acceptInvitation')).toMatchObject({ email: 'eve@x.example' });
  });

  test('a key opens the page of its own kind only', async () => {
    expect((await page('GET', `/join/${KEY}/`)).status).toBe(404);
    await page('POST', `/join/${KEY}/`, typed);
    expect(gateway.invites.last('acceptInvitation')).toMatchObject({ fullName: '', email: '' });
  });

  test.each(['GET', 'POST'])('report a link that no longer works: %s', async (method) => {
    Object.assign(gateway.invites.answers, { lookUpInvitation: noSuch, acceptInvitation: noSuch });
    const { status, text, headers } = await page(method, `/accounts/do_confirm/${KEY}`, typed);
    expect(status).toBe(404);
    expect(headers['content-type']).toContain('text/html');
    expect(text).toContain('No such invitation');
  });
});

test('where the server has terms, they have to be accepted', async () => {
  await gateway.stop();
  await start({ TERMS_URL: 'https://chat.example/terms' });
  expect((await gateway.call(lookUpInvitation, { key: KEY })).json).toMatchObject({ terms_required: true });
  const refused = await gateway.call(acceptInvitation, { key: KEY, ...typed });
  expect(refused).toMatchObject({ status: 400, json: { msg: 'You must accept the terms of service.' } });
  const form = await page('POST', `/accounts/do_confirm/${KEY}`, typed);
  expect(form.text).toContain('You must accept the terms of service.');
  expect(form.text).toContain('href="https://chat.example/terms"');
  const evading = await page('POST', `/accounts/do_confirm/${KEY}`, { ...typed, email: 'eve@x.example' });
  expect(evading.text).toContain('You must accept the terms of service.');
  expect(gateway.invites.seen.some(({ method }) => method === 'acceptInvitation')).toBe(false);
  expect((await gateway.call(acceptInvitation, { key: KEY, ...typed, accept_terms: true })).status).toBe(200);
  expect((await page('POST', `/accounts/do_confirm/${KEY}`, { ...typed, accept_terms: 'true' })).status).toBe(303);
});

test('the welcome bot’s message can be sent to an administrator as a preview', async () => {
  gateway.realm.answers.getWelcomeBot = async () => ({ userId: 3 });
  const { json } = await gateway.call(testWelcomeMessage, { welcome_message_custom_text: 'Hi' });
  expect(json).toMatchObject({ result: 'success', message_id: 501 });
  expect(gateway.messages.last('sendMessage')).toMatchObject({ isDirect: true, recipientIds: [11], content: 'Hi' });
  const tooLong = await gateway.call(testWelcomeMessage, { welcome_message_custom_text: 'x'.repeat(8_001) });
  expect(tooLong.json.msg).toBe('welcome_message_custom_text is too long (limit: 8000 characters)');
});

test('keys are not logged', async () => {
  await gateway.stop();
  const { log, lines } = recordingLogger();
  await start({}, { log });
  await page('GET', `/join/${KEY}/`);
  await gateway.call(lookUpInvitation, { key: KEY });
  const logged = lines.filter(({ message }) => message === 'request');
  expect(logged.map(({ path }) => path)).toEqual(['/join/{key}/', '/api/v1/invites/accept/{key}']);
  expect(JSON.stringify(lines)).not.toContain(KEY);
});
