import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { Call, Caller } from '@parley/shared/rpc';
import type { z } from 'zod';
import type { Context } from '../context';
import type { OwnLimit } from '../rate-limits/limits';
import type { Deferred } from './deferred';
import type { JsonPieces } from './json-pieces';
import type { Parameter } from './parameters';

export const API_PREFIX = '/api/v1';

/** Long-poll path: exempt from the general time limits. */
export const EVENTS_PATH = `${API_PREFIX}/events`;

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export type ParameterTable = Readonly<Record<string, Parameter>>;

/** Decoded parameters. */
export type Values<P extends ParameterTable> = {
  [K in keyof P]: P[K] extends Parameter<infer _Sent, infer Value> ? Value : never;
};

/** A request, as passed to handlers. */
export interface ApiRequest {
  readonly call: Call;
  /** The addressed organization, see findSubdomain. */
  readonly subdomain: string;
  /** Name of the client program. */
  readonly clientName: string;
  /** The client's address; empty for the most frequent requests. */
  readonly address: string;
  /** Uploaded files, under any name; see maxUploadBytes. */
  readonly files: readonly Buffer[];
  /** The unread body; only with isFileStreamed, otherwise it has been parsed. */
  readonly body: Readable;
  header(name: string): string | undefined;
  /** Names of the parameters in a streamed body, where no endpoint has any: set by its handler. */
  streamedNames: readonly string[];
  /** Set-Cookie headers of the answer. */
  cookies: readonly string[];
  readonly req: IncomingMessage;
  /** Runs `task` once the connection ends, before or after the answer. */
  onEnd(task: () => void): void;
}

/** A request with credentials that are valid, or were valid in their last request: then `call` has them confirmed. */
export interface UserRequest extends ApiRequest {
  readonly call: Caller;
  /** On behalf of the caller, confirmed with the credentials. */
  readonly role: number;
  /** Whether the caller is a bot. */
  readonly isBot: boolean;
  /** Id of the caller's API key. */
  readonly apiKeyId: number;
}

/** A result with one member that is serialized already and sent unchanged. */
export class PreparedResult {
  constructor(
    readonly name: string,
    readonly json: Uint8Array,
    readonly rest: Record<string, unknown>,
  ) {}
}

/** A result; any of its members may be serialized already. */
export type Members<Result> = { [Name in keyof Result]: Result[Name] | JsonPieces };

/** Instead of a result: redirects to another address. */
export class Redirect {
  constructor(readonly location: string) {}
}

export type Auth = 'user' | 'none';

/** One operation of the API: contract and handler. Everything else derives from it. */
export interface Endpoint<
  P extends ParameterTable = ParameterTable,
  R extends z.ZodObject = z.ZodObject,
  A extends Auth = Auth,
> {
  readonly method: Method;
  /** Below API_PREFIX; `{name}` stands for a path parameter. */
  readonly path: string;
  readonly summary: string;
  readonly auth: A;
  readonly parameters: P;
  /** The members of a success answer, besides those of every answer. */
  readonly result: R;
  /** Possible error codes besides COMMON_ERRORS. */
  readonly errors: readonly string[];
  /** Files are accepted in a multipart form, in a body of at most this size; otherwise they are dropped. */
  readonly maxUploadBytes?: number;
  /** The body is a multipart form with a file, which the handler streams; parameters are in the query only. */
  readonly isFileStreamed?: boolean;
  /** A very frequent GET: the client's address is not determined. */
  readonly isHot?: boolean;
  /**
   * The handler does something other than calls on behalf of the caller, before one of them is answered: the credential is
   * checked before it runs. Otherwise a cached one is confirmed by the first of these calls, or else before the answer. Implied
   * by forms with files.
   */
  readonly identifiesFirst?: boolean;
  /** Also for requests without credentials, as the user VISITOR_ID, where the organization admits visitors. */
  readonly isOpenToVisitors?: boolean;
  /** The path contains a key: it is not logged. */
  readonly hasSecretPath?: boolean;
  /** Clients send it automatically: rate limits do not apply to authenticated requests. */
  readonly isUncounted?: boolean;
  /** The additional limit of an expensive request. */
  ownLimitOf?(values: Values<P>): OwnLimit | undefined;
  /** Bots that only receive webhook calls may use it; by default they may not. */
  readonly isOpenToWebhookBots?: boolean;
  handler(
    ctx: Context,
    request: A extends 'user' ? UserRequest : ApiRequest,
    values: Values<P>,
  ): Promise<Members<z.output<R>> | PreparedResult | Deferred<PreparedResult> | Redirect>;
}

/** Codes that any endpoint may answer. */
export const COMMON_ERRORS = [
  'BAD_REQUEST',
  'REQUEST_VARIABLE_MISSING',
  'REQUEST_CONFUSING_VAR',
  'SERVER_NOT_READY',
  'RATE_LIMIT_HIT',
  'INTERNAL_SERVER_ERROR',
] as const;

/** Codes that any endpoint with `auth: 'user'` may answer. */
export const AUTHENTICATION_ERRORS = ['UNAUTHORIZED', 'CSRF_FAILED', 'USER_DEACTIVATED', 'REALM_DEACTIVATED'] as const;

/** Declares an endpoint. Exporting it from a file listed in endpoints/index.ts adds it to the API. */
export function endpoint<P extends ParameterTable, R extends z.ZodObject, const A extends Auth>(
  declaration: Endpoint<P, R, A>,
): Endpoint<P, R, A> {
  return declaration;
}

/** Distinguishes declarations from other exports of their files. */
export function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === 'object' && value !== null && 'handler' in value && 'path' in value;
}
