import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerAddress, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import type { Context } from '../context';
import { deliverMail } from './deliver-mail';
import { MailBytes } from './mail-bytes';
import { noteMail } from './mail-durations';
import { MailParser, UnreadableMailError } from './mail-parser';
import type { ParsedMail } from './parse-program';
import { type Recipient, resolveRecipient } from './recipients';
import { refusalOf, SmtpRefusal, tryLater } from './smtp-refusal';

export type LmtpContext = Pick<Context, 'config' | 'uploads' | 'services' | 'rateLimits' | 'log' | 'clock'>;

const MIB = 1024 * 1024;
const MAX_CLIENTS = 50;
const MAX_RECIPIENTS = 20;
/** Mails that are received or delivered at the same time take at most this number of the largest ones' memory. */
const LARGEST_AT_ONCE = 4;
/** Without any bytes from the other side. */
const IDLE_MS = 60_000;
/** For all bytes of one mail, however steadily they trickle. */
const MAIL_MS = 5 * 60_000;
const CLOSE_MS = 10_000;

type Callback = (error?: Error | null) => void;

/** Takes mails from the operator's mail server by LMTP (RFC 2033): one answer for each recipient, so nothing is queued here. */
export class LmtpServer {
  readonly #parser = new MailParser();
  readonly #recipients = new WeakMap<SMTPServerAddress, Recipient>();
  /** Mails that are being received, by session, and their timers. */
  readonly #arriving = new Map<string, { bytes: MailBytes; timer: NodeJS.Timeout }>();
  readonly #server: SMTPServer;
  readonly #maxBytes: number;
  #heldBytes = 0;

  constructor(private readonly ctx: LmtpContext) {
    this.#maxBytes = ctx.config.MAIL_IN_MAX_SIZE_MIB * MIB;
    this.#server = new SMTPServer({
      lmtp: true,
      logger: false,
      name: ctx.config.MAIL_IN_DOMAIN,
      size: this.#maxBytes,
      maxClients: MAX_CLIENTS,
      maxRecipients: MAX_RECIPIENTS,
      maxAllowedUnauthenticatedCommands: false,
      socketTimeout: IDLE_MS,
      closeTimeout: CLOSE_MS,
      disabledCommands: ['AUTH', 'STARTTLS'],
      authOptional: true,
      disableReverseLookup: true,
      onRcptTo: (address, session, done) => void this.#answerRecipient(address, session, done),
      onData: (stream, session, done) => this.#receive(stream, session, done),
      onClose: ({ id }) => this.#release(id),
    });
    // Connections that break off; the mail server delivers again.
    this.#server.on('error', (err) => ctx.log.debug({ err }, 'a connection for mail has failed'));
  }

  /** Returns the address, host:port. */
  async listen(host: string, port: number): Promise<string> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, host, () => resolve());
    });
    return `${host}:${(this.#server.server.address() as AddressInfo).port}`;
  }

  /** Resolves when the mails that were received have their answers, after ten seconds at the latest. */
  async close(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
    await this.#parser.close();
  }

  async #answerRecipient(address: SMTPServerAddress, session: SMTPServerSession, done: Callback): Promise<void> {
    const sinceMs = performance.now();
    try {
      this.#recipients.set(address, await resolveRecipient(this.ctx, address.address, session.id));
      done();
    } catch (error) {
      const refusal = this.#refusal(error, session.id);
      noteMail('none', refusal, sinceMs);
      done(refusal);
    }
  }

  #receive(
    stream: SMTPServerDataStream,
    session: SMTPServerSession,
    done: (error: Error | null, answers?: (string | Error)[]) => void,
  ): void {
    const bytes = new MailBytes();
    const timer = setTimeout(() => this.#hangUp(session.id), MAIL_MS).unref();
    this.#arriving.set(session.id, { bytes, timer });
    let refusal: SmtpRefusal | null = null;
    stream.on('data', (chunk: Buffer) => {
      if (refusal !== null) return;
      refusal = this.#noRoomFor(bytes, chunk.length);
      if (refusal !== null) return this.#empty(bytes);
      bytes.append(chunk);
      this.#heldBytes += chunk.length;
    });
    stream.on('end', () => {
      clearTimeout(timer);
      if (refusal !== null) {
        this.#release(session.id);
        noteMail('none', refusal, performance.now());
        return done(refusal);
      }
      void this.#deliver(bytes, session).then((answers) => {
        this.#release(session.id);
        done(null, answers);
      });
    });
  }

  #noRoomFor({ size }: MailBytes, more: number): SmtpRefusal | null {
    if (size + more > this.#maxBytes) return new SmtpRefusal(552, '5.3.4 The mail is too large');
    if (this.#heldBytes + more > LARGEST_AT_ONCE * this.#maxBytes) return new SmtpRefusal(452, '4.3.1 Too many mails');
    return null;
  }

  /** An answer for each recipient, in their order. */
  async #deliver(bytes: MailBytes, session: SMTPServerSession): Promise<(string | Error)[]> {
    const { mailFrom, rcptTo } = session.envelope;
    const sinceMs = performance.now();
    const recipients = rcptTo.map((address) => this.#recipients.get(address) as Recipient);
    const mail = await this.#parse(bytes, recipients).catch((error) => this.#refusal(error, session.id));
    if (mail instanceof Error) {
      for (const { kind } of recipients) noteMail(kind, mail, sinceMs);
      return recipients.map(() => mail);
    }
    const received = { mail, envelopeSender: mailFrom ? mailFrom.address : '', requestId: randomUUID() };
    const answers: (string | Error)[] = [];
    for (const recipient of recipients) {
      const { kind, realmId, userId } = recipient;
      const about = { requestId: received.requestId, kind, realmId, userId, size: bytes.size };
      try {
        const outcome = await deliverMail(this.ctx, received, recipient);
        this.ctx.log.info({ ...about, outcome }, 'a mail came in');
        noteMail(kind, outcome, sinceMs);
        answers.push('2.0.0 OK');
      } catch (error) {
        const refusal = this.#refusal(error, received.requestId);
        this.ctx.log.info({ ...about, outcome: refusal.message }, 'a mail came in');
        noteMail(kind, refusal, sinceMs);
        answers.push(refusal);
      }
    }
    return answers;
  }

  async #parse(bytes: MailBytes, recipients: readonly Recipient[]): Promise<ParsedMail> {
    const wantsHtml = recipients.some((each) => each.kind === 'channel' && each.options.has('prefer-html'));
    try {
      return await this.#parser.parse(bytes.take(), wantsHtml);
    } catch (error) {
      if (!(error instanceof UnreadableMailError)) throw error;
      this.ctx.log.warn({ err: error, size: bytes.size }, 'a mail cannot be read');
      throw new SmtpRefusal(554, '5.6.0 The mail cannot be read');
    }
  }

  #refusal(error: unknown, requestId: string): SmtpRefusal {
    const refusal = refusalOf(error);
    if (refusal === null) this.ctx.log.error({ err: error, requestId }, 'a mail could not be delivered');
    return refusal ?? tryLater();
  }

  #hangUp(sessionId: string): void {
    for (const connection of this.#server.connections) if (connection.id === sessionId) connection.close();
  }

  #release(sessionId: string): void {
    const arriving = this.#arriving.get(sessionId);
    if (arriving === undefined) return;
    this.#arriving.delete(sessionId);
    clearTimeout(arriving.timer);
    this.#empty(arriving.bytes);
  }

  #empty(bytes: MailBytes): void {
    this.#heldBytes -= bytes.size;
    bytes.size = 0;
    bytes.clear();
  }
}
