import { lookup } from 'node:dns/promises';
import { BlockList } from 'node:net';
import { parseArgs } from 'node:util';

export interface LoadOptions {
  users: number;
  minutes: number;
  base: URL;
  /** The Host header; absent: that of the organization made for the run, or of `base`. */
  realmHost?: string | undefined;
  /** Absent: accounts are made. */
  accountsFile?: string | undefined;
  seed: number;
  isFind: boolean;
  isSteady: boolean;
  isJson: boolean;
}

export const USAGE = `Usage: npm run load -- [--users 100] [--minutes 1] [--base URL] [--find] [--steady] [--json]
  [--seed 1] [--accounts FILE [--realm-host HOST]] [--i-own-this-host]

Simulates users who register, listen, read and write, at URL, or else at the npm start that runs with the same DATA_DIR. Without
--accounts it makes an organization for them there, or at REALM_ADDRESS and MESSAGES_ADDRESS. FILE has a line for each account:
{"email":…,"api_key":…,"user_id":…}.
--find doubles the users until they are not served well, then searches for the highest number that is.
Exit code 0 when the users were served well: requests and deliveries below 100 ms on the average and 2 s at the 99th
percentile, and errors below 0.025 %; else 1.
--steady lets four users (or --users of them) send, read, type and listen without pause: exit code 0 when every request was answered
with 200, however slowly; else 1.
`;

/**
 * Undefined: only the help is requested. `running` is the address of the running `npm start`, the default of --base. Throws in
 * one line.
 */
export async function readLoadOptions(args: string[], running?: string): Promise<LoadOptions | undefined> {
  const { values } = parseArgs({
    args,
    options: {
      ...{ users: { type: 'string' }, minutes: { type: 'string', default: '1' } },
      ...{
        base: { type: 'string', default: running ?? 'http://127.0.0.1:9991' },
        seed: { type: 'string', default: '1' },
      },
      ...{ 'realm-host': { type: 'string' }, accounts: { type: 'string' }, 'i-own-this-host': { type: 'boolean' } },
      ...{ find: { type: 'boolean', default: false }, steady: { type: 'boolean', default: false } },
      ...{ json: { type: 'boolean', default: false } },
      help: { type: 'boolean' },
    },
  });
  if (values.help) return undefined;
  const base = toBase(values.base);
  if (!values['i-own-this-host'] && !(await isThisMachine(base.hostname))) {
    throw new Error(`${base.hostname} is not this machine: give --i-own-this-host if it is yours to load`);
  }
  if (values.find && values.steady) throw new Error('--find and --steady do not go together');
  return {
    users: Math.trunc(toNumber('users', values.users ?? (values.steady ? '4' : '100'), 1, 100_000)),
    minutes: toNumber('minutes', values.minutes, 0.05, 1_440),
    base,
    realmHost: values['realm-host'],
    accountsFile: values.accounts,
    seed: toNumber('seed', values.seed, 0, 1_000_000),
    isFind: values.find,
    isSteady: values.steady,
    isJson: values.json,
  };
}

function toBase(text: string): URL {
  if (!/^https?:/.test(text) || !URL.canParse(text)) throw new Error(`--base must be an http URL (it is "${text}")`);
  return new URL(text);
}

function toNumber(name: string, text: string, least: number, most: number): number {
  const number = Number(text);
  if (text.trim() !== '' && number >= least && number <= most) return number;
  throw new Error(`--${name} must be a number from ${least} to ${most} (it is "${text}")`);
}

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** All addresses of the name must be loopback addresses. */
async function isThisMachine(hostname: string): Promise<boolean> {
  const addresses = await lookup(hostname.replace(/^\[|\]$/g, ''), { all: true }).catch(() => []);
  const isLoopback = ({ address, family }: { address: string; family: number }) =>
    loopback.check(address, family === 6 ? 'ipv6' : 'ipv4');
  return addresses.length > 0 && addresses.every(isLoopback);
}

const TIMEOUT_MS = 3_000;

/** Throws, in one line, unless a gateway answers at `base`. */
export async function requireAnswer(base: URL): Promise<void> {
  try {
    await fetch(new URL('/health/live', base), { signal: AbortSignal.timeout(TIMEOUT_MS) });
  } catch {
    throw new Error(`nothing answers at ${base.origin}: run npm start, or name a running deployment with --base`);
  }
}
