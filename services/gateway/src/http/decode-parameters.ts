import { ConfusingParameterError, MissingParameterError } from '@parley/shared/errors';
import type { ParameterTable, Values } from './endpoint';

/** What a request carries, by name, still encoded. */
export type SentParameters = ReadonlyMap<string, string>;

/** Names that every endpoint understands. */
const UNIVERSAL_NAMES = ['client'];

export interface Decoded<P extends ParameterTable> {
  values: Values<P>;
  /** Names that the endpoint does not know, sorted. */
  ignored: string[];
}

/** Reads parameters in the order of their declaration; the first fault is thrown. */
export type DecodeParameters<P extends ParameterTable> = (
  sent: SentParameters,
  path: Readonly<Record<string, string>>,
) => Decoded<P>;

export function parameterDecoder<P extends ParameterTable>(table: P): DecodeParameters<P> {
  const entries = Object.entries(table);
  const known = knownNames(table);
  return (sent, path) => {
    const values: Record<string, unknown> = {};
    for (const [name, parameter] of entries) {
      const encoded = parameter.place === 'path' ? path[name] : findSent(sent, name, parameter.alias);
      if (encoded !== undefined) values[name] = parameter.read(name, encoded);
      else if (parameter.isRequired) throw new MissingParameterError(name);
      else values[name] = parameter.absent;
    }
    const ignored = [...sent.keys()].filter((name) => !known.has(name)).sort();
    return { values: values as Values<P>, ignored };
  };
}

function knownNames(table: ParameterTable): Set<string> {
  const inForm = Object.entries(table).filter(([, { place }]) => place === 'form');
  return new Set([...UNIVERSAL_NAMES, ...inForm.flatMap(([name, { alias }]) => (alias ? [name, alias] : [name]))]);
}

function findSent(sent: SentParameters, name: string, alias: string | undefined): string | undefined {
  const encoded = sent.get(name);
  if (alias === undefined || !sent.has(alias)) return encoded;
  if (encoded !== undefined) throw new ConfusingParameterError(name, alias);
  return sent.get(alias);
}
