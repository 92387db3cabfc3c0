import { type Caller, newCall } from '@parley/shared/rpc';

/** For what is asked after bytes have come in: they may have taken longer than a call may last. */
export function renewedCall({ requestId, realmId, userId }: Caller): Caller {
  return { ...newCall(requestId), realmId, userId };
}
