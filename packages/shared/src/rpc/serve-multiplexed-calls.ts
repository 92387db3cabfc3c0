import type * as grpc from '@grpc/grpc-js';
import { encodeError, PublicError, ServiceUnavailableError } from '../errors';
import { inTracesOf, type Logger, type NewSpan, noteFailure, rpcSpan } from '../observability';
import { type JoinedCall, type JoinedCalls, type JoinedReplies, type JoinedReply, loadService } from '../proto';
import { type Call, type Caller, carried, DEFAULT_TIMEOUT_MS, newCall } from './call';
import type { Method } from './multiplexed-calls';
import { encodeInSlices } from './sliced-messages';

export type UnaryHandler = (call: Call | Caller, request: unknown) => Promise<unknown>;

/** A longer response is sent in parts of this size, so that it does not delay others. */
const PART_BYTES = 64 * 1024;

const WHOLE = { continues: false, isUnimplemented: false };

type Stream = grpc.ServerDuplexStream<JoinedCalls, JoinedReplies>;
type Reply = (call: JoinedCall) => Promise<JoinedReply>;

interface Served {
  method: Method;
  handler: UnaryHandler;
  span: NewSpan;
}

interface MultiplexedCallsServer {
  /** Asks the clients to leave: they end their streams, and each stream closes after its last call is answered. */
  retire(): void;
}

/**
 * The server's side of `proto/joined.proto`: every unary method of the service, each call answered as if it were a separate one.
 */
export function serveMultiplexedCalls(
  server: grpc.Server,
  methods: Map<Method, UnaryHandler>,
  log: Logger,
): MultiplexedCallsServer {
  const byPath = new Map(
    [...methods].map(([method, handler]) => [method.path, { method, handler, span: rpcSpan('server', method.path) }]),
  );
  const streams = new Set<Stream>();
  let isRetired = false;

  server.addService(loadService('joined'), {
    Call(stream: Stream) {
      streams.add(stream);
      const leave = () => streams.delete(stream);
      stream.on('close', leave).on('cancelled', leave).on('error', leave);
      answerStream(stream, (joined) => replyTo(joined, byPath.get(joined.method), log));
      if (isRetired) stream.write({ replies: [], isClosing: true });
    },
  });
  return {
    retire() {
      isRetired = true;
      for (const stream of streams) stream.write({ replies: [], isClosing: true });
    },
  };
}

/** Each call has its own span, in the trace of its request; the frame has none. */
function replyTo(joined: JoinedCall, found: Served | undefined, log: Logger): Promise<JoinedReply> {
  if (!found || joined.trace === undefined) return answer(joined, found, log);
  return inTracesOf([joined.trace], found.span, () => answer(joined, found, log));
}

async function answer(joined: JoinedCall, found: Served | undefined, log: Logger): Promise<JoinedReply> {
  const { number } = joined;
  const call = toCall(joined);
  try {
    if (!found) throw Object.assign(new ServiceUnavailableError(), { cause: new Error(`no method ${joined.method}`) });
    const response = await found.handler(call, found.method.requestDeserialize(joined.request as Buffer));
    return { number, response: await encodeInSlices(found.method, response, call.deadlineAt), ...WHOLE };
  } catch (error) {
    const publicError = publicErrorOf(error, joined.method, call, log);
    const refusal = publicError === null ? {} : { error: encodeError(publicError) };
    // An unknown method: the caller has a later version.
    return { number, ...refusal, ...WHOLE, isUnimplemented: !found };
  }
}

/** Answers of one turn of the event loop are sent in one frame, for long responses a part. */
function answerStream(stream: Stream, replyTo: Reply): void {
  let replies: JoinedReply[] = [];
  let inFlight = 0;
  let hasEnded = false;

  function flush(): void {
    const { frame, rest } = nextFrame(replies);
    inFlight -= replies.length - rest.length;
    replies = rest;
    stream.write({ replies: frame, isClosing: false });
    if (rest.length > 0) setImmediate(flush);
    else endWhenDone();
  }

  function endWhenDone(): void {
    if (hasEnded && inFlight === 0) stream.end();
  }

  stream.on('data', ({ calls }) => {
    inFlight += calls.length;
    for (const call of calls) {
      void replyTo(call).then((reply) => {
        if (replies.push(reply) === 1) setImmediate(flush);
      });
    }
  });
  stream.on('end', () => {
    hasEnded = true;
    endWhenDone();
  });
}

/** The next frame, with at most PART_BYTES of each reply; `rest` has the remainders of long replies. */
function nextFrame(replies: readonly JoinedReply[]): { frame: JoinedReply[]; rest: JoinedReply[] } {
  const rest: JoinedReply[] = [];
  const frame = replies.map((reply) => {
    const response = reply.response as Buffer | undefined;
    if (response === undefined || response.length <= PART_BYTES) return reply;
    rest.push({ ...reply, response: response.subarray(PART_BYTES) });
    return { ...reply, response: response.subarray(0, PART_BYTES), continues: true };
  });
  return { frame, rest };
}

function toCall({ requestId, remainingMs, realmId, userId, clientAddress, credential }: JoinedCall): Call | Caller {
  const call: Call = newCall(requestId, Math.min(remainingMs, DEFAULT_TIMEOUT_MS));
  if (clientAddress) call.clientAddress = clientAddress;
  if (realmId === undefined || userId === undefined) return call;
  const caller = call as Caller;
  caller.realmId = realmId;
  caller.userId = userId;
  if (credential) caller.credential = carried(credential);
  return caller;
}

/** The same handler with a log line per call at level debug, so that a request is found by its id in the logs of all services. */
export function loggedCall(handler: UnaryHandler, method: string, log: Logger): UnaryHandler {
  if (!log.isLevelEnabled('debug')) return handler;
  return async (call, request) => {
    const beganAtMs = performance.now();
    try {
      return await handler(call, request);
    } finally {
      const ms = Math.round((performance.now() - beganAtMs) * 10) / 10;
      const caller = 'userId' in call ? { realmId: call.realmId, userId: call.userId } : {};
      log.debug({ method, ms, requestId: call.requestId, ...caller }, 'call');
    }
  };
}

/** Without a cause: that is logged by the service that this one has called. */
function warnOf(cause: unknown, method: string, requestId: string, log: Logger): void {
  if (cause === undefined) log.warn({ method, requestId }, 'call failed: a service that it needs is not ready');
  else log.warn({ err: cause, method, requestId }, 'call failed');
}

/** The error for the caller; null for a bug, which is only logged. */
export function publicErrorOf(error: unknown, method: string, { requestId }: Call, log: Logger): PublicError | null {
  noteFailure(error);
  const isPublic = error instanceof PublicError;
  if (!isPublic) log.error({ err: error, method, requestId }, 'call failed');
  else if (error instanceof ServiceUnavailableError) warnOf(error.cause, method, requestId, log);
  return isPublic ? error : null;
}
