import '@parley/shared/node-version';
import { inOneLine } from './command/failures';
import { openTerminal } from './command/terminal';
import { loadConfig } from './config';
import { runCommand } from './run-command';

/** `parley realm create ...`: prints the result on standard output, or an error, in one line, on standard error. */
async function main(words: string[]): Promise<void> {
  const terminal = openTerminal(words.includes('--progress'));
  try {
    const text = await runCommand(words, loadConfig(), terminal);
    terminal.end();
    await terminal.print(text);
  } catch (error) {
    terminal.end();
    process.stderr.write(`${inOneLine(error)}\n`);
    process.exitCode = 1;
  }
}

void main(process.argv.slice(2));
