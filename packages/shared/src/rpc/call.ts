import { randomUUID } from 'node:crypto';
import * as grpc from '@grpc/grpc-js';
import { traceparent } from '../observability';
import type { UsedCredential } from '../proto';

/** The context of every internal call: the public request to which it belongs, and its deadline. */
export interface Call {
  requestId: string;
  /** UNIX milliseconds of the real clock. */
  deadlineAt: number;
  /** The client's address, if known; for the audit log. */
  clientAddress?: string;
}

/**
 * A call on behalf of a user. Only the gateway sets the identity: it has checked the credentials, or has cached their account and
 * has `credential` confirmed by the call.
 */
export interface Caller extends Call {
  realmId: number;
  userId: number;
  /** Absent: confirmed. */
  credential?: CallCredential | undefined;
}

/**
 * The credential of a caller. It is sent with every call of its request until one was answered: before a service changes or
 * returns anything, realm has confirmed it (see confirmed-calls.ts). All calls of the request share the object.
 */
export interface CallCredential extends UsedCredential {
  isConfirmed: boolean;
}

const REQUEST_ID = 'parley-request-id';
const REALM_ID = 'parley-realm-id';
const USER_ID = 'parley-user-id';
const CLIENT_ADDRESS = 'parley-client-address';
const CREDENTIAL = 'parley-credential-bin';
const TRACEPARENT = 'traceparent';

/** Instead of a client's address: the operator's command, which acts in a member's name. No client has it. */
export const OPERATOR_ADDRESS = 'operator';

/** Time that each hop subtracts from its caller's deadline, for rendering the answer. */
export const HOP_RESERVE_MS = 25;

export const DEFAULT_TIMEOUT_MS = 15_000;

/** For work without a request: jobs, listeners, the operator's command. */
export function newCall(requestId: string = randomUUID(), timeoutMs = DEFAULT_TIMEOUT_MS): Call {
  return { requestId, deadlineAt: Date.now() + timeoutMs };
}

/** For long work in steps, which answers with what it has done before its caller gives up. */
export function timeLeftMs({ deadlineAt }: Pick<Call, 'deadlineAt'>): number {
  return deadlineAt - Date.now();
}

/** A caller whose credential may have to be confirmed. */
export type CarryingCaller = Caller & { credential: CallCredential };

/** Called by the rpc client: the metadata and the reduced deadline of an outgoing call. */
export function toMetadata(call: Call | Caller): { metadata: grpc.Metadata; deadline: number } {
  // A restarting service is waited for, within the deadline: a rolling upgrade costs milliseconds, not errors.
  const metadata = new grpc.Metadata({ waitForReady: true });
  metadata.set(REQUEST_ID, call.requestId);
  if (call.clientAddress) metadata.set(CLIENT_ADDRESS, call.clientAddress);
  const trace = traceparent();
  if (trace !== undefined) metadata.set(TRACEPARENT, trace);
  if ('userId' in call) {
    metadata.set(REALM_ID, String(call.realmId));
    metadata.set(USER_ID, String(call.userId));
    const credential = toConfirm(call);
    if (credential) metadata.set(CREDENTIAL, Buffer.from(JSON.stringify(credential)));
  }
  return { metadata, deadline: call.deadlineAt - HOP_RESERVE_MS };
}

/** Called by the rpc server: the inverse of toMetadata. */
export function fromMetadata(metadata: grpc.Metadata, deadline: grpc.Deadline): Call | Caller {
  const text = (key: string) => metadata.get(key)[0]?.toString();
  const userId = text(USER_ID);
  const clientAddress = text(CLIENT_ADDRESS);
  const limit = Date.now() + DEFAULT_TIMEOUT_MS;
  const call = {
    requestId: text(REQUEST_ID) ?? randomUUID(),
    deadlineAt: Math.min(Number(deadline), limit),
    ...(clientAddress !== undefined && { clientAddress }),
  };
  if (userId === undefined) return call;
  const used = text(CREDENTIAL);
  const credential = used === undefined ? undefined : carried(JSON.parse(used) as UsedCredential);
  return { ...call, realmId: Number(text(REALM_ID)), userId: Number(userId), ...(credential && { credential }) };
}

/** The unconfirmed credential of a call. */
export function toConfirm(call: Call | Pick<Caller, 'credential'>): UsedCredential | undefined {
  if (!('credential' in call) || call.credential === undefined || call.credential.isConfirmed) return undefined;
  return call.credential;
}

/** The credential of an incoming call. */
export function carried(used: UsedCredential): CallCredential {
  return { ...used, isConfirmed: false };
}

/** Called by the rpc server: the trace to which a call belongs. */
export function traceOf(metadata: grpc.Metadata): string[] {
  return metadata.get(TRACEPARENT).map(String);
}
