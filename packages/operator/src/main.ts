import { runCommand } from './command/run-command';
import { loadConfig } from './config';
import { inOneLine } from './one-line';

/** `npm run -s admin -- realm create ...`: the answer on standard output; an error, in one line, on the other one. */
async function main(): Promise<void> {
  try {
    process.stdout.write(await runCommand(process.argv.slice(2), loadConfig()));
  } catch (error) {
    process.stderr.write(`${inOneLine(error)}\n`);
    process.exitCode = 1;
  }
}

void main();
