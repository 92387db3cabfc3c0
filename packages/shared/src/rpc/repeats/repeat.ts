import type { PublicError } from '../../errors';
import type { RpcClient, Services } from '../types';

/** Why a call must not be repeated automatically: its caller gets SERVER_NOT_READY and decides. */
interface Never {
  never: string;
}

type Refusal = new (...values: never[]) => PublicError;

/**
 * Whether a call with a lost answer may be repeated, although it may have taken effect:
 *
 * - `read`: it is read-only. - `idempotent`: done twice, it has the effect and the answer of once. - `when`: as `idempotent` for
 * such requests, never for others. - `settledBy`: a repetition is refused with this error, which then counts as success.
 * For methods with an empty answer.
 */
export type Repeat<Request = never, Response = unknown> =
  | 'read'
  | 'idempotent'
  | Never
  | { when: (request: Request) => boolean }
  | (object extends Response ? { settledBy: Refusal } : never);

/** Read-only methods, by their names. */
type ReadName = `${'get' | 'list' | 'find'}${Capitalize<string>}`;

export function isReadName(method: string): boolean {
  return /^(get|list|find)[A-Z]/.test(method);
}

/** Every other unary method of a service: a missing line does not compile. */
export type Repeats<S extends keyof Services> = {
  [M in Exclude<keyof RpcClient<S>, ReadName>]: RpcClient<S>[M] extends (
    call: never,
    request: infer Request,
  ) => Promise<infer Response>
    ? Repeat<Request, Response>
    : never;
};

export const ANOTHER_ONE: Never = { never: 'it makes something: a second one would be made' };
export const REFUSED: Never = { never: 'done before, it is refused, and the refusal does not tell why' };
export const TAKEN: Never = { never: 'what is taken is held for its taker until the lease is over' };
export const NEXT_ONES: Never = { never: 'a narrow may mean other messages once the first ones are changed' };

/** The keys by which a sender or job recognizes its request. */
export function hasKey(request: {
  idempotencyKey?: string;
  jobKey?: string;
  queueId?: string;
  localId?: string;
}): boolean {
  const { idempotencyKey, jobKey, queueId, localId } = request;
  return Boolean(idempotencyKey || jobKey || (queueId && localId));
}
