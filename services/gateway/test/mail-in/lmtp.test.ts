import net from 'node:net';
import { freePort } from '@parley/shared/embedded';
import { BadRequestError } from '@parley/shared/errors';
import type { SendMessageRequest } from '@parley/shared/proto';
import { createMailIn } from '../../src/mail-in/mail-in';
import { recordingLogger, startGateway, type TestGateway } from '../gateway';

const DOMAIN = 'in.chat.example';
const addressOf = (letter: string) => `x.c${letter.repeat(26)}@${DOMAIN}`;
const MIB = 1024 * 1024;

let gateway: TestGateway;
let port: number;
const { log, lines } = recordingLogger();

beforeAll(async () => {
  port = await freePort();
  const settings = { LMTP_LISTEN: `127.0.0.1:${port}`, MAIL_IN_DOMAIN: DOMAIN, MAIL_IN_MAX_SIZE_MIB: 1 };
  gateway = await startGateway({ ...settings, RATE_LIMITS: true, MAILS_PER_MINUTE: 5 }, { log });
});
afterAll(() => gateway.stop());

beforeEach(() => {
  gateway.realm.answers.findChannelMailAddress = async (_call, { token }) => ({
    address: token.startsWith('z') ? null : { realmId: 1, channelId: 3, userId: 7, senderId: 9, isSentByService: true },
  });
  gateway.messages.answers.sendMessage = async () => ({ messageId: 1 });
  gateway.messages.seen.length = 0;
});

const sent = () =>
  gateway.messages.seen
    .filter(({ method }) => method === 'sendMessage')
    .map(({ request }) => request as SendMessageRequest);

/** A client that says lines, and collects the answers until the server has given as many as it wants. */
class Client {
  #text = '';
  #notice = () => {};
  isClosed = false;
  readonly socket: net.Socket;

  constructor() {
    this.socket = net.connect(port, '127.0.0.1');
    this.socket.setEncoding('utf8').on('error', () => {});
    this.socket.on('data', (text: string) => {
      this.#text += text;
      this.#notice();
    });
    this.socket.on('close', () => {
      this.isClosed = true;
      this.#notice();
    });
  }

