import { ConfigError } from '@parley/shared/errors';
import type { LmtpContext, LmtpServer } from './lmtp-server';

// Mail comes in at the gateway, not at the scheduler: it is another public dialect, and its attachments are uploads, whose bytes are
// the gateway's. The scheduler says whose a reply's address is, realm whose a channel's; the message is sent like any other.

export interface MailIn {
  /** Null: mail is not taken, or not yet. */
  readonly address: string | null;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Takes mail at LMTP_LISTEN, if it is set. Throws ConfigError. */
export function createMailIn(ctx: LmtpContext): MailIn {
  const { LMTP_LISTEN: listen, MAIL_IN_DOMAIN: domain } = ctx.config;
  if (listen !== undefined && domain === undefined) throw new ConfigError('LMTP_LISTEN needs MAIL_IN_DOMAIN');
  let server: LmtpServer | undefined;
  let address: string | null = null;
  return {
    get address() {
      return address;
    },
    async start() {
      if (listen === undefined) return;
      // Loaded only if mail is taken.
      const lmtp = require('./lmtp-server') as typeof import('./lmtp-server');
      server = new lmtp.LmtpServer(ctx);
      const colon = listen.lastIndexOf(':');
      address = await server.listen(listen.slice(0, colon).replace(/^\[|\]$/g, ''), Number(listen.slice(colon + 1)));
      ctx.log.info({ address }, 'mail is taken by LMTP');
    },
    async stop() {
      await server?.close();
      address = null;
    },
  };
}
