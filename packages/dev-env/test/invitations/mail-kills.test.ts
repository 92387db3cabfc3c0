import { sendInvitations } from '@parley/gateway/endpoints';
import { TestNetwork } from '../../src';
import { MailServer } from '../mail-server';

const ADDRESSES = ['ann@example.org', 'ben@example.org', 'cat@example.org'];
const headersOf = (name: string, mails: readonly string[]) =>
  mails.map((mail) => new RegExp(`^${name}: (.*)\r$`, 'm').exec(mail)?.[1] as string).sort();

let server: MailServer;
let network: TestNetwork;
beforeEach(async () => {
  server = new MailServer();
  const settings = { SMTP_URL: await server.start() };
  network = await TestNetwork.create({ settings, joint: ['invites'], replicas: { invites: 2 } });
});
afterEach(async () => {
  await network.stop();
  await server.stop();
});

const invite = () => network.iris.call(sendInvitations, { invitee_emails: ADDRESSES.join(), stream_ids: [] });
/** The replicas that sent are dead, their leases are over, and two others come. */
async function replaceReplicas(): Promise<void> {
  const replicas = network.replicas.invites;
  await Promise.all(replicas.map((replica) => replica.kill()));
  server.silence = null;
  await network.database('invites').query(`update mail_job set leased_until = now() where leased_until is not null`);
  await Promise.all(replicas.map((replica) => replica.start()));
}

async function untilNothingIsWaiting(): Promise<void> {
  const due = `select 1 from mail_job where template = 'invitation'`;
  while ((await network.database('invites').query(due)).length > 0) await server.until(() => true);
}

test('mails that replicas were sending when they were killed are sent once, by others', async () => {
  server.silence = 'greeting';
  await invite();
  await server.until(({ connections }) => connections === ADDRESSES.length);
  await replaceReplicas();
  await server.until(({ mails }) => mails === ADDRESSES.length);
  await untilNothingIsWaiting();
  expect(headersOf('To', server.mails)).toEqual(ADDRESSES);
});

test('mails whose acceptance got lost are sent again unchanged', async () => {
  server.silence = 'mail';
  await invite();
  await server.until(({ mails }) => mails === ADDRESSES.length);
  await replaceReplicas();
  await server.until(({ mails }) => mails === 2 * ADDRESSES.length);
  await untilNothingIsWaiting();
  const ids = headersOf('Message-ID', server.mails);
  expect(new Set(ids).size).toBe(ADDRESSES.length);
  expect(ids).toHaveLength(2 * ADDRESSES.length);
});
