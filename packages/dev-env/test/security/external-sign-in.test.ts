import { createDecipheriv, randomBytes } from 'node:crypto';
import { deactivateUser, getOwnUser, getServerSettings, reactivateUser } from '@parley/gateway/endpoints';
import { CLIENT, type IdentityProvider, startIdentityProvider } from '@parley/shared/testing';
import type { BrowserContext, Page } from 'playwright-core';
import { type TestClient, TestNetwork } from '../../src';
import { INSTALLING_MS } from '../../src/network/chromium';
import { scimRequests } from '../provisioning/scim-client';
import { type WebPeople, type WebPerson, webPeopleOf } from '../web/web-people';
import { signInAtProvider } from './provider-pages';

/** An address of this machine, which needs no TLS. */
const HOST = 'localhost';
const HOME = `http://${HOST}`;

let network: TestNetwork;
let people: WebPeople;
let idp: IdentityProvider;
beforeAll(async () => {
  idp = await startIdentityProvider();
  network = await TestNetwork.create({
    settings: { DEV_LOGIN: '1', EXTERNAL_HOST: HOST, OUTGOING_ALLOW: '127.0.0.1/32' },
  });
  people = await webPeopleOf({ address: network.address, host: HOST });
  idp.people['dans-login'] = { email: network.dan.email, email_verified: true, name: 'Daniel B.' };
  idp.people['eves-login'] = { email: network.eve.email, email_verified: true, name: 'Eve' };
  idp.people['nora'] = { email: 'nora@elsewhere.example', email_verified: true, name: 'Nora Falk' };
}, INSTALLING_MS);
afterAll(async () => {
  await people?.close();
  await network?.stop();
  await idp?.stop();
});

