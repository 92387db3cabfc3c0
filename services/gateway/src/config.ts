import { mailInSettings } from '@parley/shared/mail-in';
import { tracingSettings } from '@parley/shared/observability';
import {
  brandSettings,
  busSettings,
  hostSettings,
  listenAddress,
  readConfig,
  serviceAddress,
  serviceSettings,
  tlsSettings,
} from '@parley/shared/service';
import { UPLOAD_LIMITS_MIB } from '@parley/shared/values';
import { z } from 'zod';
import { trustedProxies } from './rate-limits/client-address';

/** Schemes of browsers: an app that registers one could not be told from a page. */
const WEB_SCHEMES = ['http', 'https', 'ws', 'wss', 'ftp', 'file', 'data', 'blob', 'about', 'javascript', 'mailto'];

const appSchemes = z
  .string()
  .regex(/^[a-z][a-z0-9+.-]*(,[a-z][a-z0-9+.-]*)*$/, 'must be schemes of addresses separated by commas')
  .transform((list) => list.split(','))
  .refine((schemes) => !schemes.some((scheme) => WEB_SCHEMES.includes(scheme)), 'must not have schemes of browsers')
  .default(['parley']);

const storeSettings = {
  /** Directory for uploaded files, unless S3_BUCKET is set. Gateways of one deployment must share it. */
  DATA_DIR: z.string().default('./var'),
  S3_BUCKET: z.string().min(1).optional(),
  S3_REGION: z.string().default('us-east-1'),
  /** Endpoint of a service other than Amazon's. */
  S3_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  S3_ACCESS_KEY_ID: z.string().optional(),
  S3_SECRET_ACCESS_KEY: z.string().optional(),
};

export const settings = {
  LOG_LEVEL: serviceSettings.LOG_LEVEL,
  METRICS_LISTEN: serviceSettings.METRICS_LISTEN,
  ...tracingSettings,
  ...tlsSettings,
  /** Port of the HTTP server; 0 takes a free one. */
  PORT: z.coerce.number().int().min(0).max(65_535).default(9991),
  BIND: z.string().default('127.0.0.1'),
  ...hostSettings,
  ...brandSettings,
  /** Allows sign-in as any user without a password: for development servers only. */
  DEV_LOGIN: z.stringbool().default(false),
  /**
   * Schemes of addresses that phones open in apps, e.g. parley://login. Apps get their API keys by the first one, unless they ask for
   * another one.
   */
  APP_SCHEMES: appSchemes,
  /** Address of the terms of service for people who join by an invitation; absent: none. */
  TERMS_URL: z.url({ protocol: /^https?$/ }).optional(),
  /** Whether channels can be opened to visitors without an account; realm has the same setting. */
  WEB_PUBLIC_STREAMS_ENABLED: z.stringbool().default(false),
  REALM_ADDRESS: serviceAddress,
  MESSAGES_ADDRESS: serviceAddress,
  SCHEDULER_ADDRESS: serviceAddress,
  INVITES_ADDRESS: serviceAddress,
  EVENTS_ADDRESS: serviceAddress,
  ...storeSettings,
  /** Signs temporary addresses of files; the same for all gateways. Absent: each gateway generates one. */
  UPLOAD_TOKEN_SECRET: z.string().min(16).optional(),
  MAX_FILE_UPLOAD_SIZE_MIB: z.coerce.number().int().min(1).default(UPLOAD_LIMITS_MIB.file),
  /** Maximum size of an organization's files; messages has the same setting. */
  UPLOAD_QUOTA_MIB: z.coerce.number().int().min(1).optional(),
  /** Whether clients are told that phones get notifications; scheduler, which sends them, has the same setting. */
  PUSH_GATEWAY_URL: z.url({ protocol: /^https?$/ }).optional(),
  /** Number of POST /register that are served concurrently, and of further ones that wait; others get 503. */
  REGISTRATIONS_AT_ONCE: z.coerce.number().int().min(1).default(16),
  REGISTRATIONS_WAITING: z.coerce.number().int().min(0).default(5_000),
  /** The same for visitors without an account, separately, so that they never delay users. */
  VISITOR_REGISTRATIONS_AT_ONCE: z.coerce.number().int().min(1).default(4),
  VISITOR_REGISTRATIONS_WAITING: z.coerce.number().int().min(0).default(500),
  /** Turns rate limits on or off. */
  RATE_LIMITS: z.stringbool().default(true),
  ACCOUNT_REQUESTS_PER_MINUTE: z.coerce.number().int().min(1).default(200),
  /** Per address, for requests without credentials or with wrong ones. */
  ADDRESS_REQUESTS_PER_MINUTE: z.coerce.number().int().min(1).default(100),
  /** Additional limits of expensive requests; see rate-limits/limits.ts. */
  SEARCHES_PER_MINUTE: z.coerce.number().int().min(1).default(100),
  REGISTRATIONS_PER_MINUTE: z.coerce.number().int().min(1).default(100),
  UPLOADS_PER_MINUTE: z.coerce.number().int().min(1).default(200),
  UPLOAD_PARTS_PER_MINUTE: z.coerce.number().int().min(1).default(600),
  DOWNLOADS_PER_MINUTE: z.coerce.number().int().min(1).default(1_000),
  POLLS_PER_MINUTE: z.coerce.number().int().min(1).default(300),
  SIGN_INS_PER_MINUTE: z.coerce.number().int().min(1).default(50),
  /** Per address of an identity provider. */
  SCIM_REQUESTS_PER_MINUTE: z.coerce.number().int().min(1).default(30_000),
  ...mailInSettings,
  /** Address at which a mail server delivers mail by LMTP; absent: no mail is taken. Only that server may reach it. */
  LMTP_LISTEN: listenAddress.optional(),
  MAIL_IN_MAX_SIZE_MIB: z.coerce.number().int().min(1).max(100).default(25),
  /** Per recipient's address; others are to be delivered later. */
  MAILS_PER_MINUTE: z.coerce.number().int().min(1).default(60),
  /** Proxies whose X-Forwarded-For is trusted. */
  TRUSTED_PROXIES: trustedProxies,
  /** For the counts shared between gateways. */
  ...busSettings,
  /** Checks every answer against its declaration; for tests. */
  VALIDATE_RESULTS: z.stringbool().default(false),
};

export type Config = ReturnType<typeof readConfig<typeof settings>>;

/** The only reader of this service's environment. */
export function loadConfig(environment: NodeJS.ProcessEnv = process.env): Config {
  return readConfig(settings, environment);
}

export type StoreConfig = ReturnType<typeof readConfig<typeof storeSettings>>;

/** Only the settings of the file store; for programs that need nothing else of a gateway. */
export function loadStoreConfig(environment: NodeJS.ProcessEnv): StoreConfig {
  return readConfig(storeSettings, environment);
}