  /** The next answers, each by its last line. */
  async answers(count: number): Promise<string[]> {
    const answers: string[] = [];
    while (answers.length < count) {
      const [line] = /^.*\r\n/.exec(this.#text) ?? [];
      if (line === undefined) {
        if (this.isClosed) return [...answers, 'closed'];
        await new Promise<void>((resolve) => {
          this.#notice = resolve;
        });
      } else {
        this.#text = this.#text.slice(line.length);
        if (line[3] === ' ') answers.push(line.trim());
      }
    }
    return answers;
  }

  say(...said: string[]): void {
    this.socket.write(said.map((line) => `${line}\r\n`).join(''));
  }

  end(): void {
    this.socket.destroy();
  }

  /** The server hangs up on clients that speak before it has greeted them. */
  static async greeted(): Promise<Client> {
    const client = new Client();
    await client.answers(1);
    return client;
  }
}

/** The answers to the recipients, and to the mail. */
async function deliver(recipients: readonly string[], mail: string, sender = 'a@example.org'): Promise<string[]> {
  const client = await Client.greeted();
  client.say('LHLO mx.example', `MAIL FROM:<${sender}>`, ...recipients.map((to) => `RCPT TO:<${to}>`));
  const [, , ...toRecipients] = await client.answers(2 + recipients.length);
  const taken = toRecipients.filter((answer) => answer.startsWith('250')).length;
  if (taken === 0) {
    client.end();
    return toRecipients;
  }
  client.say('DATA');
  await client.answers(1);
  client.say(mail, '.');
  const answers = await client.answers(taken);
  client.end();
  return [...toRecipients, ...answers];
}

const MAIL = 'From: Ada <ada@example.org>\r\nSubject: Soup\r\nMessage-ID: <1@example.org>\r\n\r\nAt noon';

test('commands in one packet are answered in order, and a mail has an answer for each recipient', async () => {
  const client = await Client.greeted();
  const recipients = [addressOf('a'), addressOf('z'), addressOf('b')];
  client.say('LHLO mx.example', 'MAIL FROM:<a@example.org>', ...recipients.map((to) => `RCPT TO:<${to}>`), 'DATA');
  const answers = await client.answers(6);
  expect(answers.map((answer) => answer.slice(0, 3))).toEqual(['250', '250', '250', '550', '250', '354']);
  expect(answers[3]).toBe('550 5.1.1 There is no such address');
  let count = 0;
  gateway.messages.answers.sendMessage = async () => {
    count += 1;
    if (count === 2) throw new BadRequestError('Not today – “sorry”');
    return { messageId: 1 };
  };
  client.say(MAIL, '.', 'QUIT');
  expect(await client.answers(3)).toEqual([
    '250 2.0.0 OK',
    '550 5.7.1 Not today ? ?sorry?',
    expect.stringMatching(/^221/),
  ]);
  expect(sent()).toMatchObject([
    { channelId: 3, topic: 'Soup', content: 'At noon', isAnswer: true, jobKey: expect.stringMatching(/^mail:/) },
    { channelId: 3 },
  ]);
  expect(new Set(sent().map(({ jobKey }) => jobKey)).size).toBe(2);
  expect(lines.find(({ message }) => message === 'a mail came in')).toMatchObject({ kind: 'channel', outcome: 'sent' });
  expect(JSON.stringify(lines)).not.toContain('aaaaaaaaaa');
});

test('more mails to an address than its limit are to come later; others are not affected', async () => {
  const answers = [];
  for (let n = 0; n < 6; n += 1) answers.push(...(await deliver([addressOf('d')], MAIL)).slice(-1));
  expect(answers.map((answer) => answer.slice(0, 9))).toEqual([...Array(5).fill('250 2.0.0'), '451 4.7.1']);
  expect(await deliver([addressOf('e')], MAIL)).toHaveLength(2);
});

test('a mail that is too large is refused, announced or not, and so are too many recipients', async () => {
  const client = await Client.greeted();
  client.say('LHLO mx.example', `MAIL FROM:<a@example.org> SIZE=${2 * MIB}`);
  expect((await client.answers(2))[1]).toMatch(/^552/);
  client.end();
  const [, large] = await deliver([addressOf('f')], `${MAIL}${'x'.repeat(70)}\r\n`.repeat(10_000));
  expect(large).toBe('552 5.3.4 The mail is too large');
  const many = Array.from({ length: 25 }, (_, n) => addressOf('ghijklmnopqrstuvwxy2345672'[n] as string));
  const answers = await deliver(many, MAIL);
  expect(answers.slice(0, 25).filter((answer) => answer.startsWith('452'))).toHaveLength(5);
});

test('of a mail that breaks off nothing is sent; the next one is', async () => {
  const client = await Client.greeted();
  client.say('LHLO mx.example', 'MAIL FROM:<a@example.org>', `RCPT TO:<${addressOf('3')}>`, 'DATA');
  await client.answers(4);
  client.socket.end(MAIL);
  await new Promise((resolve) => client.socket.once('close', resolve));
  expect((await deliver([addressOf('4')], MAIL)).at(-1)).toBe('250 2.0.0 OK');
  expect(sent()).toHaveLength(1);
});

test('an outage is a reason to come later, and a bug is, too', async () => {
  gateway.messages.answers.sendMessage = async () => {
    throw new Error('a bug');
  };
  expect((await deliver([addressOf('5')], MAIL)).at(-1)).toBe('451 4.3.0 Try again later');
  gateway.realm.answers.findChannelMailAddress = async () => {
    throw new Error('another one');
  };
  expect(await deliver([addressOf('6')], MAIL)).toEqual(['451 4.3.0 Try again later']);
});

test('a gateway that stops answers the mail that it has', async () => {
  const before = port;
  port = await freePort();
  const other = await startGateway({
    LMTP_LISTEN: `127.0.0.1:${port}`,
    MAIL_IN_DOMAIN: DOMAIN,
    MAIL_IN_MAX_SIZE_MIB: 1,
  });
  try {
    other.realm.answers.findChannelMailAddress = gateway.realm.answers.findChannelMailAddress;
    let stopping: Promise<void> | undefined;
    other.messages.answers.sendMessage = async () => {
      stopping = other.stopGateway();
      return { messageId: 1 };
    };
    expect((await deliver([addressOf('7')], MAIL)).at(-1)).toBe('250 2.0.0 OK');
    await stopping;
  } finally {
    port = before;
    await other.stop();
  }
});

test('LMTP needs a domain', () => {
  const ctx = { config: { LMTP_LISTEN: '127.0.0.1:0' } } as Parameters<typeof createMailIn>[0];
  expect(() => createMailIn(ctx)).toThrow('LMTP_LISTEN needs MAIL_IN_DOMAIN');
});
