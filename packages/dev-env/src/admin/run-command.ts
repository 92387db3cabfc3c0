import { ServiceUnavailableError } from '@parley/shared/errors';
import { connectRpc } from '@parley/shared/rpc';
import { tlsFilesOf } from '@parley/shared/service';
import type { Config } from '../config';
import type { Clients, Command, CommandedService, CommandResult, OptionShape, OptionsOf } from './command';
import { findServiceAddress } from './find-service-address';
import { helpFor } from './help';
import { findCommand } from './nouns';
import { parseOptions } from './parse-options';
import { present } from './present';

/** Runs one command; resolves with what it prints. */
export async function runCommand(words: string[], config: Config): Promise<string> {
  if (words.length === 0 || words.includes('--help')) return helpFor(words);
  const command = findCommand(words);
  if (!command) throw new Error(`there is no command "${words.slice(0, 2).join(' ')}": see --help`);
  const { isJson, options } = parseOptions(command, words.slice(2));
  const result = await call(command, options, config);
  if (typeof result === 'string') return result;
  return isJson ? `${JSON.stringify(result)}\n` : present(result);
}

async function call(
  command: Command,
  options: OptionsOf<OptionShape>,
  config: Config,
): Promise<CommandResult | string> {
  const services = await connect(command.services, config);
  try {
    const clients = Object.fromEntries(services.map(({ service, client }) => [service, client]));
    return await command.run(clients as unknown as Clients<CommandedService>, options);
  } catch (error) {
    const places = services.map(({ service, address }) => `${service} service answers at ${address}`);
    throw error instanceof ServiceUnavailableError ? new Error(`no ${places.join(', or no ')}`) : error;
  } finally {
    for (const { close } of services) close();
  }
}

async function connect(names: readonly CommandedService[], config: Config) {
  const addresses = await Promise.all(names.map((service) => findServiceAddress(config, service)));
  const tls = tlsFilesOf(config);
  return names.map((service, index) => {
    const address = addresses[index] as string;
    return { service, address, ...connectRpc(service, address, tls) };
  });
}
