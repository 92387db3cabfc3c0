import {
  acceptInvitation,
  createInvitationLink,
  fetchApiKey,
  getMessages,
  listInvitations,
  lookUpInvitation,
  sendInvitations,
} from '@parley/gateway/endpoints';
import { showKeys } from '@parley/invites/keys/invitation-keys';
import { silentLogger } from '@parley/shared/service';
import { systemClock } from '@parley/shared/values';
import type { Browser, Page } from 'playwright-core';
import { type TestClient, TestNetwork } from '../../src';
import { INSTALLING_MS, launchEngine } from '../../src/network/chromium';
import { EXTERNAL_HOST, INVITATION_KEY_SECRET } from '../../src/network/plan';

const PASSWORD = 'correct horse battery staple';

let network: TestNetwork;
let browser: Browser;
beforeAll(async () => {
  network = await TestNetwork.create({ replicas: { invites: 2, realm: 2 } });
  browser = await launchEngine([`--host-resolver-rules=MAP ${EXTERNAL_HOST} ${network.address}`]);
}, INSTALLING_MS);
afterAll(async () => {
  await browser?.close();
  await network?.stop();
});

const ORIGIN = `http://${EXTERNAL_HOST}`;

/** Where people are who are signed in. */
const isWebClient = ({ pathname }: URL) => pathname === '/';

async function openPage(javaScriptEnabled: boolean, path: string): Promise<Page> {
  const context = await browser.newContext({ javaScriptEnabled });
  const page = await context.newPage();
  await page.goto(ORIGIN + path);
  return page;
}

/** The key that the mail to an address holds. */
async function mailedKey(email: string): Promise<string> {
  const db = network.database('invites');
  const [invitation] = await db.query<{ id: number; realmId: number }>(
    'select id, realm_id as "realmId" from invitation where email = $1 order by id desc limit 1',
    [email],
  );
  const { id, realmId } = invitation as { id: number; realmId: number };
  const ctx = { db, clock: systemClock, log: silentLogger, config: { INVITATION_KEY_SECRET } as never };
  return (await showKeys(ctx, { realmId, kind: 'invitation', ids: [id] })).get(id) as string;
}

async function invite(email: string, by: TestClient = network.dan): Promise<string> {
  await by.call(sendInvitations, { invitee_emails: email, stream_ids: [], include_realm_default_subscriptions: true });
  return mailedKey(email);
}

const directs = async (person: TestClient) => {
  const { messages } = await person.call(getMessages, {
    anchor: 'newest',
    num_before: 10,
    num_after: 0,
    narrow: [{ operator: 'is', operand: 'dm' }],
    apply_markdown: false,
  });
  return messages.map(({ content }) => content as string);
};

