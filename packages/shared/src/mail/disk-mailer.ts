import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createTransport } from 'nodemailer';
import type { Logger } from '../service';
import type { Mailer } from './mail';
import { toMessage } from './to-message';

/** A mailer for machines without a mail server: every mail becomes a file, `mail/<message id>.eml` below the data directory. */
export function diskMailer(dataDirectory: string, log: Logger): Mailer {
  const directory = path.resolve(dataDirectory, 'mail');
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  log.info({ directory }, 'no SMTP_URL is set: mails are written to files');
  return {
    async send(mail) {
      const { message } = await transport.sendMail(toMessage(mail));
      const file = path.join(directory, `${mail.messageId.split('@')[0]}.eml`);
      await mkdir(directory, { recursive: true });
      // Links in it let people in; and nobody finds half a mail.
      await writeFile(`${file}.part`, message as Buffer, { mode: 0o600 });
      await rename(`${file}.part`, file);
      log.info({ file }, 'no SMTP_URL is set: a mail was written to a file');
    },
    close() {},
  };
}
