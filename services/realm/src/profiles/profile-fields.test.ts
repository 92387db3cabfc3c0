import type { ProfileFieldsChanged } from '@parley/shared/events';
import type { CreateProfileFieldRequest } from '@parley/shared/proto';
import { contextOfTests, ownerOfEachTest } from '../../test/each-test';
import { newOrganization, newUser } from '../../test/examples';
import { payloadsOf, publicEvents, type TestEvent } from '../../test/public-events';
import {
  createProfileField,
  listProfileFields,
  removeProfileField,
  reorderProfileFields,
  updateProfileField,
} from './profile-fields';
import { getUserProfiles, setProfileValues } from './profile-values';

const ctx = contextOfTests();
const olivia = ownerOfEachTest(ctx);

const TEXT: CreateProfileFieldRequest = {
  type: 1,
  name: 'Phone',
  hint: '',
  fieldData: '',
  isInSummary: false,
  isRequired: false,
  isEditableByUser: true,
};
const create = async (changes: Partial<CreateProfileFieldRequest> = {}) =>
  (await createProfileField(ctx, olivia, { ...TEXT, ...changes })).id;
const fieldsOf = async () => (await listProfileFields(ctx, olivia)).fields;
const announced = () => payloadsOf<ProfileFieldsChanged>(ctx, olivia, 'profile-fields.changed');

test('a new field has its id for its place', async () => {
  const id = await create({ hint: 'Mobile' });
  expect(await fieldsOf()).toEqual([{ ...TEXT, hint: 'Mobile', id, order: id }]);
});

test('every change announces all fields to everybody', async () => {
  const [first, second] = [await create(), await create({ name: 'Room', isInSummary: true })];
  await updateProfileField(ctx, olivia, { id: first, name: 'Phone', isRequired: false });
  await updateProfileField(ctx, olivia, { id: first, hint: 'Mobile', isRequired: true });
  await reorderProfileFields(ctx, olivia, { orderedIds: [first, second] });
  await reorderProfileFields(ctx, olivia, { orderedIds: [second, first] });
  await removeProfileField(ctx, olivia, { id: first });
  expect((await announced()).map(({ fields }) => fields.map(({ id }) => id))).toEqual([
    [first],
    [first, second],
    [first, second],
    [second, first],
    [second],
  ]);
  const { event, audience } = (await publicEvents(ctx, olivia, 'custom_profile_fields'))[2] as TestEvent;
  expect(audience).toEqual({ to: 'realm' });
  const shown = { type: 1, field_data: '', editable_by_user: true, use_for_user_matching: false };
  expect(event).toEqual({
    type: 'custom_profile_fields',
    fields: [
      { ...shown, id: first, order: first, name: 'Phone', hint: 'Mobile', required: true },
      {
        ...shown,
        id: second,
        order: second,
        name: 'Room',
        hint: '',
        required: false,
        display_in_profile_summary: true,
      },
    ],
  });
});

test('an order names every field; ids of no field are tolerated', async () => {
  const [a, b] = [await create(), await create({ name: 'Room' })];
  await expect(reorderProfileFields(ctx, olivia, { orderedIds: [a, a] })).rejects.toThrow('Invalid order mapping.');
  await reorderProfileFields(ctx, olivia, { orderedIds: [b, -7, a, b] });
  expect((await fieldsOf()).map(({ id, order }) => [id, order])).toEqual([
    [b, 0],
    [a, 1],
  ]);
  const c = await create({ name: 'Desk' });
  expect((await fieldsOf()).at(-1)?.id).toBe(c);
});

test('values of a removed option are deleted, which is announced to everybody', async () => {
  const [iago, zoe] = [await newUser(ctx, olivia), await newUser(ctx, olivia)];
  const options = { red: { text: 'Red', order: '1' }, blue: { text: 'Blue', order: '2' } };
  const id = await create({ type: 3, fieldData: JSON.stringify(options) });
  await setProfileValues(ctx, iago, { values: [{ fieldId: id, text: 'red', userIds: null }] });
  await setProfileValues(ctx, zoe, { values: [{ fieldId: id, text: 'blue', userIds: null }] });
  const before = (await publicEvents(ctx, olivia, 'realm_user')).length;
  await updateProfileField(ctx, olivia, { id, fieldData: JSON.stringify({ blue: options.blue }) });
  expect(await getUserProfiles(ctx, olivia, { userIds: [] })).toEqual({
    profiles: [{ userId: zoe.userId, values: [{ fieldId: id, value: 'blue' }] }],
  });
  const announced = (await publicEvents(ctx, olivia, 'realm_user')).slice(before).map(({ event }) => event);
  expect(announced).toEqual([
    { type: 'realm_user', op: 'update', person: { user_id: iago.userId, custom_profile_field: { id, value: null } } },
  ]);
});

test('deleting a field deletes its values', async () => {
  const [id, other] = [await create(), await create({ name: 'Room' })];
  const values = [id, other].map((fieldId) => ({ fieldId, text: 'x', userIds: null }));
  await setProfileValues(ctx, olivia, { values });
  await removeProfileField(ctx, olivia, { id });
  const [profile] = (await getUserProfiles(ctx, olivia, { userIds: [olivia.userId] })).profiles;
  expect(profile?.values.map(({ fieldId }) => fieldId)).toEqual([other]);
});

test('only administrators define fields; fields of others do not exist', async () => {
  const [moderator, stranger] = [await newUser(ctx, olivia, { role: 300 }), await newOrganization(ctx)];
  const id = await create();
  const refusal = { code: 'UNAUTHORIZED_PRINCIPAL', message: 'Must be an organization administrator' };
  await expect(createProfileField(ctx, moderator, { ...TEXT, name: '' })).rejects.toMatchObject(refusal);
  await expect(updateProfileField(ctx, moderator, { id: 0 })).rejects.toMatchObject(refusal);
  await expect(removeProfileField(ctx, moderator, { id: 0 })).rejects.toMatchObject(refusal);
  await expect(reorderProfileFields(ctx, moderator, { orderedIds: [] })).rejects.toMatchObject(refusal);
  await expect(updateProfileField(ctx, stranger, { id, name: 'x' })).rejects.toThrow(`Field id ${id} not found.`);
  await expect(removeProfileField(ctx, stranger, { id })).rejects.toThrow(`Field id ${id} not found.`);
});
