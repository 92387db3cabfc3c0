import type { AddressInfo } from 'node:net';
import net from 'node:net';
import { sendInvitations } from '@parley/gateway/endpoints';
import { TestNetwork } from '../../src';

/** Where the server falls silent: before it greets, or once it has the mail; null: nowhere. */
type Silence = 'greeting' | 'mail' | null;

/** As much of a mail server as it takes. */
class MailServer {
  silence: Silence = null;
  readonly mails: string[] = [];
  readonly #server = net.createServer((socket) => this.#serve(socket));
  readonly #sockets = new Set<net.Socket>();
  #notice = () => {};

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `smtp://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Resolves once it has had enough: of mails, of open connections. */
  async until(isEnough: (server: { mails: number; connections: number }) => boolean): Promise<void> {
    while (!isEnough({ mails: this.mails.length, connections: this.#sockets.size })) {
      await new Promise<void>((resolve) => {
        this.#notice = resolve;
      });
    }
  }

  #serve(socket: net.Socket): void {
    this.#sockets.add(socket);
    this.#notice();
    socket.setEncoding('utf8').on('error', () => {});
    socket.on('close', () => {
      this.#sockets.delete(socket);
      this.#notice();
    });
    if (this.silence === 'greeting') return;
    let said = '';
    let isMail = false;
    socket.write('220 here\r\n');
    socket.on('data', (text: string) => {
      said += text;
      if (isMail ? !said.endsWith('\r\n.\r\n') : !said.endsWith('\r\n')) return;
      if (isMail) this.mails.push(said);
      else if (/^quit/i.test(said)) socket.end('221 bye\r\n');
      const isSilent = isMail && this.silence === 'mail';
      isMail = !isMail && /^data/i.test(said);
      said = '';
      if (!isSilent && socket.writable) socket.write(isMail ? '354 go on\r\n' : '250 fine\r\n');
      this.#notice();
    });
  }
}

const ADDRESSES = ['ann@example.org', 'ben@example.org', 'cat@example.org'];
const headersOf = (name: string, mails: readonly string[]) =>
  mails.map((mail) => new RegExp(`^${name}: (.*)\r$`, 'm').exec(mail)?.[1] as string).sort();

let server: MailServer;
let network: TestNetwork;
beforeEach(async () => {
  server = new MailServer();
  const settings = { SMTP_URL: await server.start() };
  network = await TestNetwork.create({ settings, processes: ['invites'], replicas: { invites: 2 } });
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
