import { BadRequestError } from '@parley/shared/errors';
import type { AddPlaygroundRequest, AddPlaygroundResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { requireAdministrator } from '../guards';
import { changeOrganization } from '../realms/change-organization';
import { announcePlaygrounds } from './announce-playgrounds';
import { playgroundFromInput } from './playground-input';
import { insertPlayground, listPlaygroundsOf } from './playgrounds.sql';

const MAX_PLAYGROUNDS = 200;

/** Adds a place where code of a language can be tried out. */
export async function addPlayground(
  ctx: Context,
  caller: Caller,
  request: AddPlaygroundRequest,
): Promise<AddPlaygroundResponse> {
  return changeOrganization(ctx, caller, requireAdministrator, async (tx, { realmId }) => {
    const others = await listPlaygroundsOf(tx, realmId);
    const playground = playgroundFromInput(request, others);
    if (others.length >= MAX_PLAYGROUNDS) throw new BadRequestError(`Too many playgrounds (limit: ${MAX_PLAYGROUNDS})`);
    const id = await insertPlayground(tx, realmId, playground);
    await announcePlaygrounds(tx, realmId);
    return { id };
  });
}
