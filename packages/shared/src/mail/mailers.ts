import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { SendMailOptions, Transporter } from 'nodemailer';
import type { Logger } from '../observability';
import { isEmailAddress, truncate } from '../values';
import { inOneLine } from './compose-mail';
import { type Mail, type Mailer, MailRefusedError } from './mail';

interface MailerOptions {
  SMTP_URL?: string | undefined;
  DATA_DIR: string;
}

/** Sends mails to the server in SMTP_URL; without it writes them to files, which it logs. */
export function createMailer({ SMTP_URL, DATA_DIR }: MailerOptions, log: Logger): Mailer {
  return SMTP_URL === undefined ? diskMailer(DATA_DIR, log) : smtpMailer(SMTP_URL);
}

/** A mailer for machines without a mail server: each mail becomes a file, `mail/<message id>.eml` below the data directory. */
function diskMailer(dataDirectory: string, log: Logger): Mailer {
  const directory = path.resolve(dataDirectory, 'mail');
  const transport = openedByUse((create) => create({ streamTransport: true, buffer: true, newline: 'windows' }));
  log.info({ directory }, 'no SMTP_URL is set: mails are written to files');
  return {
    async send(mail) {
      const { message } = await (await transport.open()).sendMail(toMessage(mail));
      const file = path.join(directory, `${mail.messageId.split('@')[0]}.eml`);
      await mkdir(directory, { recursive: true });
      // Private, because its links give access; renamed when complete, so that readers never find an incomplete mail.
      await writeFile(`${file}.part`, message as Buffer, { mode: 0o600 });
      await rename(`${file}.part`, file);
      log.info({ file }, 'no SMTP_URL is set: a mail was written to a file');
    },
    close() {},
  };
}

/** Timeout for each of: the connection, the server's greeting, any pause in its replies. */
const TIMEOUT_MS = 15_000;

/**
 * A mailer that sends each mail to one server, over a separate connection. The address may have options, such as
 * `?requireTLS=true`.
 */
export function smtpMailer(url: string, timeoutMs = TIMEOUT_MS): Mailer {
  const transport = openedByUse((create) =>
    create({
      url,
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
      dnsTimeout: timeoutMs,
    }),
  );
  return {
    async send(mail) {
      try {
        await (await transport.open()).sendMail(toMessage(mail));
      } catch (error) {
        throw refusalOf(error as SmtpError) ?? error;
      }
    },
    close: transport.close,
  };
}

type CreateTransport = typeof import('nodemailer').createTransport;

/** Loads nodemailer with the first mail: it is large, and most services seldom send one. */
function openedByUse<Sent>(create: (createTransport: CreateTransport) => Transporter<Sent>) {
  let opened: Promise<Transporter<Sent>> | undefined;
  return {
    open() {
      opened ??= import('nodemailer').then(({ createTransport }) => create(createTransport));
      return opened;
    },
    close() {
      void opened?.then((transport) => transport.close()).catch(() => {});
    },
  };
}

interface SmtpError extends Error {
  command?: string;
  responseCode?: number;
}

/** A 5xx reply about the recipient or the content is final; an operator can fix faults of our login or sender. */
function refusalOf(error: SmtpError): MailRefusedError | null {
  const { command = '', responseCode = 0, message } = error;
  if (responseCode < 500 || !['RCPT TO', 'DATA'].includes(command)) return null;
  return new MailRefusedError(message, { cause: error, isAboutRecipient: command === 'RCPT TO' });
}

/** A line of a message must not have more than 998 bytes. */
const MAX_NAME_LENGTH = 100;

/** A mail for nodemailer: users' names can neither begin a header nor add an address. */
function toMessage(mail: Mail): SendMailOptions {
  const { to, from, subject, text, html, messageId, sentAtMs, headers: { replyTo, fromName, bounceTo } = {} } = mail;
  if (!isEmailAddress(to.address)) throw new MailRefusedError('that is no address');
  return {
    from: { name: nameInHeader(fromName ?? from.name), address: from.address },
    to: { name: nameInHeader(to.name), address: to.address },
    ...(replyTo && { replyTo: { name: nameInHeader(replyTo.name), address: replyTo.address } }),
    ...(bounceTo !== undefined && { envelope: { from: bounceTo, to: to.address } }),
    subject: inOneLine(subject),
    text,
    html,
    messageId: `<${messageId}>`,
    date: new Date(sentAtMs),
    headers: furtherHeaders(mail),
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

const nameInHeader = (name: string) => truncate(inOneLine(name), MAX_NAME_LENGTH, '…');

function furtherHeaders({
  headers: { inReplyTo, references = [], unsubscribeUrl } = {},
}: Mail): Record<string, string> {
  return {
    // Prevents automatic replies.
    'Auto-Submitted': 'auto-generated',
    ...(inReplyTo !== undefined && { 'In-Reply-To': `<${inReplyTo}>` }),
    ...(references.length > 0 && { References: references.map((id) => `<${id}>`).join(' ') }),
    ...(unsubscribeUrl !== undefined && {
      'List-Unsubscribe': `<${unsubscribeUrl}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    }),
  };
}
