import { type ParseArgsConfig, parseArgs } from 'node:util';
import { z } from 'zod';
import type { Command, OptionShape, OptionsOf } from './command';
import { isOptional } from './options';

/** Reads the options of a command; `--json` and `--progress` go with all. Throws what is wrong with them, in one line. */
export function parseOptions(command: Command, args: string[]): { isJson: boolean; options: OptionsOf<OptionShape> } {
  const names = Object.keys(command.options);
  const texts = Object.fromEntries(names.map((name) => [name, { type: 'string' as const }]));
  const flags = { json: { type: 'boolean' }, progress: { type: 'boolean' } } as const;
  const { json, progress: _, ...given } = readWords(args, { ...texts, ...flags });
  requireAll(command.options, given);
  const parsed = z.object(command.options).safeParse(given);
  if (!parsed.success) throw new Error(parsed.error.issues.map(reasonOf).join('; '));
  return { isJson: json === true, options: parsed.data };
}

function readWords(args: string[], options: NonNullable<ParseArgsConfig['options']>): Record<string, unknown> {
  try {
    return parseArgs({ args, options }).values;
  } catch (error) {
    // It says more in further lines, of which a command line with options alone has no use.
    const [reason] = (error as Error).message.split(/\n|\. /);
    throw new Error(`${reason}; see --help`);
  }
}

function requireAll(options: OptionShape, given: Readonly<Record<string, unknown>>): void {
  const missing = Object.keys(options).filter((name) => {
    const schema = options[name] as z.ZodType;
    return given[name] === undefined && !isOptional(schema);
  });
  if (missing.length > 0) throw new Error(`missing: ${missing.map((name) => `--${name}`).join(', ')}; see --help`);
}

function reasonOf({ path, message }: { path: PropertyKey[]; message: string }): string {
  return `--${String(path[0])} ${message}`;
}
