import { NonexistentSubdomainError, ServiceUnavailableError } from '@parley/shared/errors';
import type { CommandedService } from './command';
import { isListening } from './find-service-address';
import { printable } from './printable';

/** A longer line repeats a long value: its middle is left out. */
const MAX_LENGTH = 1_000;
const KEPT_END = 200;

/** An error in one line, for the operator. */
export function inOneLine(error: unknown): string {
  const line = printable((error instanceof Error ? error.message : String(error)).trim());
  const characters = [...line];
  if (characters.length <= MAX_LENGTH) return line;
  const [start, end] = [characters.slice(0, MAX_LENGTH - KEPT_END), characters.slice(-KEPT_END)];
  return `${start.join('')}…${end.join('')}`;
}

interface Called {
  service: CommandedService;
  address: string;
}

/** Explains an error of a command: names the organization that does not exist, or the services that do not answer. */
export async function explainFailure(
  error: unknown,
  called: readonly Called[],
  options: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  const { realm } = options;
  if (error instanceof NonexistentSubdomainError && typeof realm === 'string')
    return new Error(`${error.message}: there is no organization "${realm}"; realm list tells which there are`);
  if (!(error instanceof ServiceUnavailableError)) return error;
  const states = await Promise.all(called.map(async (each) => ({ ...each, isThere: await isListening(each.address) })));
  const away = states.filter(({ isThere }) => !isThere);
  if (away.length > 0)
    return new Error(away.map(({ service, address }) => `no ${service} service answers at ${address}`).join(', and '));
  const places = states.map(({ service, address }) => `${service} at ${address}`).join(', ');
  return new Error(`a service did not answer in time, or is none of that kind: ${places}; its log says more`);
}
