import { mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { closeSmtpServers, type SmtpTestOptions, serveSmtp } from '../../test/smtp-server';
import { silentLogger } from '../observability';
import { composeMail, createMailer, type Mail, MailRefusedError } from '.';
import { smtpMailer } from './mailers';

afterEach(closeSmtpServers);

const words = { subject: 'Hello', paragraphs: ['How are you?'], footer: 'You asked for it.' };
const aMail = (wanted: Partial<Mail> = {}): Mail => ({
  to: { name: 'Dan', address: 'dan@example.com' },
  from: { name: 'Parley', address: 'noreply@parley.test' },
  messageId: 'realm-1-2-3@parley.test',
  sentAtMs: Date.parse('2030-01-02T03:04:05Z'),
  ...composeMail(words),
  ...wanted,
});

async function exchange(options: SmtpTestOptions = {}, mail = aMail(), query = '') {
  const server = await serveSmtp(options);
  const mailer = smtpMailer(server.url + query, 500);
  const error = await mailer.send(mail).then(
    () => null,
    (thrown: Error) => thrown,
  );
  mailer.close();
  return { error, received: server.received };
}

/** Names and unfolded values of a message's headers. */
function headersOf(message: string): [string, string][] {
  const [head] = message.split('\r\n\r\n') as [string];
  const lines = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n');
  return lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]);
}

describe('a mail to a server', () => {
  test('arrives with text and HTML, under its message id, and says that no person sent it', async () => {
    const { error, received } = await exchange();
    expect(error).toBeNull();
    expect(received).toMatchObject([{ from: 'noreply@parley.test', to: ['dan@example.com'] }]);
    const { message } = received[0] as { message: string };
    expect(Object.fromEntries(headersOf(message))).toMatchObject({
      From: 'Parley <noreply@parley.test>',
      To: 'Dan <dan@example.com>',
      Subject: 'Hello',
      'Message-ID': '<realm-1-2-3@parley.test>',
      Date: 'Wed, 02 Jan 2030 03:04:05 +0000',
      'Auto-Submitted': 'auto-generated',
    });
    expect(message).toContain('Content-Type: text/plain; charset=utf-8');
    expect(message).toContain('Content-Type: text/html; charset=utf-8');
  });

  test.each<[string, SmtpTestOptions, string, boolean]>([
    ['no such recipient', { answerRecipient: 550 }, 'EENVELOPE', true],
    ['content that it will not have', { answerData: 554 }, 'EMESSAGE', true],
    ['greylisting', { answerRecipient: 451 }, 'EENVELOPE', false],
    ['a full disk', { answerData: 452 }, 'EMESSAGE', false],
    ['a sender that it does not know, which the operator can mend', { answerSender: 550 }, 'EENVELOPE', false],
    ['a wrong password, which the operator can mend', { password: 'other' }, 'EAUTH', false],
  ])('that the server refuses for %s', async (_case, options, code, isFinal) => {
    const { error, received } = await exchange(options);
    expect(received).toEqual([]);
    expect(error instanceof MailRefusedError).toBe(isFinal);
    expect(isFinal ? error?.cause : error).toMatchObject({ code });
  });

  test.each<[string, (socket: net.Socket) => void, string]>([
    ['never greets', () => {}, 'ETIMEDOUT'],
    ['hangs up', (socket) => socket.destroy(), 'ECONNECTION'],
    ['falls silent', (socket) => socket.write('220 hello\r\n'), 'ETIMEDOUT'],
    ['speaks another protocol', (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'), 'EPROTOCOL'],
  ])('fails for now when the server %s', async (_case, answer, code) => {
    const sockets: net.Socket[] = [];
    const server = net.createServer(answer).on('connection', (socket) => sockets.push(socket.on('error', () => {})));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as net.AddressInfo;
    await expect(smtpMailer(`smtp://127.0.0.1:${port}`, 200).send(aMail())).rejects.toMatchObject({ code });
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
    await expect(smtpMailer(`smtp://127.0.0.1:${port}`, 200).send(aMail())).rejects.toMatchObject({ code: 'ESOCKET' });
  });

  test('goes over TLS where the server has it, and only there when that is demanded', async () => {
    const trusted = '?tls.rejectUnauthorized=false';
    expect((await exchange({ hasTls: true }, aMail(), trusted)).received).toMatchObject([{ isSecure: true }]);
    expect((await exchange({ hasTls: true, isTlsFromTheStart: true }, aMail(), trusted)).received).toMatchObject([
      { isSecure: true },
    ]);
    const { error, received } = await exchange({ hasTls: true });
    expect([error, received]).toMatchObject([{ code: 'ESOCKET' }, []]);
    const plain = await exchange({}, aMail(), '?requireTLS=true');
    expect([plain.error, plain.received]).toMatchObject([{ code: 'ETLS' }, []]);
  });
});

const NAMES = [
  'Dan\r\nBcc: eve@example.com',
  'Dan\nSubject: other',
  'Dan\u2028Bcc: eve@example.com',
  'Dan\0',
  '"Dan" <eve@example.com>, x',
  'eve@example.com, Dan',
  'Dan; eve@example.com',
  '=?utf-8?q?Dan?= <eve@example.com>',
  'Дан (ה) 🎉',
  'D'.repeat(2_000),
];
const HEADERS = ['Auto-Submitted', 'Content-Type', 'Date', 'From', 'MIME-Version', 'Message-ID', 'Subject', 'To'];

describe('the name of a user', () => {
  test.each(NAMES)('makes neither headers nor recipients: %j', async (name) => {
    const mail = aMail({
      to: { name, address: 'dan@example.com' },
      subject: composeMail({ ...words, subject: name }).subject,
    });
    const { error, received } = await exchange({}, mail);
    expect(error).toBeNull();
    expect(received.map(({ to }) => to)).toEqual([['dan@example.com']]);
    const { message } = received[0] as { message: string };
    expect(
      headersOf(message)
        .map(([header]) => header)
        .sort(),
    ).toEqual(HEADERS);
    const longest = Math.max(...message.split('\r\n').map((line) => line.length));
    expect(longest).toBeLessThanOrEqual(998);
  });

  test.each([
    'dan@example.com\r\nRCPT TO:<eve@example.com>',
    'dan@example.com, eve@example.com',
    '<dan@example.com>',
    '"dan eve"@example.com',
    'dan@example.com\0',
    'dän@example.com',
    'dan@',
    '',
  ])('an address that is none is refused: %j', async (address) => {
    const { error, received } = await exchange({}, aMail({ to: { name: 'Dan', address } }));
    expect(error).toBeInstanceOf(MailRefusedError);
    expect(received).toEqual([]);
  });
});

test('without a server mails are files that only their owner reads; one that is sent again takes the place of the first', async () => {
  const DATA_DIR = mkdtempSync(path.join(tmpdir(), 'parley-mail-'));
  const mailer = createMailer({ DATA_DIR }, silentLogger);
  await mailer.send(aMail());
  await mailer.send(aMail());
  const directory = path.join(DATA_DIR, 'mail');
  expect(readdirSync(directory)).toEqual(['realm-1-2-3.eml']);
  const file = path.join(directory, 'realm-1-2-3.eml');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file, 'utf8')).toContain('\r\nTo: Dan <dan@example.com>\r\n');
});
