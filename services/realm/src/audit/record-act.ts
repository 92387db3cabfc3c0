import type { RecordActRequest, RecordActResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { possibleIds } from '../possible-values';
import { recordActs } from './record-acts';

/** Records what the operator has a service without a database do to a user, in the caller's name; once for each key. */
export async function recordAct(
  ctx: Context,
  { realmId, userId, requestId }: Caller,
  { key, name, userId: subjectId, before, after }: RecordActRequest,
): Promise<RecordActResponse> {
  const payload = {
    ...{ name, actor: { kind: 'operator' as const, id: userId }, requestId },
    ...{ kind: 'user', ids: possibleIds([subjectId]), before: JSON.parse(before), after: JSON.parse(after) },
  };
  await recordActs(ctx, [{ id: `call:${key}`, realmId, payload }]);
  return {};
}
