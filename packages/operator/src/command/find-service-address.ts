import { connect } from 'node:net';
import type { readConfig } from '@parley/shared/service';
import type { operatorSettings } from '../config';
import { readRunFile } from '../run-file';
import type { CommandedService } from './command';

type Where = ReturnType<typeof readConfig<typeof operatorSettings>>;

const SETTINGS = {
  realm: 'REALM_ADDRESS',
  messages: 'MESSAGES_ADDRESS',
  invites: 'INVITES_ADDRESS',
  scheduler: 'SCHEDULER_ADDRESS',
  events: 'EVENTS_ADDRESS',
} as const;

const ADDRESS = /^(\S+):(\d{1,5})$/;

/** The address of a service: set by the operator, or that of the `npm start` with the same data directory. */
export async function findServiceAddress(config: Where, service: CommandedService): Promise<string> {
  const setting = SETTINGS[service];
  const named = config[setting];
  if (named) return checked(setting, named);
  const run = readRunFile(config.DATA_DIR);
  const address = run?.addresses[service];
  // The file may be left by a killed start.
  if (address && (await isListening(address))) return address;
  throw new Error(
    `nothing runs with the data in ${config.DATA_DIR}: run npm start, or set ${setting} to the host:port of a ${service} service`,
  );
}

function checked(setting: string, address: string): string {
  if (ADDRESS.test(address)) return address;
  throw new Error(`${setting} must be host:port (it is "${address}")`);
}

/** Whether an address accepts connections. */
export function isListening(address: string): Promise<boolean> {
  const [, host, port] = ADDRESS.exec(address) as unknown as [string, string, string];
  return new Promise((resolve) => {
    const socket = connect(Number(port), host);
    // If nothing answers at all, that would take minutes.
    socket.setTimeout(2_000, () => socket.destroy(new Error('nothing answers')));
    socket.once('error', () => resolve(false));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });
}
