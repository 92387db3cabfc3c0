import { BadRequestError } from '@parley/shared/errors';
import type { Upload } from '@parley/shared/proto';
import type { Caller, RpcClient } from '@parley/shared/rpc';
import { REFUSAL } from '@parley/shared/texts/refusals';
import { isPathId } from './path-id';

/** The file of an address, if the caller may read it; throws otherwise. */
export function accessFile(
  messages: Pick<RpcClient<'messages'>, 'getUpload'>,
  caller: Caller,
  pathId: string,
): Promise<Upload> {
  if (!isPathId(pathId)) throw new BadRequestError(REFUSAL.requests.noFile, {}, 404);
  return messages.getUpload(caller, { pathId });
}