async function addProvider({ page }: WebPerson): Promise<{ callback: string; logout: string }> {
  await page.getByRole('button', { name: 'Add a provider' }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Name on the button').fill('Acme ID');
  await form.getByLabel('Issuer').fill(idp.issuer);
  await form.getByLabel('Client ID').fill(CLIENT.id);
  await form.getByLabel('Client secret').fill(CLIENT.secret);
  await form.getByLabel('New accounts').selectOption({ label: 'For everybody' });
  await form.getByRole('button', { name: 'Add' }).click();
  const added = page.getByRole('dialog', { name: 'Acme ID' });
  const addressOf = (label: RegExp) => added.getByRole('textbox', { name: label }).inputValue();
  const [callback, logout] = [await addressOf(/^Redirect URI/), await addressOf(/^Back-channel/)];
  await page.keyboard.press('Escape');
  return { callback, logout };
}

test('an owner adds a provider in the web client, registers its addresses there, and tests it', async () => {
  const iris = await people.open(network.iris, '#organization/sign-in');
  const addresses = await addProvider(iris);
  expect(addresses.callback).toMatch(new RegExp(`^${HOME}/accounts/oidc/\\d+/callback$`));
  const { page } = iris;
  idp.metadata['issuer'] = 'https://another.example';
  await page.getByRole('button', { name: 'Test: Acme ID' }).click();
  await page.getByRole('dialog').getByRole('alert').waitFor();
  delete idp.metadata['issuer'];
  await page.keyboard.press('Escape');

  await idp.register({ ...addresses, gateway: `http://${network.address}` });
  await page.getByRole('button', { name: 'Test: Acme ID' }).click();
  await page.getByRole('dialog').getByText('The provider answers, with 1 key.').waitFor();
  expect(iris.complaints).toEqual([]);
  await iris.context.close();
});

test('an owner makes a token for a provider of accounts, which works until it is revoked', async () => {
  const { page, context, complaints } = await people.open(network.iris, '#organization/sign-in');
  await page.getByRole('button', { name: 'New token' }).click();
  await page.getByLabel('What is it for?').fill('Entra');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  const made = page.getByRole('dialog', { name: 'New token' });
  const token = await made.getByRole('textbox', { name: 'Bearer token' }).inputValue();
  expect(await made.getByRole('textbox', { name: /^Base URL/ }).inputValue()).toBe(`${HOME}/scim/v2`);
  await page.keyboard.press('Escape');
  const usersBy = scimRequests(network, token);
  expect((await usersBy('GET', '/Users?count=1')).status).toBe(200);

  await page.getByRole('button', { name: 'Give a role' }).click();
  await page.getByLabel('Group at the provider').fill('Leads');
  await page.getByRole('combobox', { name: 'Role' }).selectOption({ label: 'Moderator' });
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('listitem').filter({ hasText: 'Leads' }).getByText('Moderator').waitFor();

  await page.getByRole('button', { name: 'Replace: Entra' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Replace' }).click();
  const renewed = await page.getByRole('textbox', { name: 'Bearer token' }).inputValue();
  expect((await usersBy('GET', '/Users?count=1')).status).toBe(401);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Revoke: Entra' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('button', { name: 'Revoke: Entra' }).waitFor({ state: 'detached' });
  expect((await scimRequests(network, renewed)('GET', '/Users?count=1')).status).toBe(401);
  expect(complaints).toEqual([]);
  await context.close();
});

/** Opens the sign-in page, and signs in through the provider. */
async function signIn(name: string, path = '/'): Promise<WebPerson> {
  const person = await people.openSignedOut(path);
  await withoutFonts(person.context);
  await person.page.getByRole('link', { name: 'Sign in with Acme ID' }).click();
  await signInAtProvider(person.page, name);
  return person;
}

/** The provider's pages ask for those of another site. */
const withoutFonts = (context: BrowserContext) => context.route(/googleapis/, (route) => route.abort());

const firstView = (page: Page) => page.getByRole('navigation', { name: 'Channels' }).waitFor();

interface ProvidersAnswer {
  path: string;
  /** The cookie that the browser sends with it. */
  cookie: string;
}

/** Signs in at the provider in a browser that cannot finish it: what it would have finished it with is returned. */
async function answerOfProvider({ context, page }: WebPerson, name: string): Promise<ProvidersAnswer> {
  const cookies = await context.cookies(HOME);
  const cookie = cookies.map((each) => `${each.name}=${each.value}`).join('; ');
  expect(cookie).toMatch(/^oidc=/);
  await context.clearCookies({ name: 'oidc' });
  const answered = page.waitForRequest(/\/callback/);
  await signInAtProvider(page, name);
  const { pathname, search } = new URL((await answered).url());
  await page.getByRole('heading', { name: 'You are not signed in' }).waitFor();
  return { path: pathname + search, cookie };
}

async function cookiesAt({ context }: WebPerson): Promise<string> {
  const cookies = await context.cookies(HOME);
  return cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
}

async function jsonStatus(path: string, cookie: string): Promise<number> {
  const { status } = await network.dan.callRaw({
    method: 'GET',
    path,
    headers: { authorization: null, host: HOST, cookie },
  });
  return status;
}

test('somebody signs in on the provider’s own page, to the account with their verified address', async () => {
  const dan = await signIn('dans-login', '/accounts/login?next=%2F%23settings%2Fprofile');
  await dan.page.waitForURL(`${HOME}/#settings/profile`);
  await dan.page.getByRole('main').getByText('Dan Brooks').first().waitFor();
  const answer = await network.dan.callRaw({
    method: 'GET',
    path: '/json/users/me',
    headers: { authorization: null, host: HOST, cookie: await cookiesAt(dan) },
  });
  expect(answer.json).toMatchObject({ user_id: network.dan.userId });
  await dan.context.close();
});

test('somebody new gets an account, with their name', async () => {
  const nora = await signIn('nora');
  await firstView(nora.page);
  const { members } = (await network.iris.callRaw({ method: 'GET', path: '/api/v1/users' })).json as {
    members: { full_name: string; delivery_email: string | null }[];
  };
  expect(members).toContainEqual(expect.objectContaining({ full_name: 'Nora Falk' }));
  await nora.context.close();
});

/** The page that a client opens in a browser. */
async function loginAddress(): Promise<string> {
  const { external_authentication_methods: methods } = await network.dan.call(getServerSettings, {});
  expect(methods).toMatchObject([{ display_name: 'Acme ID', display_icon: null }]);
  return HOME + (methods[0]?.login_url as string);
}

test('a phone’s app gets a key that only it can read, through its own address', async () => {
  const pad = randomBytes(32);
  const phone = await people.openSignedOut('/accounts/login', { isMobile: true });
  await withoutFonts(phone.context);
  await phone.page.goto(`${await loginAddress()}?mobile_flow_otp=${pad.toString('hex')}`);
  const { path, cookie } = await answerOfProvider(phone, 'dans-login');
  // The browser itself does not say where a redirect leads that only an app understands.
  const headers = { authorization: null, host: HOST, cookie };
  const answer = await network.dan.callRaw({ method: 'GET', path, headers });
  expect([answer.status, answer.text]).toEqual([302, '']);
  const location = new URL(answer.headers.location as string);
  expect(location.href.startsWith('parley://login?otp_encrypted_api_key=')).toBe(true);
  const { otp_encrypted_api_key: hidden = '', ...others } = Object.fromEntries(location.searchParams);
  expect(others).toEqual({ email: network.dan.email, user_id: String(network.dan.userId), realm: HOME });
  const key = Buffer.from(Buffer.from(hidden, 'hex').map((byte, at) => byte ^ (pad[at] as number))).toString();
  const { json } = await asDan(key).callRaw({ method: 'GET', path: '/api/v1/users/me' });
  expect(json).toMatchObject({ user_id: network.dan.userId });
  await phone.context.close();
});

const asDan = (apiKey: string): TestClient => network.clientOf({ ...network.dan, apiKey });

test('a desktop’s app gets a session by the code that its user copies, once', async () => {
  const pad = randomBytes(32);
  const browser = await people.openSignedOut('/accounts/login');
  await withoutFonts(browser.context);
  await browser.context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: HOME });
  await browser.page.goto(`${await loginAddress()}?desktop_flow_otp=${pad.toString('hex')}`);
  await signInAtProvider(browser.page, 'eves-login');
  await browser.page.getByRole('button', { name: 'Copy the code' }).click();
  await browser.page.getByText('Copied.').waitFor();
  const code = Buffer.from(await browser.page.getByLabel('Code').inputValue(), 'hex');
  const decipher = createDecipheriv('aes-256-gcm', pad, code.subarray(0, 12));
  decipher.setAuthTag(code.subarray(-16));
  const token = decipher.update(code.subarray(12, -16)).toString() + decipher.final();

  const app = await people.openSignedOut(`/accounts/login/subdomain/${token}`);
  await firstView(app.page);
  const again = await people.openSignedOut(`/accounts/login/subdomain/${token}`);
  await again.page.getByRole('heading', { name: 'You are not signed in' }).waitFor();
  for (const { context } of [browser, app, again]) await context.close();
});

test('the app of a desktop opens the browser, and goes on when the code is pasted', async () => {
  const app = await people.openSignedOut('/accounts/login', { userAgent: 'AcmeElectron/5.1 (Linux) Electron/37.0' });
  await withoutFonts(app.context);
  const opened = app.context.waitForEvent('page');
  await app.page.getByRole('link', { name: 'Sign in with Acme ID' }).click();
  const browser = await opened;
  await signInAtProvider(browser, 'eves-login');
  const code = await browser.getByLabel('Code').inputValue();
  await app.page.getByLabel('The code from your browser').fill(code);
  await firstView(app.page);
  await app.context.close();
});

test('an owner unlinks an account: what was signed in through the provider ends, and the next sign-in is linked', async () => {
  const dan = await signIn('dans-login');
  await firstView(dan.page);
  const { page, context, complaints } = await people.open(network.iris, '#organization/people');
  await page.getByRole('button', { name: 'Edit: Dan Brooks' }).click();
  const unlink = 'Unlink from sign-in providers';
  await page.getByRole('button', { name: unlink }).click();
  await page.getByRole('dialog', { name: unlink }).getByRole('button', { name: unlink }).click();
  await dan.page.waitForURL('**/accounts/login*');
  expect(complaints).toEqual([]);
  for (const each of [context, dan.context]) await each.close();
  const again = await signIn('dans-login');
  await firstView(again.page);
  await again.context.close();
});

test('who signs out at the provider is signed out here at once, and their queue ends', async () => {
  const dan = await signIn('dans-login');
  await firstView(dan.page);
  const cookie = await cookiesAt(dan);
  expect(await jsonStatus('/json/users/me', cookie)).toBe(200);
  const atProvider = await dan.context.newPage();
  await atProvider.goto(`${idp.issuer}/session/end`);
  await atProvider.getByRole('button', { name: 'Sign out' }).click();
  await atProvider.getByRole('heading', { name: 'Goodbye' }).waitFor();
  expect(idp.faults).toEqual([]);
  await dan.page.waitForURL('**/accounts/login*');
  expect(await jsonStatus('/json/users/me', cookie)).toBe(401);
  // A key of their own goes on.
  await network.dan.call(getOwnUser, {});
  await dan.context.close();
});

test('a deactivated account is signed out, and cannot come back through the provider', async () => {
  const eve = await signIn('eves-login');
  await firstView(eve.page);
  await network.iris.call(deactivateUser, { user_id: network.eve.userId });
  await eve.page.waitForURL('**/accounts/login*');
  await eve.context.close();
  const again = await signIn('eves-login');
  await again.page.getByRole('heading', { name: 'Your account is deactivated' }).waitFor();
  await network.iris.call(reactivateUser, { user_id: network.eve.userId });
  await again.context.close();
});

test('the answer to another browser’s sign-in signs nobody in', async () => {
  const mallory = await people.openSignedOut('/accounts/login');
  await withoutFonts(mallory.context);
  await mallory.page.getByRole('link', { name: 'Sign in with Acme ID' }).click();
  await mallory.page.waitForURL(`${idp.issuer}/**`);
  const { path, cookie } = await answerOfProvider(mallory, 'nora');
  const victim = await people.openSignedOut('/accounts/login');
  await withoutFonts(victim.context);
  await victim.page.getByRole('link', { name: 'Sign in with Acme ID' }).click();
  await victim.page.waitForURL(`${idp.issuer}/**`);
  await victim.page.goto(HOME + path);
  await victim.page.getByRole('heading', { name: 'You are not signed in' }).waitFor();
  expect((await victim.context.cookies(HOME)).map(({ name }) => name)).not.toContain('sessionid');
  // It would have been good where it was asked for.
  const headers = { authorization: null, host: HOST, cookie };
  expect(await network.dan.callRaw({ method: 'GET', path, headers })).toMatchObject({ status: 303 });
  for (const { context } of [mallory, victim]) await context.close();
});