describe.each([
  ['with JavaScript', true],
  ['without JavaScript', false],
])('somebody who was invited, in a browser %s', (_how, javaScript) => {
  const mark = javaScript ? 'on' : 'off';

  test('joins after errors are corrected', async () => {
    const email = `new-${mark}@example.org`;
    const page = await openPage(javaScript, `/accounts/do_confirm/${await invite(email)}`);
    expect(await page.getByRole('heading').textContent()).toMatch(/^Join /);
    await page.getByLabel('Your name').fill(`Nora ${mark}`);
    await page.getByLabel('Choose a password').fill('password1');
    await page.getByRole('button', { name: 'Join' }).click();
    expect(await page.getByRole('alert').textContent()).toBe('The password is too weak.');
    expect(await page.getByLabel('Your name').inputValue()).toBe(`Nora ${mark}`);
    expect(await page.getByLabel('Choose a password').inputValue()).toBe('');

    await page.getByLabel('Choose a password').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.waitForURL(isWebClient);
    const cookies = await page.context().cookies();
    expect(cookies.map(({ name, httpOnly }) => [name, httpOnly])).toEqual([
      ['sessionid', true],
      ['csrftoken', false],
      ['device', true],
    ]);
    const { user_id } = await network.dan.call(fetchApiKey, { username: email, password: PASSWORD });
    await network.settle();
    expect(await directs(network.dan)).toContain(
      `@_**Nora ${mark}|${user_id}** accepted your invitation to join Parley!`,
    );
  });

  test('sees the focus, with the keyboard only', async () => {
    const page = await openPage(javaScript, `/accounts/do_confirm/${await invite(`keys-${mark}@example.org`)}`);
    const focused = () => page.locator(':focus').getAttribute('id');
    expect(await focused()).toBe('full_name');
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('password');
    expect(await page.locator(':focus').getAttribute('aria-describedby')).toBe('password-hint');
    await page.keyboard.press('Tab');
    expect(await page.locator(':focus').textContent()).toBe('Join');
  });

  test('by a reusable link has the address confirmed by a mail', async () => {
    const { invite_link: link } = await network.iris.call(createInvitationLink, {});
    const email = `link-${mark}@example.org`;
    const page = await openPage(javaScript, new URL(link).pathname);
    await page.getByLabel('Your email address').fill(network.dan.email);
    await page.getByRole('button').click();
    expect(await page.getByRole('alert').textContent()).toBe('Already has an account.');
    await page.getByLabel('Your email address').fill(email);
    await page.getByRole('button').click();
    await page.getByRole('heading', { name: 'Look into your mail' }).waitFor();
    await page.goto(`${ORIGIN}/accounts/do_confirm/${await mailedKey(email)}`);
    await page.getByLabel('Your name').fill(`Lina ${mark}`);
    await page.getByLabel('Choose a password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Join' }).click();
    await page.waitForURL(isWebClient);
  });

  test('gets an error for a used or unknown link', async () => {
    const key = await invite(`twice-${mark}@example.org`);
    await network.dan.call(acceptInvitation, { key, full_name: `Tess ${mark}`, password: PASSWORD });
    for (const path of [`/accounts/do_confirm/${key}`, '/accounts/do_confirm/x', `/join/${'a'.repeat(24)}/`]) {
      const page = await openPage(javaScript, path);
      expect(await page.getByRole('alert').textContent()).toBe('No such invitation');
    }
  });
});

test('the form signs in whoever makes the account, once, and no other site can send it', async () => {
  const path = `/accounts/do_confirm/${await invite('own@example.org')}`;
  const send = (password: string, headers: Record<string, string> = {}) =>
    network.dan.callRaw({
      method: 'POST',
      path,
      form: { full_name: 'Owen', password },
      headers: { authorization: null, ...headers },
    });
  const foreign = await send(PASSWORD, { 'sec-fetch-site': 'cross-site' });
  expect([foreign.status, foreign.headers['set-cookie']]).toEqual([403, undefined]);
  expect((await network.dan.callRaw({ method: 'GET', path, headers: { authorization: null } })).status).toBe(200);

  const joined = await send(PASSWORD);
  expect([joined.status, joined.headers['location']]).toEqual([303, '/#welcome']);
  expect(joined.headers['set-cookie']).toEqual([
    expect.stringMatching(/^sessionid=\w{32}; .*HttpOnly; SameSite=Lax$/),
    expect.stringMatching(/^csrftoken=/),
    expect.stringMatching(/^device=/),
  ]);
  const later = await send('another horse battery staple');
  expect([later.status, later.headers['set-cookie']]).toEqual([404, undefined]);
});

test('sent at once to all replicas, however often, one account comes of it', async () => {
  const { dan, iris, zoe } = network;
  const queue = await iris.events({ event_types: ['realm_user', 'invites_changed'] });
  const key = await invite('many@example.org');
  expect(await dan.call(lookUpInvitation, { key })).toMatchObject({ kind: 'email', email: 'many@example.org' });
  expect(await zoe.expectError('BAD_REQUEST', lookUpInvitation, { key })).toMatchObject({ msg: 'No such invitation' });
  const input = { key, full_name: 'Manny', password: PASSWORD };
  const answers = await Promise.all(Array.from({ length: 10 }, () => dan.call(acceptInvitation, input)));
  expect(new Set(answers.map(({ user_id }) => user_id)).size).toBe(1);
  expect((await iris.call(listInvitations, {})).invites.some(({ email }) => email === 'many@example.org')).toBe(false);
  await network.settle();
  const events = (await queue.rest()) as { type: string; op?: string }[];
  // Two services tell these, and events of different services come in any order.
  const received = events.map(({ type, op }) => (op === undefined ? type : `${type}/${op}`));
  expect(received.sort()).toEqual(['invites_changed', 'invites_changed', 'realm_user/add']);
  expect(await zoe.expectError('BAD_REQUEST', acceptInvitation, input)).toMatchObject({ msg: 'No such invitation' });
});
