import { mkdtempSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  confirmEmailChange,
  deactivateUser,
  getOwnUser,
  sendInvitations,
  updateUserSettings,
} from '@parley/gateway/endpoints';
import { type TestClient, TestNetwork } from '../../src';
import { mailsTo } from '../mail-folder';

const DATA_DIR = mkdtempSync(path.join(tmpdir(), 'parley-mail-'));
const MAILS = path.join(DATA_DIR, 'mail');

let network: TestNetwork;
beforeAll(async () => {
  await mkdir(MAILS);
  const settings = { DATA_DIR, MAIL_FROM: 'Our Chat <chat@parley.test>' };
  network = await TestNetwork.create({ settings, replicas: { realm: 2, invites: 2 } });
});
afterAll(async () => {
  await network.stop();
  await rm(DATA_DIR, { recursive: true });
});

/** Where its link leads, below the organization's origin. */
const linkIn = (mail: string) => /https?:\/\/[^/\s]+(\/accounts\/[\w/]+)/.exec(mail)?.[1] as string;

/** As a browser does, without credentials. */
const browse = (person: TestClient, method: string, at: string) =>
  person.callRaw({ method, path: at, headers: { authorization: null, accept: 'text/html' } });

test('a new address is confirmed on the page that the mail links to, not by opening it', async () => {
  const { dan } = network;
  await dan.call(updateUserSettings, { email: 'dan.new@example.org' });
  const [mail] = (await mailsTo(MAILS, 'dan.new@example.org')) as [string];
  expect(mail).toContain('From: Our Chat <chat@parley.test>');
  const page = await browse(dan, 'GET', linkIn(mail));
  expect(page.status).toBe(200);
  expect(page.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'referrer-policy': 'same-origin',
    'content-security-policy': expect.stringMatching(
      /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'/,
    ),
  });
  expect(page.text).toContain('<strong>dan.new@example.org</strong>');
  expect(page.text).toContain('<form method="post"><button type="submit">');
  const before = await dan.call(getOwnUser, {});
  expect(before.delivery_email).not.toBe('dan.new@example.org');

  const queue = await network.iris.events({ event_types: ['realm_user'] });
  const done = await browse(dan, 'POST', linkIn(mail));
  expect([done.status, done.text]).toEqual([200, expect.stringContaining('<p role="status">')]);
  expect(await queue.next('realm_user')).toMatchObject({ op: 'update', person: { user_id: dan.userId } });
  expect((await browse(dan, 'POST', linkIn(mail))).status).toBe(200);
  const [notice] = (await mailsTo(MAILS, String(before.delivery_email))) as [string];
  expect(notice).toContain('is now dan.new@example.org');
});

test('or by the key, as a call', async () => {
  const { eve } = network;
  await eve.call(updateUserSettings, { email: 'eve.new@example.org' });
  const [mail] = (await mailsTo(MAILS, 'eve.new@example.org')) as [string];
  const key = linkIn(mail).split('/').at(-1) as string;
  expect(await eve.call(confirmEmailChange, { key })).toEqual({ email: 'eve.new@example.org' });
  expect((await eve.expectError('BAD_REQUEST', confirmEmailChange, { key: 'a'.repeat(24) })).msg).toBe(
    'The confirmation link is not valid, or has expired.',
  );
});

test.each(['GET', 'POST'])('a link that is none says so on a page: %s', async (method) => {
  const page = await browse(network.iris, method, '/accounts/confirm_new_email/%3Cscript%3E');
  expect([page.status, page.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
  expect(page.text).toContain('<p role="alert">The confirmation link is not valid, or has expired.</p>');
});

test('an invitation and word of a deactivation arrive, once each', async () => {
  const { iris, faye } = network;
  await iris.call(sendInvitations, { invitee_emails: 'new@example.org, other@example.org', stream_ids: [] });
  const [mail] = (await mailsTo(MAILS, 'new@example.org')) as [string];
  expect(linkIn(mail)).toMatch(/^\/accounts\/do_confirm\/[a-z2-7]{24}$/);
  expect(await mailsTo(MAILS, 'other@example.org')).toHaveLength(1);
  const { delivery_email: address } = await faye.call(getOwnUser, {});
  await iris.call(deactivateUser, { user_id: faye.userId, deactivation_notification_comment: 'Thank you, Faye.' });
  const mails = await mailsTo(MAILS, String(address));
  expect(mails).toHaveLength(1);
  expect(mails[0]).toContain('> Thank you, Faye.');
});
