import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Credential } from '@parley/shared/proto';
import { type Call, type Caller, newCall } from '@parley/shared/rpc';
import { ROLES } from '@parley/shared/values';
import type { RateLimitStatus } from '../rate-limits/buckets';
import type { OwnLimit } from '../rate-limits/limits';
import { type ApiRequest, EVENTS_PATH } from './endpoint';
import { NO_ROUTE } from './route-durations';

const NO_COOKIES: readonly string[] = [];
const NO_NAMES: readonly string[] = [];
const NO_FILES: readonly Buffer[] = [];
const NO_HEADERS = {};
const NO_RAW_HEADERS: string[] = [];
const SANE_REQUEST_ID = /^[\w.:-]{1,64}$/;

/** One request and its answer, from the first byte to the log line. */
export class Exchange implements ApiRequest {
  readonly path: string;
  readonly startedAtMs = performance.now();
  call: Call | Caller;
  subdomain = '';
  role: number = ROLES.guest;
  isBot = false;
  apiKeyId = 0;
  /** As sent, once it was read: a poll's is needed twice. */
  credential: Credential | undefined = undefined;
  clientName = '';
  address = '';
  /** The caller's rate limit status, if the request was counted. */
  rateLimitStatus: RateLimitStatus | null = null;
  /** The additional limit of a page's request, applied once the caller is known; endpoints declare theirs by their parameters. */
  ownLimit: OwnLimit | undefined = undefined;
  /** Logged in place of a path that contains a key. */
  loggedPath: string | undefined = undefined;
  /** Set with the answer. */
  cookies = NO_COOKIES;
  /** The `default_language` of the addressed organization, once it is known; for pages. */
  organizationLanguage = '';
  /** That of the mail whose link was opened, once it is known. */
  mailLanguage = '';
  /** Its errors are pages, whatever the client accepts. */
  isForPeople = false;
  /** Not logged. */
  isProbe = false;
  files = NO_FILES;
  streamedNames = NO_NAMES;
  durations = NO_ROUTE;
  /** Status of the answer, once there is one. */
  status = 0;

  constructor(
    readonly req: IncomingMessage,
    readonly res: ServerResponse,
  ) {
    const url = req.url as string;
    const mark = url.indexOf('?');
    const path = mark < 0 ? url : url.slice(0, mark);
    // A slice would keep the whole address of a pending poll in memory.
    this.path = path === EVENTS_PATH ? EVENTS_PATH : path;
    const requestId = this.header('x-request-id');
    this.call = newCall(requestId !== undefined && SANE_REQUEST_ID.test(requestId) ? requestId : randomUUID());
  }

  get body(): IncomingMessage {
    return this.req;
  }

  header(name: string): string | undefined {
    const value = this.req.headers[name];
    return Array.isArray(value) ? value[0] : value;
  }

  onEnd(task: () => void): void {
    if (this.res.destroyed || this.res.closed) task();
    // `close` is emitted once: `once` would only add a wrapper.
    else this.res.on('close', task);
  }

  /** Releases the headers and the address: a pending poll keeps only what its answer needs. */
  forgetHeaders(): void {
    this.credential = undefined;
    this.req.url = this.path;
    this.req.headers = NO_HEADERS;
    this.req.rawHeaders = NO_RAW_HEADERS;
  }
}
