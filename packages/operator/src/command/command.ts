import type { RpcClient, RpcConnection } from '@parley/shared/rpc';
import type { z } from 'zod';
import type { OperatorConfig } from '../config';

/** The services with a database. */
export const OWNING = ['realm', 'messages', 'invites', 'scheduler'] as const;

/** The services that commands call. */
export const COMMANDED = [...OWNING, 'events'] as const;

export type CommandedService = (typeof COMMANDED)[number];

/** Each option's name and type; see options.ts. */
export type OptionShape = Readonly<Record<string, z.ZodType>>;

/** A client of each service that a command calls. */
export type Clients<Service extends CommandedService> = { readonly [S in Service]: RpcClient<S> };

/** For calls that every service answers, such as inspection. */
export type Connections<Service extends CommandedService> = {
  readonly [S in Service]: Pick<RpcConnection<S>, 'raw'>;
};

/** The context of commands that need more than calls. */
export interface CommandContext<Service extends CommandedService> {
  connections: Connections<Service>;
  config: OperatorConfig;
  /** For progress, and for output before the end. */
  terminal: Terminal;
  /** Connects to services while the work lasts, for commands that do something else first. */
  withServices<S extends CommandedService, Result>(
    names: readonly S[],
    work: (connections: Connections<S>) => Promise<Result>,
  ): Promise<Result>;
}

/** The command's terminal. */
export interface Terminal {
  /** Writes to standard output; resolves when there is capacity for more. */
  print(text: string): Promise<void>;
  /** Writes to standard error, if it is a terminal; replaces the previous line. */
  say(line: string): void;
}

/** The command did a part of its work: the part is printed as a result, and this is its error. */
export class Unfinished extends Error {
  constructor(
    message: string,
    readonly result: CommandResult,
  ) {
    super(message);
  }
}

/** A command of the operator: its help and the parsing of its options derive from this. */
interface CommandOf<Service extends CommandedService, Shape extends OptionShape> {
  services: readonly Service[];
  /** One line of the help. */
  summary: string;
  options: Shape;
  /** The command's words, one example each. */
  examples?: readonly string[];
  /** Returns the output: an object as one line with --json, else a line per field; a text as it is. */
  run(
    clients: Clients<Service>,
    options: OptionsOf<Shape>,
    context: CommandContext<Service>,
  ): Promise<CommandResult | string>;
}

export type OptionsOf<Shape extends OptionShape> = { [Name in keyof Shape]: z.output<Shape[Name]> };

type Value = string | number | boolean;
type Fields = Readonly<Record<string, Value>>;

/** Fields, some of them lists of objects with fields. */
export type CommandResult = Readonly<Record<string, Value | readonly Fields[]>>;

/** Any command: its runner provides the clients and options that it names. */
export type Command = CommandOf<CommandedService, OptionShape>;

/** A subject of commands, with its actions: `user` with `create`, `list` and others. */
export interface Subject {
  summary: string;
  actions: Readonly<Record<string, Command>>;
}

/** Declares a command; `run` gets the options with their types. */
export function command<const Service extends CommandedService, Shape extends OptionShape>(
  declared: CommandOf<Service, Shape>,
): Command {
  return declared as unknown as Command;
}
