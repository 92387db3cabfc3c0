import { announce } from '@parley/shared/bus';
import type { Transaction } from '@parley/shared/db';
import { BadRequestError } from '@parley/shared/errors';
import { type DomainEvent, profileFieldsChanged, profileValueChanged } from '@parley/shared/events';
import type {
  CreateProfileFieldRequest,
  CreateProfileFieldResponse,
  ProfileField,
  ProfileFields,
  RemoveProfileFieldRequest,
  RemoveProfileFieldResponse,
  ReorderProfileFieldsRequest,
  ReorderProfileFieldsResponse,
  UpdateProfileFieldRequest,
  UpdateProfileFieldResponse,
} from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { userAudiences } from '../accounts/accessible-users';
import { FIELD_TYPES } from '../base/field-types';
import { requireAdministrator } from '../base/guards';
import type { Context } from '../context';
import { changeOrganization } from '../organization/change-organization';
import { optionKeys } from './field-data';
import { changedDefinition, type FieldDefinition, fieldDefinitionFromInput } from './field-definition';
import { insertProfileField, listProfileFieldsOf, storeProfileFieldOrder } from './profile-fields.sql';
import { deleteValuesAmong } from './profile-values.sql';

/** The organization's custom profile fields, in their order. For everybody. */
export async function listProfileFields(ctx: Context, { realmId }: Caller): Promise<ProfileFields> {
  return { fields: await listProfileFieldsOf(ctx.db, realmId) };
}

const MAX_FIELDS = 50;

/** Adds a profile field after all others. */
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

/** Changes the name and behaviour of a field. Values that chose a removed option are deleted. */
export async function updateProfileField(
  ctx: Context,
  caller: Caller,
  { id, ...changes }: UpdateProfileFieldRequest,
): Promise<UpdateProfileFieldResponse> {
  return changeOrganization(ctx, caller, requireAdministrator, async (tx, { realmId }, prisma) => {
    const fields = await listProfileFieldsOf(tx, realmId);
    const field = findProfileField(fields, id);
    const others = fields.filter((other) => other !== field);
    const changed = changedDefinition(field, changes, others);
    if (isSame(field, changed)) return {};
    await prisma.profileField.update({ where: { realmId_id: { realmId, id } }, data: changed });
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

/** Removes a field with all its values. */
export async function removeProfileField(
  ctx: Context,
  caller: Caller,
  { id }: RemoveProfileFieldRequest,
): Promise<RemoveProfileFieldResponse> {
  return changeOrganization(ctx, caller, requireAdministrator, async (tx, { realmId }, prisma) => {
    const fields = await listProfileFieldsOf(tx, realmId);
    const field = findProfileField(fields, id);
    await prisma.profileField.delete({ where: { realmId_id: { realmId, id } } });
    await announce(tx, profileFieldsChanged(realmId, { fields: fields.filter((other) => other !== field) }));
    return {};
  });
}

/** Reorders profile fields. */
export async function reorderProfileFields(
  ctx: Context,
  caller: Caller,
  { orderedIds }: ReorderProfileFieldsRequest,
): Promise<ReorderProfileFieldsResponse> {
  return changeOrganization(ctx, caller, requireAdministrator, async (tx, { realmId }) => {
    const fields = await listProfileFieldsOf(tx, realmId);
    // Unknown ids are tolerated; of a repeated id, the first position counts.
    const wanted = [...new Set(orderedIds)].filter((id) => fields.some((field) => field.id === id));
    if (wanted.length < fields.length) throw new BadRequestError('Invalid order mapping.');
    if (fields.every(({ id }, index) => id === wanted[index])) return {};
    await storeProfileFieldOrder(tx, realmId, wanted);
    await announce(tx, profileFieldsChanged(realmId, { fields: await listProfileFieldsOf(tx, realmId) }));
    return {};
  });
}

/** The field of that id. */
export function findProfileField(fields: readonly ProfileField[], id: number): ProfileField {
  const field = fields.find((candidate) => candidate.id === id);
  if (!field) throw new BadRequestError(`Field id ${id} not found.`);
  return field;
}
