import { ConfusingParameterError, MissingParameterError } from '@parley/shared/errors';
import { sentNames } from './brands';
import type { ParameterTable, Values } from './endpoint';
import type { Parameter } from './parameters';

/** A request's parameters by name, still encoded. */
export type SentParameters = ReadonlyMap<string, string>;

/** Parameters that every endpoint accepts. */
export const UNIVERSAL_NAMES = ['client'];

export interface Decoded<P extends ParameterTable> {
  values: Values<P>;
  /** Names of parameters that the endpoint does not have, sorted. */
  ignored: string[];
}

/** Decodes parameters in the order of their declaration; throws the first error. */
export type DecodeParameters<P extends ParameterTable> = (
  sent: SentParameters,
  path: Readonly<Record<string, string>>,
) => Decoded<P>;

export function parameterDecoder<P extends ParameterTable>(table: P, brands: readonly string[]): DecodeParameters<P> {
  const entries = Object.entries(table).map(([name, parameter]) => ({
    name,
    parameter,
    names: namesOf(name, parameter, brands),
  }));
  const known = new Set([...UNIVERSAL_NAMES, ...entries.flatMap(({ names }) => names)]);
  return (sent, path) => {
    const values: Record<string, unknown> = {};
    for (const { name, parameter, names } of entries) {
      const encoded = parameter.place === 'path' ? path[name] : findSent(sent, names);
      if (encoded !== undefined) values[name] = parameter.read(name, encoded);
      else if (parameter.isRequired) throw new MissingParameterError(name);
      else values[name] = parameter.absent;
    }
    const ignored = [...sent.keys()].filter((name) => !known.has(name)).sort();
    return { values: values as Values<P>, ignored };
  };
}

/** Its possible names in a form: its own under every brand, and its deprecated one. */
function namesOf(name: string, { place, alias }: Parameter, brands: readonly string[]): string[] {
  if (place === 'path') return [];
  const names = sentNames(name, brands);
  return alias === undefined ? names : [...names, alias];
}

function findSent(sent: SentParameters, names: readonly string[]): string | undefined {
  const [name, other] = names.filter((candidate) => sent.has(candidate));
  if (name === undefined) return undefined;
  if (other !== undefined) throw new ConfusingParameterError(name, other);
  return sent.get(name);
}
