import type { NewProfileValue } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { newOrganization, newUser, openContext, type Person, type TestContext } from '../../test/examples';
import { personUpdates } from '../../test/public-events';
import { createProfileField } from './profile-fields';
import { getUserProfiles, removeProfileValues, setProfileValues } from './profile-values';

let ctx: TestContext;
let olivia: Person;
let iago: Person;
let textId: number;
let peopleId: number;
let lockedId: number;

async function createField(type: number, name: string, isEditableByUser = true): Promise<number> {
  const flags = { isInSummary: false, isRequired: false, isEditableByUser };
  return (await createProfileField(ctx, olivia, { type, name, hint: '', fieldData: '', ...flags })).id;
}

beforeAll(async () => {
  ctx = await openContext();
});
beforeEach(async () => {
  olivia = await newOrganization(ctx);
  iago = await newUser(ctx, olivia);
  textId = await createField(1, 'Phone');
  peopleId = await createField(6, 'Mentor');
  lockedId = await createField(4, 'Start date', false);
});
afterAll(() => ctx.close());

const text = (fieldId: number, value: string): NewProfileValue => ({ fieldId, text: value, userIds: null });
const people = (fieldId: number, ...ids: number[]): NewProfileValue => ({ fieldId, userIds: { ids } });
const set = (caller: Caller, ...values: NewProfileValue[]) => setProfileValues(ctx, caller, { values });
const profiles = async (...users: Person[]) =>
  (await getUserProfiles(ctx, olivia, { userIds: users.map(({ userId }) => userId) })).profiles;
const announced = async () => (await personUpdates(ctx, olivia)).map(({ event }) => event['person']);

test('a profile contains the values set; texts are rendered', async () => {
  await set(iago, text(textId, '<b>1</b>'), people(peopleId, olivia.userId));
  const values = [
    { fieldId: textId, value: '<b>1</b>', renderedValue: '<p>&lt;b&gt;1&lt;/b&gt;</p>' },
    { fieldId: peopleId, value: `[${olivia.userId}]` },
  ];
  expect(await profiles(iago, olivia)).toEqual([{ userId: iago.userId, values }]);
  expect(await profiles(olivia)).toEqual([]);
  expect(await profiles()).toHaveLength(1);
});

test('each change is announced to everybody; unchanged values are not', async () => {
  await set(iago, text(textId, '1'), people(peopleId, olivia.userId));
  await set(iago, text(textId, '2'), people(peopleId, olivia.userId));
  await removeProfileValues(ctx, iago, { fieldIds: [textId] });
  await removeProfileValues(ctx, iago, { fieldIds: [textId] });
  const person = (custom_profile_field: object) => ({ user_id: iago.userId, custom_profile_field });
  expect(await announced()).toEqual([
    person({ id: textId, value: '1', rendered_value: '<p>1</p>' }),
    person({ id: peopleId, value: `[${olivia.userId}]` }),
    person({ id: textId, value: '2', rendered_value: '<p>2</p>' }),
    person({ id: textId, value: null }),
  ]);
});

test('a link that could run code is stored but not shown', async () => {
  const linkId = await createField(5, 'Site');
  await set(iago, text(linkId, 'https://example.com'), text(textId, '1'));
  await ctx.db.query(`update profile_value set value = 'javascript:alert(1)' where realm_id = $1 and field_id = $2`, [
    olivia.realmId,
    linkId,
  ]);
  expect((await profiles(iago))[0]?.values.map(({ fieldId }) => fieldId)).toEqual([textId]);
});

test('of two values for one field the last one counts', async () => {
  await set(iago, text(textId, '1'), text(textId, '2'));
  expect((await profiles(iago))[0]?.values).toMatchObject([{ value: '2' }]);
  expect(await announced()).toHaveLength(1);
});

test('all values are set or none', async () => {
  await expect(set(iago, text(textId, '1'), text(0, 'x'))).rejects.toThrow('Field id 0 not found.');
  await expect(set(iago, text(textId, '1'), text(peopleId, 'x'))).rejects.toThrow('Mentor is not a list');
  await expect(set(iago, text(textId, '1'), people(peopleId, 0))).rejects.toThrow('Invalid user IDs: 0');
  expect(await profiles(iago)).toEqual([]);
});

test('the first thing that is wrong is refused', async () => {
  await expect(set(iago, text(lockedId, 'x'), text(0, 'x'))).rejects.toThrow(
    'You are not allowed to change this field.',
  );
  await expect(set(olivia, text(lockedId, 'x'), text(0, 'x'))).rejects.toThrow('Start date is not a date');
});

test('fields closed to users are edited by administrators', async () => {
  const refusal = 'You are not allowed to change this field. Contact an administrator to update it.';
  await set(olivia, text(lockedId, '2024-01-31'));
  await expect(set(iago, text(lockedId, '2024-01-31'))).rejects.toThrow(refusal);
  await expect(removeProfileValues(ctx, iago, { fieldIds: [lockedId] })).rejects.toThrow(refusal);
  await removeProfileValues(ctx, olivia, { fieldIds: [lockedId] });
  expect(await profiles()).toEqual([]);
});

test('guests have a profile, bots have none', async () => {
  const guest = await newUser(ctx, olivia, { role: 600 });
  const bot = await newUser(ctx, olivia, { botType: 1, botOwnerEmail: iago.email });
  await set(guest, text(textId, '1'));
  await expect(set(bot, text(textId, '1'))).rejects.toThrow('This endpoint does not accept bot requests.');
  const removal = removeProfileValues(ctx, bot, { fieldIds: [0] });
  await expect(removal).rejects.toThrow('This endpoint does not accept bot requests.');
});

test('fields and people of other organizations do not exist', async () => {
  const stranger = await newOrganization(ctx);
  await expect(set(stranger, text(textId, '1'))).rejects.toThrow(`Field id ${textId} not found.`);
  await expect(set(iago, people(peopleId, stranger.userId))).rejects.toThrow(`Invalid user IDs: ${stranger.userId}`);
  await set(iago, text(textId, '1'));
  const asked = { userIds: [iago.userId, 2 ** 63] };
  expect(await getUserProfiles(ctx, stranger, asked)).toEqual({ profiles: [] });
  expect(await getUserProfiles(ctx, stranger, { userIds: [] })).toEqual({ profiles: [] });
});
