import { createTransport, type SendMailOptions } from 'nodemailer';

/** What a mail server answered for one recipient. */
export interface Answer {
  code: number;
  text: string;
}

export interface SentMail extends Omit<SendMailOptions, 'to' | 'envelope'> {
  to: string | string[];
  /** The envelope's sender; empty: none, as of reports. */
  envelopeFrom?: string;
}

const SENDER = 'stranger@example.org';

/** Delivers to a gateway by LMTP, as an operator's mail server does. Returns the answer for each recipient, in order. */
export async function deliver(lmtp: string, { to, envelopeFrom = SENDER, ...mail }: SentMail): Promise<Answer[]> {
  const [host = '', port] = lmtp.split(':');
  const transport = createTransport({ host, port: Number(port), lmtp: true, ignoreTLS: true });
  const recipients = [to].flat();
  const answers = new Map<string, Answer>();
  const note = (errors: RefusedRecipient[] = []) => {
    for (const { recipient = '', responseCode = 0, response = '' } of errors) {
      answers.set(recipient, { code: responseCode, text: response });
    }
  };
  try {
    const info = await transport.sendMail({
      from: SENDER,
      subject: 'Lunch',
      ...mail,
      envelope: { from: envelopeFrom, to: recipients },
    });
    note(info.rejectedErrors as RefusedRecipient[]);
    for (const address of info.accepted) answers.set(String(address), { code: 250, text: info.response });
  } catch (error) {
    const {
      rejectedErrors,
      responseCode = 0,
      response = '',
    } = error as RefusedRecipient & {
      rejectedErrors?: RefusedRecipient[];
    };
    for (const address of recipients) answers.set(address, { code: responseCode, text: response });
    note(rejectedErrors);
  } finally {
    transport.close();
  }
  return recipients.map((address) => answers.get(address) ?? { code: 0, text: 'no answer' });
}

interface RefusedRecipient {
  recipient?: string;
  responseCode?: number;
  response?: string;
}

/** Delivers to one recipient. */
export async function deliverTo(lmtp: string, mail: SentMail & { to: string }): Promise<Answer> {
  const [answer] = await deliver(lmtp, mail);
  return answer as Answer;
}
