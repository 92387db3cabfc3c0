import { connectRpc } from '@parley/shared/rpc';
import { tlsFilesOf } from '@parley/shared/service';
import {
  type Clients,
  type Command,
  type CommandContext,
  type CommandedService,
  type CommandResult,
  type Connections,
  type OptionShape,
  type OptionsOf,
  type Terminal,
  Unfinished,
} from './command/command';
import { explainFailure } from './command/failures';
import { findServiceAddress } from './command/find-service-address';
import { present } from './command/present';
import { NO_TERMINAL } from './command/terminal';
import { parseCommandLine } from './command-line';
import type { OperatorConfig } from './config';

/** Runs one command; resolves with the text to print. Its errors are for people; see Unfinished. */
export async function runCommand(
  words: string[],
  config: OperatorConfig,
  terminal: Terminal = NO_TERMINAL,
): Promise<string> {
  const typed = parseCommandLine(words, config.invocation);
  if ('help' in typed) return typed.help;
  const { command, isJson, options } = typed;
  const printed = (result: CommandResult) => (isJson ? `${JSON.stringify(result)}\n` : present(result));
  try {
    const result = await call(command, options, config, terminal);
    return typeof result === 'string' ? result : printed(result);
  } catch (error) {
    if (error instanceof Unfinished) await terminal.print(printed(error.result));
    throw error;
  }
}

async function call(
  command: Command,
  options: OptionsOf<OptionShape>,
  config: OperatorConfig,
  terminal: Terminal,
): Promise<CommandResult | string> {
  const connecting = { config, options };
  const context = {
    config,
    terminal,
    withServices: <Result>(names: readonly CommandedService[], work: (connections: Connected) => Promise<Result>) =>
      withServices(connecting, names, (_clients, connections) => work(connections)),
  };
  return withServices(connecting, command.services, (clients, connections) =>
    command.run(clients, options, { ...context, connections } as unknown as CommandContext<CommandedService>),
  );
}

type Connected = Connections<CommandedService>;

async function withServices<Result>(
  { config, options }: { config: OperatorConfig; options: OptionsOf<OptionShape> },
  names: readonly CommandedService[],
  work: (clients: Clients<CommandedService>, connections: Connected) => Promise<Result>,
): Promise<Result> {
  const services = await connect(names, config);
  try {
    const clients = Object.fromEntries(services.map(({ service, client }) => [service, client]));
    const connections = Object.fromEntries(services.map((connection) => [connection.service, connection]));
    return await work(clients as unknown as Clients<CommandedService>, connections as unknown as Connected);
  } catch (error) {
    throw await explainFailure(error, services, options);
  } finally {
    for (const { close } of services) close();
  }
}

async function connect(names: readonly CommandedService[], config: OperatorConfig) {
  const addresses = await Promise.all(names.map((service) => findServiceAddress(config, service)));
  const tls = tlsFilesOf(config);
  return names.map((service, index) => {
    const address = addresses[index] as string;
    return { service, address, ...connectRpc(service, address, tls) };
  });
}
