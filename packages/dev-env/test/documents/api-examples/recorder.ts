import { type Endpoint, encodeRequest, type InputOf, type ResultOf } from '@parley/gateway/endpoints';
import type { RawRequest, TestClient } from '../../../src';
import { multipart, type SentFile } from '../../multipart';

/** A request and its result, as the gateway's `docs-page/examples.json` has them. */
export interface RecordedExample {
  parameters: Record<string, unknown>;
  /** Name of the file that came along. */
  file?: string;
  /** Where a redirect led. */
  location?: string;
  answer?: Record<string, unknown>;
}

type AnyEndpoint = Pick<Endpoint, 'method' | 'path' | 'result'>;

/** Calls endpoints and keeps, of each, the first exchange. */
export class Recorder {
  /** By operation: `METHOD /path`. */
  readonly examples = new Map<string, RecordedExample>();

  /** Calls an endpoint, which must succeed with a result or a redirect, and keeps it as the example of this operation. */
  async show<E extends AnyEndpoint>(
    client: TestClient,
    endpoint: E,
    input: InputOf<E>,
    file?: SentFile,
  ): Promise<ResultOf<E>> {
    const { status, json, headers, text } = await client.callRaw(requestOf(endpoint, input, file));
    const parameters = input as Record<string, unknown>;
    const sent = { parameters, ...(file && { file: file.name }) };
    if (status === 302) {
      this.keep(endpoint, { ...sent, location: headers.location as string });
      return {} as never;
    }
    if (json['result'] !== 'success') throw new Error(`${operationOf(endpoint)} answered ${status}: ${text}`);
    this.keep(endpoint, { ...sent, answer: json });
    return json as never;
  }

  /** Keeps what an endpoint would answer where it is set up, which it is not here: it must refuse. */
  async tell<E extends AnyEndpoint>(
    client: TestClient,
    endpoint: E,
    input: InputOf<E>,
    result: ResultOf<E>,
  ): Promise<void> {
    const { json } = await client.callRaw(requestOf(endpoint, input));
    if (json['result'] !== 'error') throw new Error(`${operationOf(endpoint)} succeeds: show it instead`);
    const answer = { result: 'success', msg: '', ...(result as object) };
    this.keep(endpoint, { parameters: input as Record<string, unknown>, answer });
  }

  private keep(endpoint: AnyEndpoint, example: RecordedExample): void {
    const operation = operationOf(endpoint);
    if (this.examples.has(operation)) throw new Error(`${operation} has an example already`);
    this.examples.set(operation, withoutSecrets(example) as RecordedExample);
  }
}

const operationOf = ({ method, path }: AnyEndpoint) => `${method} ${path}`;

function requestOf<E extends AnyEndpoint>(endpoint: E, input: InputOf<E>, file?: SentFile): RawRequest {
  const { method, path, form } = encodeRequest(endpoint as never, input as never);
  const isInQuery = method === 'GET' || method === 'DELETE' || file !== undefined;
  const query = isInQuery && form.size > 0 ? `?${form}` : '';
  const request = { method, path: `/api/v1${path}${query}` };
  if (file) return { ...request, ...multipart(file) };
  return isInQuery ? request : { ...request, form: Object.fromEntries(form) };
}

const MAX_SHOWN = 3;
const SECRETS: Readonly<Record<string, string>> = {
  api_key: 'exampleexampleexampleexample1234',
  key: 'abcdefghijklmnopqrstuvwx',
  password: 'correct horse battery staple',
};

/** Keys are no keys any more, random names are always the same, and of a long list its beginning is shown. */
export function withoutSecrets(value: unknown, name = ''): unknown {
  if (typeof value === 'string') return SECRETS[name] ?? steady(value);
  if (Array.isArray(value)) return value.slice(0, MAX_SHOWN).map((each) => withoutSecrets(each));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withoutSecrets(each, key)]));
}

const steady = (text: string) =>
  text
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '0f8fad5b-d9cb-469f-a165-70867728950e')
    .replace(/(\/join\/|\/do_confirm\/)[a-z2-7]{24}/g, '$1abcdefghijklmnopqrstuvwx')
    .replace(/(\/temporary\/)[^/]+/g, '$1exampletoken')
    .replace(/(^|user_uploads\/(?:export\/)?\d+\/)[0-9a-f]{1,2}\/[\w-]{24}\//g, '$13d/ExampleExampleExample123/')
    .replace(/(parley_scim_)\w{32}/g, '$1exampleexampleexampleexample1234')
    .replace(/\b(?=\w*[A-Z])[A-Za-z0-9]{32}\b/g, 'ExampleExampleExampleExample1234')
    .replaceAll('parley.test', 'chat.example.com');
