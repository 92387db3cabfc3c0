import { branded } from '../http/brands';
import { encodeRequest } from '../http/encode-request';
import { API_PREFIX, type Endpoint } from '../http/endpoint';
import examples from './examples.json';

/** An exchange recorded on a test network, with invented names of keys and files. */
export interface Example {
  /** By name, not yet encoded. */
  parameters: Record<string, unknown>;
  /** Name of the uploaded file. */
  file?: string;
  /** The target of a redirect. */
  location?: string;
  /** The whole JSON answer. */
  answer?: Record<string, unknown>;
}

/** By operation: `METHOD /path`. Recorded by the journey api-examples.test.ts of dev-env. */
export const recordedExamples: Readonly<Record<string, Example>> = examples;

/** An example for `endpoint`; undefined for endpoints that only tests declare. */
export function exampleOf(
  { method, path }: Pick<Endpoint, 'method' | 'path'>,
  brands: readonly string[],
): Example | null {
  const recorded = recordedExamples[`${method} ${path}`];
  if (!recorded) return null;
  const { parameters, answer, ...rest } = recorded;
  return { ...rest, parameters: branded(parameters, brands), ...(answer && { answer: branded(answer, brands) }) };
}

/** Placeholder for the server's address; the page inserts its own. */
export const EXAMPLE_ORIGIN = 'https://chat.example.com';

/** The request of an example as a command line. */
export function curlLine(endpoint: Endpoint, { parameters, file }: Example): string {
  const { method, path, form } = encodeRequest(endpoint, parameters as never);
  const isInQuery = method === 'GET' || method === 'DELETE';
  const query = file !== undefined && form.size > 0 ? `?${form}` : '';
  const lines = [
    `curl -sS${verb(method, form.size > 0 || file !== undefined)} ${quoted(EXAMPLE_ORIGIN + API_PREFIX + path + query)}`,
  ];
  if (endpoint.auth === 'user') lines.push('-u "$EMAIL:$API_KEY"');
  if (isInQuery && form.size > 0) lines.push('-G');
  if (file !== undefined) lines.push(`-F ${quoted(`file=@${file}`)}`);
  else for (const [name, value] of form) lines.push(`--data-urlencode ${quoted(`${name}=${value}`)}`);
  return lines.join(' \\\n  ');
}

function verb(method: string, hasData: boolean): string {
  const isImplied = method === 'GET' || (method === 'POST' && hasData);
  return isImplied ? '' : ` -X ${method}`;
}

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
