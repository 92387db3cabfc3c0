import type { ServiceName } from '../proto';
import type { Call, Caller, CarryingCaller } from './call';
import { isRead } from './repeats';
import type { RpcClient } from './types';

type Handler = (call: Call | Caller, request: unknown) => Promise<unknown>;
type MethodName<S extends ServiceName> = keyof RpcClient<S> & string;

/** How a service confirms the credentials that are sent with calls. */
export interface Confirmation<S extends ServiceName> {
  /** Rejects with UnauthorizedError if the caller's credential is no longer valid. */
  confirm(caller: CarryingCaller): Promise<unknown>;
  /**
   * Methods that have it confirmed before they change anything: the first thing they await is a call to realm on behalf of
   * their caller, or the facts for a send. Other methods that change something wait for `confirm` first.
   */
  within?: readonly MethodName<S>[];
  /** Methods that change something although their names begin with get, list or find. */
  changing?: readonly MethodName<S>[];
}

/** For services other than realm: asks realm. */
export function confirmWith<S extends ServiceName>(
  realm: Pick<RpcClient<'realm'>, 'confirmCredential'>,
  within: readonly MethodName<S>[],
): Confirmation<S> {
  return { confirm: (caller) => realm.confirmCredential(caller, {}), within };
}

/** For tests of a service without a realm. */
export const acceptAll = { confirm: async () => {} };

/**
 * Wraps a method so that it changes and returns nothing for a caller whose credential is no longer valid. A read runs
 * concurrently, and its answer waits.
 */
export function confirmed<S extends ServiceName>(
  handler: Handler,
  { service, confirmation }: { service: S; confirmation?: Confirmation<S> },
  method: string,
): Handler {
  const handle = handlerInOrder(handler, orderOf(service, confirmation, method));
  return async (call, request) => {
    if (!isUnconfirmed(call)) return handler(call, request);
    return handle(call, request, async () => {
      if (!isUnconfirmed(call)) return;
      if (!confirmation) throw new Error(`${service} does not confirm credentials`);
      await confirmation.confirm(call);
      call.credential.isConfirmed = true;
    });
  };
}

type Order = 'confirm first' | 'confirm meanwhile' | 'confirm last';

function orderOf<S extends ServiceName>(service: S, confirmation: Confirmation<S> | undefined, method: string): Order {
  const isAmong = (names: readonly string[] = []) => names.includes(method);
  if (isAmong(confirmation?.within)) return 'confirm last';
  return isRead(service, method) && !isAmong(confirmation?.changing) ? 'confirm meanwhile' : 'confirm first';
}

type Confirm = () => Promise<void>;

function handlerInOrder(handler: Handler, order: Order) {
  return async (call: Caller, request: unknown, confirm: Confirm): Promise<unknown> => {
    if (order === 'confirm first') {
      await confirm();
      return handler(call, request);
    }
    if (order === 'confirm meanwhile') return (await Promise.all([handler(call, request), confirm()]))[0];
    const answer = await handler(call, request);
    // The method did not need realm.
    await confirm();
    return answer;
  };
}

function isUnconfirmed(call: Call | Caller): call is CarryingCaller {
  return 'credential' in call && call.credential !== undefined && !call.credential.isConfirmed;
}
