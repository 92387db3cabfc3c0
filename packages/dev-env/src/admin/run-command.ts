import { parseArgs } from 'node:util';
import { ServiceUnavailableError } from '@parley/shared/errors';
import { connectRpc } from '@parley/shared/rpc';
import type { Config } from '../config';
import type { Command, CommandedService, CommandOf, CommandResult, Options } from './command';
import { findServiceAddress } from './find-service-address';
import { invitesMails, realmMails } from './mails';
import { messagesFill } from './messages-fill';
import { realmCreate } from './realm-create';
import { realmFill } from './realm-fill';
import { userCreate } from './user-create';
import { userPermit } from './user-permit';
import { webhooksList, webhooksReplay, webhooksSecret } from './webhooks';

const COMMANDS: Readonly<Record<string, Command>> = {
  'realm create': realmCreate,
  'realm fill': realmFill,
  'realm mails': realmMails,
  'invites mails': invitesMails,
  'messages fill': messagesFill,
  'user create': userCreate,
  'user permit': userPermit,
  'webhooks list': webhooksList,
  'webhooks replay': webhooksReplay,
  'webhooks secret': webhooksSecret,
};

/** Runs one command; resolves with what it prints. */
export async function runCommand(words: string[], config: Config): Promise<string> {
  if (words.length === 0 || words.includes('--help')) return usage();
  const name = words.slice(0, 2).join(' ');
  const command = COMMANDS[name];
  if (!command) throw new Error(`there is no command "${name}": see --help`);
  const { isJson, options } = parseOptions(command, words.slice(2));
  // Whichever it is: a command is called with the client of the service that it names.
  const result = await call(command as CommandOf<'realm'>, options, config);
  return isJson ? `${JSON.stringify(result)}\n` : present(result);
}

function usage(): string {
  const lines = Object.entries(COMMANDS).map(([name, { about, required, optional }]) => {
    const musts = Object.entries(required).map(([option, placeholder]) => `--${option} ${placeholder}`);
    const mays = Object.entries(optional).map(([option, placeholder]) => `[--${option} ${placeholder}]`);
    return `  npm run -s admin -- ${[name, ...musts, ...mays, '[--json]'].join(' ')}\n      ${about}`;
  });
  return `Usage:\n${lines.join('\n')}\n`;
}

function parseOptions(command: Command, args: string[]): { isJson: boolean; options: Options } {
  const names = Object.keys({ ...command.required, ...command.optional });
  const texts = Object.fromEntries(names.map((name) => [name, { type: 'string' as const }]));
  const { values } = parseArgs({ args, options: { ...texts, json: { type: 'boolean' } } });
  const given = values as Record<string, string | undefined>;
  const missing = Object.keys(command.required).filter((name) => given[name] === undefined);
  if (missing.length > 0) throw new Error(`missing: ${missing.map((name) => `--${name}`).join(', ')}; see --help`);
  return { isJson: values.json === true, options: optionsOf(given) };
}

function optionsOf(given: Record<string, string | undefined>): Options {
  return {
    text: (name) => given[name] as string,
    optionalText: (name) => given[name],
    integer: (name) => toInteger(name, given[name] as string),
    optionalInteger(name) {
      const text = given[name];
      return text === undefined ? undefined : toInteger(name, text);
    },
    optionalDecision(name) {
      const text = given[name];
      return text === undefined ? undefined : toDecision(name, text);
    },
  };
}

function toInteger(name: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new Error(`--${name} must be a number (it is "${text}")`);
  return Number(text);
}

function toDecision(name: string, text: string): boolean {
  if (text !== 'yes' && text !== 'no') throw new Error(`--${name} must be yes or no (it is "${text}")`);
  return text === 'yes';
}

async function call<Service extends CommandedService>(command: CommandOf<Service>, options: Options, config: Config) {
  const address = await findServiceAddress(config, command.service);
  const { client, close } = connectRpc(command.service, address);
  try {
    return await command.run(client, options);
  } catch (error) {
    throw error instanceof ServiceUnavailableError
      ? new Error(`no ${command.service} service answers at ${address}`)
      : error;
  } finally {
    close();
  }
}

function present(result: CommandResult): string {
  return Object.entries(result)
    .map(([name, value]) => (typeof value === 'object' ? presentList(name, value) : `${name}: ${value}\n`))
    .join('');
}

function presentList(name: string, items: readonly Record<string, string | number>[]): string {
  if (items.length === 0) return `${name}: none\n`;
  const lines = items.map(
    (item) =>
      `  ${Object.entries(item)
        .map(([field, value]) => `${field}: ${value}`)
        .join(', ')}\n`,
  );
  return `${name}:\n${lines.join('')}`;
}
