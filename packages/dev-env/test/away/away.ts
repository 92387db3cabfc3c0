import type { Database } from '@parley/shared/db';
import { createFakeClock, type FakeClock, until } from '@parley/shared/testing';
import { TestNetwork } from '../../src';
import { MailServer } from '../mail-server';

/** A mail about missed messages, decoded. */
export interface MissedMail {
  to: string;
  subject: string;
  headers: Readonly<Record<string, string>>;
  text: string;
  html: string;
}

/** A network whose people are away, with a mail server and a clock that the test moves. */
export interface AwayNetwork {
  network: TestNetwork;
  server: MailServer;
  clock: FakeClock;
  /** Moves the clock, and resolves with the mails that have arrived since the last call, by address. */
  mailsAfter(ms: number): Promise<MissedMail[]>;
  stop(): Promise<void>;
}

/** The period after which mails are sent, unless a person has chosen another one. */
export const BATCHING_MS = 120_000;

/** Starts such a network. */
export async function startAway(own: Readonly<Record<string, string>> = {}): Promise<AwayNetwork> {
  const clock = createFakeClock();
  const server = new MailServer();
  // More in a second than any test sends: turns would wait for the clock.
  const settings = { SMTP_URL: await server.start(), MAILS_PER_SECOND: '1000', ...own };
  const network = await TestNetwork.create({ clock, settings });
  return {
    ...{ network, server, clock },
    async mailsAfter(ms) {
      await network.settle();
      clock.advance(ms);
      await until(() => isQuiet(network.database('scheduler'), clock));
      return server.mails
        .splice(0)
        .map(parseMail)
        .sort((a, b) => a.to.localeCompare(b.to));
    },
    async stop() {
      await network.stop();
      await server.stop();
    },
  };
}

/** Nothing is due any more: neither mails that are to be made, nor some that are to be sent. */
async function isQuiet(database: Database, clock: FakeClock): Promise<boolean> {
  clock.advance(1);
  const due = await database.query(
    `select 1 from due_job where kind = 'missed-mail' and (due_at <= to_timestamp($1 / 1000.0) or lease is not null and attempts > 0
       and due_at < to_timestamp($1 / 1000.0) + interval '1 minute')
     union all select 1 from mail_job where given_up_at is null and due_at <= to_timestamp($1 / 1000.0)`,
    [clock.now()],
  );
  return due.length === 0;
}

/** As much of MIME as our mails have. */
export function parseMail(raw: string): MissedMail {
  const [head = '', ...rest] = raw.split('\r\n\r\n');
  const headers = headersOf(head);
  const body = rest.join('\r\n\r\n');
  const boundary = /boundary="([^"]+)"/.exec(headers['content-type'] ?? '')?.[1] as string;
  const parts = body.split(`--${boundary}`).map((part) => {
    const [partHead = '', ...content] = part.trimStart().split('\r\n\r\n');
    return {
      type: headersOf(partHead)['content-type'] ?? '',
      content: decode(headersOf(partHead), content.join('\r\n\r\n')),
    };
  });
  const contentOf = (type: string) => parts.find((part) => part.type.startsWith(type))?.content ?? '';
  return {
    to: /<?([^\s<>]+)>?$/.exec(headers['to'] ?? '')?.[1] ?? '',
    subject: headers['subject'] ?? '',
    headers,
    text: contentOf('text/plain').replaceAll('\r\n', '\n'),
    html: contentOf('text/html').replaceAll('\r\n', '\n'),
  };
}

function headersOf(head: string): Record<string, string> {
  const lines = head.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n');
  return Object.fromEntries(
    lines.map((line) => {
      const at = line.indexOf(':');
      return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()];
    }),
  );
}

function decode(headers: Record<string, string>, content: string): string {
  if (headers['content-transfer-encoding'] === 'base64') return Buffer.from(content, 'base64').toString();
  if (headers['content-transfer-encoding'] !== 'quoted-printable') return content;
  const bytes = content
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}
