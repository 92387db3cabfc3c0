import { announce } from '@parley/shared/bus';
import { profileFieldsChanged } from '@parley/shared/events';
import type { RemoveProfileFieldRequest, RemoveProfileFieldResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { requireAdministrator } from '../guards';
import { changeOrganization } from '../realms/change-organization';
import { findProfileField } from './find-profile-field';
import { deleteProfileField, listProfileFieldsOf } from './profile-fields.sql';

/** Removes a field, and what everybody's profile says in it. */
export async function removeProfileField(
  ctx: Context,
  caller: Caller,
  { id }: RemoveProfileFieldRequest,
): Promise<RemoveProfileFieldResponse> {
  return changeOrganization(ctx, caller, requireAdministrator, async (tx, { realmId }) => {
    const fields = await listProfileFieldsOf(tx, realmId);
    const field = findProfileField(fields, id);
    await deleteProfileField(tx, realmId, id);
    await announce(tx, profileFieldsChanged(realmId, { fields: fields.filter((other) => other !== field) }));
    return {};
  });
}
