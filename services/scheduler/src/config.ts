import { mailSettings } from '@parley/shared/mail';
import { mailInSettings } from '@parley/shared/mail-in';
import { outgoingAllow } from '@parley/shared/outside-http';
import {
  busSettings,
  databaseSettings,
  hostSettings,
  madeUpSecret,
  readConfig,
  serviceAddress,
  serviceSettings,
} from '@parley/shared/service';
import { z } from 'zod';

export const settings = {
  ...serviceSettings,
  ...databaseSettings,
  ...busSettings,
  ...hostSettings,
  ...mailSettings,
  REALM_ADDRESS: serviceAddress,
  MESSAGES_ADDRESS: serviceAddress,
  INVITES_ADDRESS: serviceAddress,
  /**
   * A scheduled message this late, because services were unreachable, is no longer sent, and its author is notified. Reminders are sent
   * however late.
   */
  SCHEDULED_MESSAGE_MAX_LATENESS_SECS: z.coerce
    .number()
    .int()
    .min(1)
    .default(24 * 3600),
  /** Concurrent sends of scheduled messages, and of reminders, in this process; bounded to leave capacity for other work. */
  SCHEDULED_SENDS_AT_ONCE: z.coerce.number().int().min(1).max(1_000).default(16),
  /** Interval between deletions of expired messages, invitations and closed organizations. */
  RETENTION_INTERVAL_MINUTES: z.coerce.number().int().min(1).max(10_080).default(60),
  /** Interval between syncs of an LDAP directory. Whoever left it loses access within this time and some seconds. */
  LDAP_SYNC_INTERVAL_SECS: z.coerce.number().int().min(5).max(86_400).default(30),
  ...mailInSettings,
  /**
   * Secret from which the addresses for replies by mail follow, with a salt stored for each, so that mails about a conversation have the
   * same one. After a change, and at each start if it was never set, the next mail about a conversation has another address; those of
   * before stay valid.
   */
  MAIL_IN_KEY: z.string().min(32, 'must have at least 32 characters').default(madeUpSecret),
  /** Non-public addresses that bots may be called at. */
  OUTGOING_ALLOW: outgoingAllow,
  /** Time limit of a call of a bot. */
  OUTGOING_WEBHOOK_TIMEOUT_SECS: z.coerce.number().int().min(1).max(60).default(10),
  /** Concurrent calls of bots in this process; at most four of one bot in all processes. */
  OUTGOING_WEBHOOKS_AT_ONCE: z.coerce.number().int().min(1).max(1_000).default(64),
  /** Switches on notifications of browsers: the key by which push services know this server. `push keys` makes one. */
  VAPID_PRIVATE_KEY: z
    .string()
    .regex(/^[\w-]{43}$/, 'must be a key that `push keys` made')
    .optional(),
  /** How operators of push services reach the operator: `mailto:` or `https:`. Absent: the address of the server. */
  VAPID_SUBJECT: z.url({ protocol: /^(mailto|https)$/ }).optional(),
  /** Switches on notifications of phones: the organization's own gateway to Apple and Google; see docs/push.md. */
  PUSH_GATEWAY_URL: z.url({ protocol: /^https?$/ }).optional(),
  /** Signs what is sent to it. `push keys` makes one. */
  PUSH_GATEWAY_KEY: z
    .string()
    .regex(/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/, 'must be whsec_ and base64')
    .optional(),
  /** Concurrent deliveries of notifications in this process. */
  PUSHES_AT_ONCE: z.coerce.number().int().min(1).max(1_000).default(64),
};

export type Config = ReturnType<typeof readConfig<typeof settings>>;

/** The only reader of this service's environment. */
export function loadConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  return readConfig(settings, environment);
}
