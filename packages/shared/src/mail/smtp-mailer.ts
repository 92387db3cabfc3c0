import { createTransport } from 'nodemailer';
import { type Mailer, MailRefusedError } from './mail';
import { toMessage } from './to-message';

/** For each of: the connection, the server's greeting, any pause in what it says. */
const TIMEOUT_MS = 15_000;

/** A mailer that hands every mail to one server, over a connection of its own. The address may hold options, as `?requireTLS=true`. */
export function smtpMailer(url: string, timeoutMs = TIMEOUT_MS): Mailer {
  const transport = createTransport({
    url,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
  });
  return {
    async send(mail) {
      try {
        await transport.sendMail(toMessage(mail));
      } catch (error) {
        throw isRefusal(error as SmtpError) ? new MailRefusedError((error as Error).message, { cause: error }) : error;
      }
    },
    close: () => transport.close(),
  };
}

interface SmtpError extends Error {
  command?: string;
  responseCode?: number;
}

/** A 5xx about the recipient or the content is final; what is said of ourselves (login, sender) an operator can mend. */
function isRefusal({ command = '', responseCode = 0 }: SmtpError): boolean {
  return responseCode >= 500 && ['RCPT TO', 'DATA'].includes(command);
}
