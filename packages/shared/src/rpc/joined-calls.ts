import * as grpc from '@grpc/grpc-js';
import { batched } from '../batch';
import { decodeError, encodeError, PublicError } from '../errors';
import { type JoinedCall, type JoinedCalls, type JoinedReplies, type JoinedReply, loadService } from '../proto';
import type { Logger } from '../service';
import { type Call, type Caller, HOP_RESERVE_MS, newCall } from './call';

/** Concurrent calls that travel together, and how many of those are on their way at once. */
const BATCH = { maxItems: 64, maxInFlight: 2 };

type Method = grpc.MethodDefinition<unknown, unknown>;
type Send = (method: Method, call: Call, request: unknown) => Promise<unknown>;
export type UnaryHandler = (call: Call | Caller, request: unknown) => Promise<unknown>;

const CALL = loadService('joined')['Call'] as Method;

/** The client's side: a method's concurrent calls share one call on the wire. A lone call goes by itself, at once. */
export function joinCalls(send: Send, method: Method): (call: Call | Caller, request: unknown) => Promise<unknown> {
  const callTogether = batched(async (items: { call: Call | Caller; request: unknown }[]) => {
    const [first] = items as [(typeof items)[number]];
    if (items.length === 1) return [await send(method, first.call, first.request).catch((error: Error) => error)];
    const calls = items.map(({ call, request }) => toJoinedCall(call, method.requestSerialize(request)));
    const deadlineAt = Math.max(...items.map(({ call }) => call.deadlineAt));
    const together = { requestId: `${first.call.requestId}+${items.length - 1}`, deadlineAt };
    const { replies } = (await send(CALL, together, { method: method.path, calls })) as JoinedReplies;
    return replies.map((reply) => fromReply(method, reply));
  }, BATCH);
  return (call, request) => callTogether({ call, request });
}

function toJoinedCall(call: Call | Caller, request: Buffer): JoinedCall {
  const remainingMs = Math.max(0, call.deadlineAt - HOP_RESERVE_MS - Date.now());
  const caller = 'userId' in call ? { realmId: call.realmId, userId: call.userId } : {};
  return { requestId: call.requestId, remainingMs, ...caller, request };
}

function fromReply(method: Method, { response, error }: JoinedReply): unknown {
  if (error !== undefined) return decodeError(error);
  if (response === undefined) return new Error(`${method.path} failed`);
  return method.responseDeserialize(response as Buffer);
}

/** The server's side: answers each of the calls as if it had come alone. */
export function serveJoinedCalls(server: grpc.Server, methods: Map<Method, UnaryHandler>, log: Logger): void {
  const byPath = new Map([...methods].map(([method, handler]) => [method.path, { method, handler }]));
  const answerAll: grpc.handleUnaryCall<JoinedCalls, JoinedReplies> = (
    { request: { method: path, calls } },
    respond,
  ) => {
    const found = byPath.get(path);
    if (!found) return respond({ code: grpc.status.UNIMPLEMENTED, details: `no method ${path}` });
    const { method, handler } = found;
    void Promise.all(calls.map((call) => answerOne(method, handler, call, log))).then((replies) =>
      respond(null, { replies }),
    );
  };
  server.addService(loadService('joined'), { Call: answerAll });
}

async function answerOne(method: Method, handler: UnaryHandler, joined: JoinedCall, log: Logger): Promise<JoinedReply> {
  const call = toCall(joined);
  try {
    const response = await handler(call, method.requestDeserialize(joined.request as Buffer));
    return { response: method.responseSerialize(response) };
  } catch (error) {
    if (error instanceof PublicError) return { error: encodeError(error) };
    log.error({ err: error, method: method.path, requestId: call.requestId }, 'call failed');
    return {};
  }
}

function toCall({ requestId, remainingMs, realmId, userId }: JoinedCall): Call | Caller {
  const call = newCall(requestId, remainingMs);
  return realmId === undefined || userId === undefined ? call : { ...call, realmId, userId };
}
