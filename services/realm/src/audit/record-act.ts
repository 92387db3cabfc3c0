import type { RecordActRequest, RecordActResponse } from '@parley/shared/proto';
import { type Caller, OPERATOR_ADDRESS } from '@parley/shared/rpc';
import type { Context } from '../context';
import { possibleIds } from '../possible-values';
import { recordActs } from './record-acts';

/** Records what a service without a database is about to do to a user; once for each key. */
export async function recordAct(ctx: Context, caller: Caller, request: RecordActRequest): Promise<RecordActResponse> {
  const { realmId, userId, requestId, clientAddress: address } = caller;
  const { key, name, userId: subjectId, before, after } = request;
  const isOperator = address === OPERATOR_ADDRESS;
  const payload = {
    ...{ name, requestId, kind: 'user', ids: possibleIds([subjectId]) },
    actor: { kind: isOperator ? ('operator' as const) : ('user' as const), id: userId },
    ...(address !== undefined && !isOperator && { address }),
    ...{ before: JSON.parse(before), after: JSON.parse(after) },
  };
  await recordActs(ctx, [{ id: `call:${key}`, realmId, payload }]);
  return {};
}
