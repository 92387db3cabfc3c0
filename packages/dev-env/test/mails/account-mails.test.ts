import { getMessages, updateUserSettings } from '@parley/gateway/endpoints';
import { newCall } from '@parley/shared/rpc';
import { until } from '@parley/shared/testing';
import { ROLES } from '@parley/shared/values';
import { type TestClient, TestNetwork } from '../../src';
import type { RawAnswer } from '../../src/network/test-client';
import { type MissedMail, parseMail } from '../away/away';
import { MailServer } from '../mail-server';

const PASSWORD = 'a long and winding road';
const NORA = 'nora@example.com';

let network: TestNetwork;
let nora: TestClient;
const server = new MailServer();

beforeAll(async () => {
  const settings = { SMTP_URL: await server.start() };
  network = await TestNetwork.create({ settings, replicas: { gateway: 2, realm: 2 } });
  const account = { email: NORA, fullName: 'Nora', role: ROLES.member, password: PASSWORD };
  nora = network.clientOf(await network.realmService.createUser(newCall(), { subdomain: '', ...account }));
});
afterAll(async () => {
  await network.stop();
  await server.stop();
});

const browse = (request: { method: string; path: string; form?: Record<string, string>; cookie?: string }) => {
  const { cookie, ...rest } = request;
  const headers = { authorization: null, accept: 'text/html', 'user-agent': 'Mozilla/5.0 (X11; Linux) Firefox/140.0' };
  return nora.callRaw({ ...rest, headers: { ...headers, ...(cookie !== undefined && { cookie }) } });
};
const signIn = (cookie?: string) =>
  browse({
    ...{ method: 'POST', path: '/accounts/login', form: { username: NORA, password: PASSWORD } },
    ...(cookie !== undefined && { cookie }),
  });
const cookieOf = ({ headers }: RawAnswer, name: string) =>
  (headers['set-cookie'] ?? []).find((line) => line.startsWith(`${name}=`))?.split(';', 1)[0] as string;
/** Without another that waits. */
async function nextMail(): Promise<MissedMail> {
  await server.until(({ mails }) => mails === 1);
  return parseMail(server.mails.pop() as string);
}
const isQuiet = async () =>
  (await network.database('realm').query('select 1 from mail_job where given_up_at is null')).length === 0;

test('a sign-in from another browser is mailed, and one click ends such mails', async () => {
  const home = cookieOf(await signIn(), 'device');
  expect(cookieOf(await signIn(home), 'device')).toBe(home);
  expect(await network.database('realm').query('select 1 from mail_job')).toEqual([]);
  await signIn();
  const { to, subject, headers, text } = await nextMail();
  expect([to, subject]).toEqual([NORA, expect.stringContaining('from a new device')]);
  expect(headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click');
  expect(text).toContain('Device: Firefox on Linux');
  const path = /^<https?:\/\/[^/]+(\/unsubscribe\/[\w-]+)>$/.exec(headers['list-unsubscribe'] ?? '')?.[1];
  const queue = await nora.events({ event_types: ['user_settings'] });
  const page = await browse({ method: 'GET', path: path as string });
  expect([page.status, page.text]).toEqual([200, expect.stringContaining('<form method="post">')]);
  const clicked = await browse({
    ...{ method: 'POST', path: path as string, form: { 'List-Unsubscribe': 'One-Click' } },
  });
  expect(clicked.status).toBe(200);
  expect(await queue.next('user_settings')).toMatchObject({ property: 'enable_login_emails', value: false });
  await signIn();
  await until(isQuiet);
  expect(server.mails).toEqual([]);
  await nora.call(updateUserSettings, { enable_login_emails: true });
});

test('an address that refuses mails gets no more, and its person is told once, at the next sign-in', async () => {
  server.refused.add(NORA);
  await signIn();
  const noted = 'select reason from mail_bounce';
  await until(async () => (await network.database('realm').query(noted)).length > 0);
  server.refused.delete(NORA);
  await signIn();
  await signIn();
  await network.settle();
  const narrow = [{ operator: 'sender', operand: 'notification-bot@system.invalid' }];
  const bots = async () => {
    const { messages } = await nora.call(getMessages, {
      anchor: 'newest',
      num_before: 10,
      num_after: 0,
      narrow,
      apply_markdown: false,
    });
    return messages.map(({ content }) => String(content));
  };
  await until(async () => (await bots()).length > 0);
  const [told, ...others] = await bots();
  expect(others).toEqual([]);
  expect(told).toContain('`nora@example.com`');
  expect(told).toContain('no such user');
  await until(isQuiet);
  expect(server.mails).toEqual([]);
  const path = /(\/unsubscribe\/[\w-]+)\)/.exec(told as string)?.[1] as string;
  expect((await browse({ method: 'POST', path })).text).toContain('Mails are sent again');
  await signIn();
  expect(await nextMail()).toMatchObject({ to: NORA });
});
