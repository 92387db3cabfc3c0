import { mkdtempSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  createInvitationLink,
  deactivateUser,
  fetchApiKey,
  sendInvitations,
  updateRealm,
} from '@parley/gateway/endpoints';
import { newCall } from '@parley/shared/rpc';
import { until } from '@parley/shared/testing';
import { ROLES } from '@parley/shared/values';
import { TestNetwork } from '../../src';
import type { RawAnswer } from '../../src/network/test-client';
import { mailedKey, mailsTo } from '../mail-folder';

const DATA_DIR = mkdtempSync(path.join(tmpdir(), 'parley-pages-'));
const MAILS = path.join(DATA_DIR, 'mail');
const PASSWORD = 'a long and winding road';
const [GERMAN, ENGLISH] = ['de-DE,de;q=0.9,en-US;q=0.8,en;q=0.7', 'en-US,en;q=0.9,de;q=0.8'];

let network: TestNetwork;
beforeAll(async () => {
  await mkdir(MAILS);
  network = await TestNetwork.create({ settings: { DATA_DIR, TERMS_URL: 'https://example.com/terms' } });
});
afterAll(async () => {
  await network?.stop();
  await rm(DATA_DIR, { recursive: true });
});

interface Visit {
  path: string;
  form?: Record<string, string>;
  headers?: Record<string, string>;
}

/** Opens a page, or sends its form, as a browser that is not signed in. */
function open({ path, form, headers }: Visit, acceptLanguage: string | null): Promise<RawAnswer> {
  const accept = { accept: 'text/html', 'accept-language': acceptLanguage };
  return network.dan.callRaw({
    ...{ method: form ? 'POST' : 'GET', path, headers: { authorization: null, ...accept, ...headers } },
    ...(form && { form }),
  });
}

const languageOf = ({ text }: RawAnswer) => /<html lang="(\w+)">/.exec(text)?.[1];

/** What people read on a page, piece by piece; without what has no words. */
function wordsOf({ text }: RawAnswer): string[] {
  const body = text.slice(text.indexOf('<title>')).replace(/<(style|script)>.*?<\/\1>/gs, '');
  return body.split(/<[^>]*>/).filter((piece) => /[a-z]{2}/.test(piece));
}

async function invite(email: string): Promise<string> {
  const terms = { stream_ids: [], include_realm_default_subscriptions: true };
  await network.dan.call(sendInvitations, { invitee_emails: email, ...terms });
  return `/accounts/do_confirm/${await mailedKey(MAILS, email)}`;
}

const elsewhere = { host: 'nowhere.parley.test' };
const joining = { full_name: 'Nora', password: PASSWORD, accept_terms: 'true' };

/** Pages and their errors, each under its own name. */
async function visits(): Promise<Record<string, Visit>> {
  const account = { email: 'gone@example.com', fullName: 'Gone', role: ROLES.member, password: PASSWORD };
  const gone = await network.realmService.createUser(newCall(), { subdomain: '', ...account });
  await network.iris.call(deactivateUser, { user_id: gone.userId });
  const invited = await invite('nora@example.com');
  const link = new URL((await network.iris.call(createInvitationLink, {})).invite_link).pathname;
  const [signIn, forgotten, choose] = ['/accounts/login', '/accounts/password/reset', '/accounts/go'];
  return {
    'sign-in': { path: signIn },
    'sign-in, wrong password': { path: signIn, form: { username: network.dan.email, password: 'wrong' } },
    'sign-in, deactivated': { path: signIn, form: { username: account.email, password: PASSWORD } },
    'sign-in, by another site': { path: signIn, form: {}, headers: { 'sec-fetch-site': 'cross-site' } },
    forgotten: { path: forgotten },
    'forgotten, sent': { path: forgotten, form: { email: 'somebody@example.com' } },
    'new password, no such link': { path: `${forgotten}/x` },
    'new address, no such link': { path: '/accounts/confirm_new_email/x' },
    'mails, no such link': { path: '/unsubscribe/x' },
    'choice of an organization': { path: choose, headers: elsewhere },
    'choice, none': { path: choose, form: { organization: 'nowhere' }, headers: elsewhere },
    'no organization': { path: forgotten, headers: elsewhere },
    invitation: { path: invited },
    'invitation, no such': { path: '/accounts/do_confirm/x' },
    'invitation, no terms': { path: invited, form: { ...joining, accept_terms: '' } },
    'invitation, short name': { path: invited, form: { ...joining, full_name: 'N' } },
    'invitation, long name': { path: invited, form: { ...joining, full_name: 'N'.repeat(101) } },
    'invitation, bad name': { path: invited, form: { ...joining, full_name: 'No*ra' } },
    'invitation, numbered name': { path: invited, form: { ...joining, full_name: 'Nora|5' } },
    'invitation, weak password': { path: invited, form: { ...joining, password: 'password' } },
    'invitation, long password': { path: invited, form: { ...joining, password: 'x'.repeat(1_000) } },
    'invitation, no password': { path: invited, form: { full_name: 'Nora', accept_terms: 'true' } },
    link: { path: link },
    'link, taken address': { path: link, form: { email: network.dan.email } },
    'link, deactivated address': { path: link, form: { email: account.email } },
    'link, no address': { path: link, form: { email: 'nora' } },
    'an unknown page': { path: '/nowhere' },
    'a malformed path': { path: '/avatar/%FF' },
    'a page for people with an account': { path: '/avatar/5' },
    'a method that a page lacks': { path: '/favicon.svg', form: {} },
    'a desktop program’s sign-in': {
      path: '/accounts/login/social/oidc/1',
      headers: { 'user-agent': 'Electron/30 Mozilla' },
    },
    'a sign-in that was not begun': { path: '/accounts/oidc/1/callback?state=x' },
    'a token that is none': { path: '/accounts/login/subdomain/x' },
  };
}

