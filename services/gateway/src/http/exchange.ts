import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { UsedCredential } from '@parley/shared/proto';
import { type Call, type Caller, newCall } from '@parley/shared/rpc';
import type { ApiRequest } from './endpoint';

const SANE_REQUEST_ID = /^[\w.:-]{1,64}$/;

/** One request and its answer, from the first byte to the log line. */
export class Exchange implements ApiRequest {
  readonly path: string;
  readonly startedAtMs = performance.now();
  call: Call | Caller;
  subdomain = '';
  isBot = false;
  credential: UsedCredential = { apiKeyId: 0, email: '' };
  clientName = '';
  files: readonly Buffer[] = [];

  constructor(
    readonly req: IncomingMessage,
    readonly res: ServerResponse,
  ) {
    const url = req.url as string;
    const mark = url.indexOf('?');
    this.path = mark < 0 ? url : url.slice(0, mark);
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
    else this.res.once('close', task);
  }
}
