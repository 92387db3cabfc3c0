import type { z } from 'zod';
import type { Auth, Endpoint, Method, ParameterTable } from './endpoint';
import type { Parameter } from './parameters';

type Sent<P> = P extends Parameter<infer S, unknown> ? S : never;
type OptionalNames<P> = { [K in keyof P]: undefined extends Sent<P[K]> ? K : never }[keyof P];

/** A client's input to an endpoint, by parameter name, not yet encoded. */
export type InputOf<E> =
  E extends Endpoint<infer P, infer _R, infer _A>
    ? { [K in OptionalNames<P>]?: Sent<P[K]> } & { [K in Exclude<keyof P, OptionalNames<P>>]: Sent<P[K]> }
    : never;

/** A client's result of an endpoint, besides the members of every answer. */
export type ResultOf<E> = E extends Endpoint<infer _P, infer R, infer _A> ? z.output<R> : never;

export interface EncodedRequest {
  method: Method;
  /** The path below /api/v1, with placeholders filled. */
  path: string;
  /** Sent in the query for GET and DELETE, otherwise in the body. */
  form: URLSearchParams;
}

/** Encodes a request for the endpoint's decoder. For clients. */
export function encodeRequest<P extends ParameterTable, R extends z.ZodObject, A extends Auth>(
  endpoint: Endpoint<P, R, A>,
  input: InputOf<Endpoint<P, R, A>>,
): EncodedRequest {
  const form = new URLSearchParams();
  let { path } = endpoint;
  for (const [name, value] of Object.entries(input)) {
    const parameter = endpoint.parameters[name];
    if (value === undefined || !parameter) continue;
    const encoded = parameter.encoding === 'json' ? JSON.stringify(value) : String(value);
    if (parameter.place === 'path') path = path.replace(`{${name}}`, encodeURIComponent(encoded));
    else form.set(name, encoded);
  }
  return { method: endpoint.method, path, form };
}
