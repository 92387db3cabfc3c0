import type { RpcClient } from '@parley/shared/rpc';

/** The services that commands call. */
export type CommandedService = 'realm' | 'messages' | 'invites' | 'scheduler';

/** One command of the operator. Every option has a value; their placeholders are for the usage text. */
export interface CommandOf<Service extends CommandedService> {
  service: Service;
  /** For the usage text. */
  about: string;
  required: Readonly<Record<string, string>>;
  optional: Readonly<Record<string, string>>;
  /** What the command prints: as one line with --json, else a line each. */
  run(service: RpcClient<Service>, options: Options): Promise<CommandResult>;
}

type Fields = Readonly<Record<string, string | number>>;

/** Fields, some of them lists of things with fields of their own. */
export type CommandResult = Readonly<Record<string, string | number | readonly Fields[]>>;

export type Command = { [Service in CommandedService]: CommandOf<Service> }[CommandedService];

/** The options as they were given. */
export interface Options {
  /** Of a required option. */
  text(name: string): string;
  optionalText(name: string): string | undefined;
  /** Of a required option. Throws when it is not an integer, like optionalInteger. */
  integer(name: string): number;
  optionalInteger(name: string): number | undefined;
  /** Throws when it is neither `yes` nor `no`. */
  optionalDecision(name: string): boolean | undefined;
}
