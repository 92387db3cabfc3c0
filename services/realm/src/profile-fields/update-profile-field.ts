import { announce } from '@parley/shared/bus';
import type { Transaction } from '@parley/shared/db';
import { type DomainEvent, profileFieldsChanged, profileValueChanged } from '@parley/shared/events';
import type { ProfileField, UpdateProfileFieldRequest, UpdateProfileFieldResponse } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { requireAdministrator } from '../guards';
import { deleteValuesAmong } from '../profile-values/profile-values.sql';
import { changeOrganization } from '../realms/change-organization';
import { userAudiences } from '../users/accessible-users';
import { optionKeys } from './field-data';
import { changedDefinition, type FieldDefinition } from './field-definition';
import { findProfileField } from './find-profile-field';
import { FIELD_TYPES } from './profile-field-types';
import { listProfileFieldsOf, storeProfileField } from './profile-fields.sql';

/** Changes what a field is called and how it behaves. Who had chosen an option that goes loses that value. */
export async function updateProfileField(
  ctx: Context,
  caller: Caller,
  { id, ...changes }: UpdateProfileFieldRequest,
): Promise<UpdateProfileFieldResponse> {
  return changeOrganization(ctx, caller, requireAdministrator, async (tx, { realmId }) => {
    const fields = await listProfileFieldsOf(tx, realmId);
    const field = findProfileField(fields, id);
    const others = fields.filter((other) => other !== field);
    const changed = changedDefinition(field, changes, others);
    if (isSame(field, changed)) return {};
    await storeProfileField(tx, realmId, id, changed);
    const events = await removeOrphans(tx, realmId, field, changed.fieldData);
    const present = await listProfileFieldsOf(tx, realmId);
    await announce(tx, profileFieldsChanged(realmId, { fields: present }), ...events);
    return {};
  });
}

function isSame(field: ProfileField, changed: FieldDefinition): boolean {
  return (Object.keys(changed) as (keyof FieldDefinition)[]).every((member) => field[member] === changed[member]);
}

async function removeOrphans(
  tx: Transaction,
  realmId: number,
  { id: fieldId, type, fieldData }: ProfileField,
  newFieldData: string,
): Promise<DomainEvent[]> {
  if (type !== FIELD_TYPES.options) return [];
  const kept = optionKeys(newFieldData);
  const removed = optionKeys(fieldData).filter((key) => !kept.includes(key));
  if (removed.length === 0) return [];
  const userIds = await deleteValuesAmong(tx, realmId, fieldId, removed);
  const audienceOf = await userAudiences(tx, realmId, userIds);
  return userIds.map((userId) =>
    profileValueChanged(realmId, { userId, audience: audienceOf(userId), fieldId, value: null }),
  );
}
