import { CommanderError, Option, Command as Program } from 'commander';
import { z } from 'zod';
import type { Command, OptionShape, OptionsOf, Subject } from './command/command';
import { isOptional, placeholderOf } from './command/options';
import { COMMANDS } from './commands';

/** A command with its options, or the requested help. */
type CommandLine = ParsedCommand | { help: string };

export interface ParsedCommand {
  command: Command;
  isJson: boolean;
  options: OptionsOf<OptionShape>;
}

type Given = Readonly<Record<string, unknown>>;

/**
 * Parses `<subject> <action> --OPTION VALUE ...`; all commands have `--json` and `--progress`. Throws errors in one line. Lines
 * of the help begin with `invocation`, the words that start the command.
 */
export function parseCommandLine(words: readonly string[], invocation: string): CommandLine {
  let [help, parsed]: [string, ParsedCommand | undefined] = ['', undefined];
  const program = createProgram(
    invocation,
    (text) => {
      help += text;
    },
    (command, given) => {
      parsed = parseOptions(command, given);
    },
  );
  if (words.length === 0) return { help: program.helpInformation() };
  try {
    program.parse(words, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (help === '') throw new Error(reasonOf(error, words));
  }
  return parsed ?? { help };
}

function createProgram(
  invocation: string,
  printHelp: (text: string) => void,
  run: (command: Command, given: Given) => void,
): Program {
  const program = new Program(invocation).exitOverride().helpOption('--help').helpCommand(false);
  program.configureOutput({ writeOut: printHelp, writeErr: () => undefined });
  program.configureHelp({ formatHelp: () => generalHelp(invocation) });
  for (const [name, subject] of Object.entries(COMMANDS)) {
    const group = program.command(name).helpCommand(false);
    group.configureHelp({ formatHelp: () => `Usage:\n${subjectHelp(`${invocation} ${name}`, subject)}` });
    for (const [action, command] of Object.entries(subject.actions)) {
      addOptions(actionOf(group, action), command)
        .configureHelp({ formatHelp: () => commandHelp(`${invocation} ${name} ${action}`, command) })
        .action((_given, typed: Program) => run(command, givenIn(typed)));
    }
  }
  return program;
}

/** An action has one word, or two, as in `scim token create`. */
function actionOf(group: Program, action: string): Program {
  const [word, rest] = action.split(' ') as [string, string?];
  if (rest === undefined) return group.command(word);
  const found = group.commands.find((each) => each.name() === word);
  return (found ?? group.command(word).helpCommand(false)).command(rest);
}

function addOptions(program: Program, { options }: Command): Program {
  // In brackets: a value that looks like an option is not taken for one; `--name --json` lacks a name.
  for (const name of Object.keys(options)) program.addOption(new Option(`--${name} [value]`));
  return program.option('--json').option('--progress');
}

/** By the names of the options; commander's are in camel case. */
function givenIn(program: Program): Given {
  const values = program.opts();
  return Object.fromEntries(program.options.map((option) => [option.name(), values[option.attributeName()]]));
}

function parseOptions(command: Command, { json, progress: _, ...given }: Given): ParsedCommand {
  const names = Object.keys(command.options);
  const empty = names.filter((name) => given[name] === true);
  if (empty.length > 0) throw new Error(`${listOf(empty)} must have a value; see --help`);
  const missing = names.filter((name) => given[name] === undefined && !isOptional(command.options[name] as z.ZodType));
  if (missing.length > 0) throw new Error(`missing: ${listOf(missing)}; see --help`);
  const parsed = z.object(command.options).safeParse(given);
  if (parsed.success) return { command, isJson: json === true, options: parsed.data };
  throw new Error(parsed.error.issues.map(({ path, message }) => `--${String(path[0])} ${message}`).join('; '));
}

const listOf = (names: readonly string[]) => names.map((name) => `--${name}`).join(', ');

function reasonOf({ code, message }: CommanderError, words: readonly string[]): string {
  // The latter: a subject without an action.
  if (code === 'commander.unknownCommand' || code === 'commander.help') {
    return `there is no command "${words.slice(0, 2).join(' ')}": see --help; ${choiceFor(words)}`;
  }
  return `${message.replace(/^error: |\.$/g, '').replaceAll('\n', ' ')}; see --help`;
}

function choiceFor([name = '']: readonly string[]): string {
  const subject = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (subject) return `${name} goes with ${Object.keys(subject.actions).join(', ')}`;
  return `there are commands for ${Object.keys(COMMANDS).join(', ')}`;
}

function generalHelp(invocation: string): string {
  const subjects = Object.entries(COMMANDS).map(
    ([name, subject]) => `${name}: ${subject.summary}\n${subjectHelp(`${invocation} ${name}`, subject)}`,
  );
  return [
    `Usage: ${invocation} <subject> <action> [--OPTION VALUE ...] [--json]\n`,
    `<subject> --help lists its actions, <subject> <action> --help has examples\n\n`,
    subjects.join('\n'),
  ].join('');
}

function subjectHelp(name: string, { actions }: Subject): string {
  const lines = Object.entries(actions).map(
    ([action, command]) => `  ${usageOf(`${name} ${action}`, command)}\n      ${command.summary}\n`,
  );
  return lines.join('');
}

function commandHelp(name: string, command: Command): string {
  const examples = command.examples?.map((words) => `  ${name} ${words}\n`) ?? [];
  return [
    `Usage:\n  ${usageOf(name, command)}\n`,
    `\n${command.summary}\n`,
    `\n--json prints the answer as one line of JSON; --progress reports long work even without a terminal\n`,
    ...(examples.length > 0 ? [`\nExamples:\n${examples.join('')}`] : []),
  ].join('');
}

function usageOf(name: string, { options }: Command): string {
  const words = Object.entries(options).map(([option, schema]) => {
    const word = `--${option} ${placeholderOf(schema)}`;
    return isOptional(schema) ? `[${word}]` : word;
  });
  return [name, ...words, '[--json]'].join(' ');
}
