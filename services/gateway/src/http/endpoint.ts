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

/** Parameters as a handler gets them. */
export type Values<P extends ParameterTable> = {
  [K in keyof P]: P[K] extends Parameter<infer _Sent, infer Value> ? Value : never;
};

/** A request, as any handler gets it. */
export interface ApiRequest {
  readonly call: Call;
  /** The organization that was addressed, see findSubdomain. */
  readonly subdomain: string;
  /** Name of the client program. */
  readonly clientName: string;
  /** From where it comes; empty for what clients ask for all the time. */
  readonly address: string;
  /** Uploaded files, under any name; see maxUploadBytes. */
  readonly files: readonly Buffer[];
  /** The body as it comes; only where isFileStreamed says so, elsewhere it has been read. */
  readonly body: Readable;
  header(name: string): string | undefined;
  /** Runs `task` once the connection ends, before or after the answer. */
  onEnd(task: () => void): void;
}

/** A request whose credentials are good, or were when somebody used them last: then its call has them confirmed. */
export interface UserRequest extends ApiRequest {
  readonly call: Caller;
  /** The caller's, confirmed with the credentials. */
  readonly role: number;
  /** Whether the caller is a bot. */
  readonly isBot: boolean;
  /** Of the key that the caller has shown. */
  readonly apiKeyId: number;
}

/** A result of which one member is JSON already: it is sent as it came. */
export class PreparedResult {
  constructor(
    readonly name: string,
    readonly json: Uint8Array,
    readonly rest: Record<string, unknown>,
  ) {}
}

/** A result; any of its members may be JSON already. */
export type Members<Result> = { [Name in keyof Result]: Result[Name] | JsonPieces };

/** Instead of a result: redirects to another address. */
export class Redirect {
  constructor(readonly location: string) {}
}

export type Auth = 'user' | 'none';

/** One operation of the API: contract and handler. Everything else about it is derived. */
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
  /** The members of a success answer, beside those that every answer has. */
  readonly result: R;
  /** Codes it may answer beside those of COMMON_ERRORS. */
  readonly errors: readonly string[];
  /** Files may come along in a multipart form, in a body of at most so many bytes; elsewhere they are dropped. */
  readonly maxUploadBytes?: number;
  /** The body is a multipart form with a file, which the handler reads as it comes; parameters are in the query alone. */
  readonly isFileStreamed?: boolean;
  /** Asked all the time: a GET does not find out the client's address. */
  readonly isHot?: boolean;
  /**
   * The handler does something besides calls in the caller's name, before one of them was answered: the credential is checked before it
   * runs. Elsewhere a recalled one is confirmed by the first of these calls, or else before the answer. Forms with files need not say so.
   */
  readonly identifiesFirst?: boolean;
  /** Also for who brings no credentials, as the user VISITOR_ID, where the organization admits them. */
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
export const AUTHENTICATION_ERRORS = ['UNAUTHORIZED', 'USER_DEACTIVATED', 'REALM_DEACTIVATED'] as const;

/** Declares an endpoint. Exporting it from a file that endpoints/index.ts names puts it into the API. */
export function endpoint<P extends ParameterTable, R extends z.ZodObject, const A extends Auth>(
  declaration: Endpoint<P, R, A>,
): Endpoint<P, R, A> {
  return declaration;
}

/** Distinguishes declarations from other exports of their files. */
export function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === 'object' && value !== null && 'handler' in value && 'path' in value;
}
