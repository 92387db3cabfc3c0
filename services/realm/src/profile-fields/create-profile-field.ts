import { announce } from '@parley/shared/bus';
import { BadRequestError } from '@parley/shared/errors';
import { profileFieldsChanged } from '@parley/shared/events';
import type { CreateProfileFieldRequest, CreateProfileFieldResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { requireAdministrator } from '../guards';
import { changeOrganization } from '../realms/change-organization';
import { fieldDefinitionFromInput } from './field-definition';
import { insertProfileField, listProfileFieldsOf } from './profile-fields.sql';

const MAX_FIELDS = 50;

/** Adds a field to everybody's profile, after all others. */
export async function createProfileField(
  ctx: Context,
  caller: Caller,
  request: CreateProfileFieldRequest,
): Promise<CreateProfileFieldResponse> {
  return changeOrganization(ctx, caller, requireAdministrator, async (tx, { realmId }) => {
    const others = await listProfileFieldsOf(tx, realmId);
    const field = fieldDefinitionFromInput(request, others);
    if (others.length >= MAX_FIELDS) throw new BadRequestError(`Too many profile fields (limit: ${MAX_FIELDS})`);
    const id = await insertProfileField(tx, realmId, field);
    await announce(tx, profileFieldsChanged(realmId, { fields: await listProfileFieldsOf(tx, realmId) }));
    return { id };
  });
}
