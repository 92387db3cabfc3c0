import path from 'node:path';
import { readConfig, tlsSettings } from '@parley/shared/service';
import { z } from 'zod';

export const operatorSettings = {
  /** Relative to the command's working directory: npm runs it in the checkout's. */
  DATA_DIR: z
    .string()
    .default('./var')
    .transform((directory) => path.resolve(directory)),
  /** Addresses of the services; absent: those of the running `npm start`. */
  REALM_ADDRESS: z.string().optional(),
  MESSAGES_ADDRESS: z.string().optional(),
  INVITES_ADDRESS: z.string().optional(),
  SCHEDULER_ADDRESS: z.string().optional(),
  EVENTS_ADDRESS: z.string().optional(),
  /** The gateway's address, for commands that inspect everything; absent: that of the running `npm start`. */
  GATEWAY_URL: z.url({ protocol: /^https?$/ }).optional(),
  /** Authorization for the receiver of the audit log; a setting, so that no list of processes shows it. */
  AUDIT_STREAM_AUTHORIZATION: z.string().optional(),
  /** Client certificates for services with mutual TLS. */
  ...tlsSettings,
  /** The name of the npm script this runs in. */
  npm_lifecycle_event: z.string().optional(),
};

export interface OperatorConfig extends ReturnType<typeof readConfig<typeof operatorSettings>> {
  /** The words that start the command: npm's in a checkout, the program's name in the image. */
  invocation: string;
  /** Passed on to code that parses its own settings. */
  environment: NodeJS.ProcessEnv;
}

/** The only reader of the environment of the operator's command. Throws ConfigError. */
export function loadConfig(environment: NodeJS.ProcessEnv = process.env): OperatorConfig {
  const settings = readConfig(operatorSettings, environment);
  const invocation = settings.npm_lifecycle_event === undefined ? 'parley' : 'npm run -s admin --';
  return { ...settings, invocation, environment };
}
