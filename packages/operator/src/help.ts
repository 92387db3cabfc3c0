import type { Command, Noun } from './command/command';
import { isOptional, placeholderOf } from './command/options';
import { findCommand, findNoun, NOUNS } from './nouns';

/**
 * Help for everything, for a noun, or for a noun and a verb; for everything too when there is no such noun or verb.
 * The lines begin with `door`: what starts the command where it runs.
 */
export function helpFor(words: readonly string[], door: string): string {
  const [name = '', verb] = words;
  const [noun, command] = [findNoun(name), findCommand(words)];
  if (command) return helpForCommand(`${door} ${name} ${verb}`, command);
  if (noun) return `Usage:\n${helpForNoun(`${door} ${name}`, noun)}`;
  const nouns = Object.entries(NOUNS).map(([each, { summary, verbs }]) =>
    [`${each}: ${summary}\n`, helpForNoun(`${door} ${each}`, { summary, verbs })].join(''),
  );
  return `Usage: ${door} NOUN VERB [--OPTION VALUE ...] [--json]; NOUN --help, or NOUN VERB --help, tells more\n\n${nouns.join('\n')}`;
}

function helpForNoun(name: string, { verbs }: Noun): string {
  const lines = Object.entries(verbs).map(
    ([verb, command]) => `  ${usageOf(`${name} ${verb}`, command)}\n      ${command.summary}\n`,
  );
  return lines.join('');
}

function helpForCommand(name: string, command: Command): string {
  const examples = command.examples?.map((words) => `  ${name} ${words}\n`) ?? [];
  return [
    `Usage:\n  ${usageOf(name, command)}\n`,
    `\n${command.summary}\n`,
    `\n--json prints the answer as one line of JSON; --progress tells of long work even where nobody looks\n`,
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
