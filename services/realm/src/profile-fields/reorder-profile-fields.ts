import { announce } from '@parley/shared/bus';
import { BadRequestError } from '@parley/shared/errors';
import { profileFieldsChanged } from '@parley/shared/events';
import type { ReorderProfileFieldsRequest, ReorderProfileFieldsResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { requireAdministrator } from '../guards';
import { changeOrganization } from '../realms/change-organization';
import { listProfileFieldsOf, storeProfileFieldOrder } from './profile-fields.sql';

/** Says in which order profiles show their fields. */
export async function reorderProfileFields(
  ctx: Context,
  caller: Caller,
  { orderedIds }: ReorderProfileFieldsRequest,
): Promise<ReorderProfileFieldsResponse> {
  return changeOrganization(ctx, caller, requireAdministrator, async (tx, { realmId }) => {
    const fields = await listProfileFieldsOf(tx, realmId);
    // Ids of no field are tolerated; of a repeated one the first place counts.
    const wanted = [...new Set(orderedIds)].filter((id) => fields.some((field) => field.id === id));
    if (wanted.length < fields.length) throw new BadRequestError('Invalid order mapping.');
    if (fields.every(({ id }, index) => id === wanted[index])) return {};
    await storeProfileFieldOrder(tx, realmId, wanted);
    await announce(tx, profileFieldsChanged(realmId, { fields: await listProfileFieldsOf(tx, realmId) }));
    return {};
  });
}
