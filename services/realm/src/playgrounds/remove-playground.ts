import { BadRequestError } from '@parley/shared/errors';
import type { RemovePlaygroundRequest, RemovePlaygroundResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { requireAdministrator } from '../guards';
import { changeOrganization } from '../realms/change-organization';
import { announcePlaygrounds } from './announce-playgrounds';
import { deletePlayground, listPlaygroundsOf } from './playgrounds.sql';

export async function removePlayground(
  ctx: Context,
  caller: Caller,
  { id }: RemovePlaygroundRequest,
): Promise<RemovePlaygroundResponse> {
  return changeOrganization(ctx, caller, requireAdministrator, async (tx, { realmId }) => {
    const playgrounds = await listPlaygroundsOf(tx, realmId);
    if (!playgrounds.some((playground) => playground.id === id)) throw new BadRequestError('Invalid playground');
    await deletePlayground(tx, realmId, id);
    await announcePlaygrounds(tx, realmId);
    return {};
  });
}
