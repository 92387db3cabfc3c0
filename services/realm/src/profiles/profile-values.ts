import { announce } from '@parley/shared/bus';
import type { Transaction } from '@parley/shared/db';
import { BadRequestError } from '@parley/shared/errors';
import { type DomainEvent, profileValueChanged } from '@parley/shared/events';
import type {
  GetUserProfilesRequest,
  NewProfileValue,
  ProfileField,
  RemoveProfileValuesRequest,
  RemoveProfileValuesResponse,
  SetProfileValuesRequest,
  SetProfileValuesResponse,
  User,
  UserProfiles,
} from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { changeAudience } from '../accounts/accessible-users';
import { listProfiles } from '../accounts/profiles.sql';
import { renderProfile } from '../accounts/shown-profile';
import { findUsersByIds } from '../accounts/users.sql';
import { requirePerson } from '../base/guards';
import { possibleIds } from '../base/possible-values';
import type { Context } from '../context';
import { changeOrganization } from '../organization/change-organization';
import type { RenderingContext } from '../rendering/render-texts';
import { requireMayEditValue } from './permissions';
import { findProfileField } from './profile-fields';
import { listProfileFieldsOf } from './profile-fields.sql';
import { profileValueFromInput } from './profile-value-input';
import { deleteProfileValues, storeProfileValues } from './profile-values.sql';
import { renderValues } from './render-profile-value';

/** Profile values of the given users, or of all. */
export async function getUserProfiles(
  ctx: Context,
  { realmId }: Caller,
  { userIds }: GetUserProfilesRequest,
): Promise<UserProfiles> {
  const rows = await listProfiles(ctx.db, realmId, userIds.length === 0 ? null : possibleIds(userIds));
  return { profiles: rows.map(renderProfile) };
}

/** Sets values of the caller's own profile, all or none. */
export async function setProfileValues(
  ctx: Context,
  caller: Caller,
  { values }: SetProfileValuesRequest,
): Promise<SetProfileValuesResponse> {
  return changeOrganization(ctx, caller, requirePerson, async (tx, actor) => {
    await announce(tx, ...(await setValues(ctx, tx, actor, actor.id, values)));
    return {};
  });
}

/** Removes values from the caller's own profile; idempotent. */
export async function removeProfileValues(
  ctx: Context,
  caller: Caller,
  { fieldIds }: RemoveProfileValuesRequest,
): Promise<RemoveProfileValuesResponse> {
  return changeOrganization(ctx, caller, requirePerson, async (tx, actor) => {
    await announce(tx, ...(await removeValues(tx, actor, actor.id, fieldIds)));
    return {};
  });
}

const MAX_VALUES = 1_000;

/**
 * Sets values of a user's profile; returns the events to announce in the same transaction. The caller has locked the organization's row
 * (changeOrganization) and checked that the editor may edit the user.
 */
export async function setValues(
  ctx: RenderingContext,
  tx: Transaction,
  editor: User,
  userId: number,
  values: readonly NewProfileValue[],
): Promise<DomainEvent[]> {
  refuseTooMany(values.length);
  const { realmId } = editor;
  const fields = await listProfileFieldsOf(tx, realmId);
  const people = await loadPeople(tx, realmId, values);
  const wanted = new Map<number, { field: ProfileField; value: string }>();
  for (const value of values) {
    const field = editableField(fields, value.fieldId, editor);
    wanted.set(field.id, { field, value: profileValueFromInput(field, value, people) });
  }
  const plain = [...wanted].map(([fieldId, { field, value }]) => ({ fieldId, type: field.type, value }));
  // Mentions resolve to users visible to the profile's owner, also when an administrator edits it.
  const stored = await renderValues(ctx, tx, { realmId, authorId: userId }, plain);
  const changedIds = new Set(await storeProfileValues(tx, realmId, userId, stored));
  const audience = await changeAudience(tx, { realmId, id: userId, isBot: false });
  return stored
    .filter(({ fieldId }) => changedIds.has(fieldId))
    .map(({ type: _, ...change }) => profileValueChanged(realmId, { userId, audience, ...change }));
}

/** Removes values from a user's profile; otherwise like setValues(). */
export async function removeValues(
  tx: Transaction,
  editor: User,
  userId: number,
  fieldIds: readonly number[],
): Promise<DomainEvent[]> {
  refuseTooMany(fieldIds.length);
  const { realmId } = editor;
  const fields = await listProfileFieldsOf(tx, realmId);
  for (const fieldId of fieldIds) editableField(fields, fieldId, editor);
  const removedIds = new Set(await deleteProfileValues(tx, realmId, userId, fieldIds));
  const audience = await changeAudience(tx, { realmId, id: userId, isBot: false });
  return [...removedIds].map((fieldId) => profileValueChanged(realmId, { userId, audience, fieldId, value: null }));
}

function refuseTooMany(count: number): void {
  if (count > MAX_VALUES) throw new BadRequestError(`Too many values (limit: ${MAX_VALUES})`);
}

function editableField(fields: readonly ProfileField[], fieldId: number, editor: User): ProfileField {
  const field = findProfileField(fields, fieldId);
  requireMayEditValue(field, editor);
  return field;
}

async function loadPeople(
  tx: Transaction,
  realmId: number,
  values: readonly NewProfileValue[],
): Promise<Map<number, User>> {
  const ids = values.flatMap(({ userIds }) => userIds?.ids ?? []);
  const people = ids.length === 0 ? [] : await findUsersByIds(tx, realmId, possibleIds(ids));
  return new Map(people.map((person) => [person.id, person]));
}