test('each page is in the language that the browser asks for, and has no text of another one', async () => {
  for (const [name, visit] of Object.entries(await visits())) {
    const [german, english] = [await open(visit, GERMAN), await open(visit, ENGLISH)];
    expect({ name, languages: [languageOf(german), languageOf(english)] }).toEqual({ name, languages: ['de', 'en'] });
    const both = wordsOf(german).filter((words) => wordsOf(english).includes(words));
    const names = ['dan@example.com', 'nora@example.com', 'somebody@example.com'];
    expect({ name, both: both.filter((words) => !names.includes(words)) }).toEqual({ name, both: [] });
    expect(german.text).not.toContain(' lang="en"');
    expect(german.headers['vary']).toContain('Accept-Language');
  }
});

test('a browser that asks for no language with texts gets the organization’s', async () => {
  const signIn = { path: '/accounts/login' };
  expect(languageOf(await open(signIn, 'fr'))).toBe('en');
  await network.iris.call(updateRealm, { default_language: 'de' });
  expect(languageOf(await open(signIn, 'fr'))).toBe('de');
  expect(languageOf(await open(signIn, null))).toBe('de');
  expect(languageOf(await open(signIn, 'fr, en'))).toBe('en');
  await network.iris.call(updateRealm, { default_language: 'en' });
});

test('whoever joins on a German page has a German account, and mails that lead to German pages', async () => {
  const email = 'lotte@example.com';
  const joined = await open({ path: await invite(email), form: { ...joining, full_name: 'Lotte' } }, GERMAN);
  expect(joined).toMatchObject({ status: 303, headers: { location: '/#welcome' } });
  const lotte = await network.dan.call(fetchApiKey, { username: email, password: PASSWORD });
  const { json } = await network.dan.callRaw({
    ...{ method: 'POST', path: '/api/v1/register', form: { fetch_event_types: '["user_settings"]' } },
    headers: { authorization: `Basic ${Buffer.from(`${email}:${lotte.api_key}`).toString('base64')}` },
  });
  expect(json['user_settings']).toMatchObject({ default_language: 'de' });
  await open({ path: '/accounts/password/reset', form: { email } }, ENGLISH);
  const reset = await until(async () => {
    const mails = (await mailsTo(MAILS, email)).join('');
    return /https?:\/\/[^/\s]+(\/accounts\/password\/reset\/[\w-]+)/.exec(mails)?.[1] ?? false;
  });
  const page = await open({ path: reset }, ENGLISH);
  expect(page).toMatchObject({ status: 200, text: expect.stringContaining('<h1>Neues Passwort wählen</h1>') });
  const refused = await open({ path: reset, form: { password: 'kurz' } }, ENGLISH);
  expect(refused).toMatchObject({ status: 400, text: expect.stringContaining('>Das Passwort ist zu schwach.</p>') });
  const done = await open({ path: reset, form: { password: 'another long and winding road' } }, ENGLISH);
  expect(done.text).toContain('<h1>Das Passwort ist festgelegt</h1>');
});
