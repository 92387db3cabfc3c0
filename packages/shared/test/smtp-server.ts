import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

export interface ReceivedMail {
  from: string;
  to: string[];
  /** As received over the network. */
  message: string;
  isSecure: boolean;
}

export interface SmtpTestOptions {
  /** Codes of answers; a function decides each time. Absent: success. */
  answerSender?: number;
  answerRecipient?: number | (() => number);
  answerData?: number;
  /** The only accepted password for signing in. */
  password?: string;
  /** With a self-signed certificate. */
  hasTls?: boolean;
  isTlsFromTheStart?: boolean;
}

/** Contains characters that must be encoded in an address. */
const PASSWORD = 's@c:r/t';
const servers: SMTPServer[] = [];

/** A mail server on this machine; `url` is a value for SMTP_URL. */
export async function serveSmtp(options: SmtpTestOptions = {}): Promise<{ url: string; received: ReceivedMail[] }> {
  const received: ReceivedMail[] = [];
  const { hasTls = false, isTlsFromTheStart = false, password } = options;
  const server = new SMTPServer({
    logger: false,
    secure: isTlsFromTheStart,
    disabledCommands: hasTls ? [] : ['STARTTLS'],
    authOptional: password === undefined,
    allowInsecureAuth: true,
    onAuth: (auth, _session, done) =>
      auth.password === (password ?? PASSWORD) ? done(null, { user: 'parley' }) : done(refusal(535)),
    onMailFrom: (_address, _session, done) => done(refusal(options.answerSender)),
    onRcptTo: (_address, _session, done) => done(refusal(codeOf(options.answerRecipient))),
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        if (options.answerData !== undefined) return done(refusal(options.answerData));
        received.push({
          from: session.envelope.mailFrom ? session.envelope.mailFrom.address : '',
          to: session.envelope.rcptTo.map(({ address }) => address),
          message: Buffer.concat(chunks).toString(),
          isSecure: session.secure,
        });
        done();
      });
    },
  });
  // Clients that do not trust the certificate close the connection during the handshake.
  server.on('error', () => {});
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp${isTlsFromTheStart ? 's' : ''}://parley:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}`,
    received,
  };
}

const codeOf = (answer: SmtpTestOptions['answerRecipient']) => (typeof answer === 'function' ? answer() : answer);

function refusal(responseCode: number | undefined): Error | null {
  if (responseCode === undefined || responseCode === 250) return null;
  return Object.assign(new Error('not today'), { responseCode });
}

export async function closeSmtpServers(): Promise<void> {
  await Promise.all(servers.splice(0).map((server) => new Promise<void>((resolve) => server.close(() => resolve()))));
}
