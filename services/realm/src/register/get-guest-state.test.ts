import type { User } from '@parley/shared/proto';
import { unknownUser } from '@parley/shared/values';
import { publicUser } from '@parley/shared/wire';
import { contextOfTests, ownerOfEachTest } from '../../test/each-test';
import { join, newUser, type Person } from '../../test/examples';
import { restrictGuests } from '../../test/restrict-guests';
import { channelReader } from '../list-changes/list-versions';
import { updateUserStatus } from '../personal/statuses';
import { createProfileField } from '../profiles/profile-fields';
import { setProfileValues } from '../profiles/profile-values';
import { deactivateUser } from '../users/deactivate-user';
import { getGuestState } from './get-guest-state';
import { registerReaders } from './get-own-state';
import { getRegisterState } from './get-register-state';

const ctx = contextOfTests();
const olivia = ownerOfEachTest(ctx);
let [guest, peer, stranger, gone]: Person[] = [];

beforeEach(async () => {
  guest = await newUser(ctx, olivia, { role: 600, fullName: 'Guest' });
  peer = await newUser(ctx, olivia, { fullName: 'Peer' });
  stranger = await newUser(ctx, olivia, { fullName: 'Stranger' });
  gone = await newUser(ctx, olivia, { fullName: 'Gone' });
  await ctx.db.query('update channel set is_default = false where realm_id = $1', [olivia.realmId]);
  await ctx.db.query('update subscription set is_active = false where user_id = $1', [guest.userId]);
  await join(ctx, peer, ['team'], { principalIds: [guest.userId, peer.userId], newChannel: { isPrivate: true } });
  const flags = { isInSummary: false, isRequired: false, isEditableByUser: true };
  const field = { type: 1, name: 'Phone', hint: '', fieldData: '', ...flags };
  const { id: fieldId } = await createProfileField(ctx, olivia, field);
  for (const person of [peer, stranger] as Person[]) {
    await setProfileValues(ctx, person, { values: [{ fieldId, text: `Of ${person.userId}`, userIds: null }] });
    await updateUserStatus(ctx, person, { statusText: 'here' });
  }
  await deactivateUser(ctx, olivia, { userId: (gone as Person).userId });
});

const stateFor = (view: { includesUsers?: boolean; includesUnknown?: boolean } = {}) =>
  getGuestState(ctx, registerReaders(ctx, channelReader(ctx)), guest as Person, {
    includesChannels: true,
    isGrouped: true,
    guest: { includesUsers: true, clientGravatar: false, includesUnknown: true, ...view },
  });
const parse = (json: Uint8Array | undefined) => JSON.parse(Buffer.from(json as Buffer).toString());

test.each([false, true])(
  'is the whole state without shared lists, with restricted guests: %s',
  async (isRestricted) => {
    if (isRestricted) await restrictGuests(ctx, olivia);
    const whole = await getRegisterState(ctx, guest as Person);
    const { state, knownChannels } = await stateFor();
    const elsewhere = {
      users: [],
      unknownUserIds: [],
      groups: [],
      subscriptions: [],
      unsubscribed: [],
      neverSubscribed: [],
    };
    const lists = { ...whole.lists, profiles: [] };
    expect(state).toEqual({ ...whole, ...elsewhere, lists, snapshot: expect.any(String) });
    expect(knownChannels.flatMap(({ channelIds }) => channelIds)).toEqual(
      [...whole.subscriptions, ...whole.unsubscribed].map(({ channel }) => channel?.id),
    );
  },
);

test('a guest who sees everybody shares the lists of users', async () => {
  expect((await stateFor()).seenUsers).toBeUndefined();
});

describe('a guest who sees whom they meet', () => {
  beforeEach(() => restrictGuests(ctx, olivia));

  test('has users of their own, with the profiles of these', async () => {
    const { users, unknownUserIds, lists } = await getRegisterState(ctx, guest as Person);
    const profiles = new Map(lists?.profiles.map(({ userId, values }) => [userId, values]));
    const show = (user: User) => {
      const view = { isDeliveryEmailShown: user.emailAddressVisibility === 1, clientGravatar: false };
      return publicUser(user, { ...view, isActivityShown: false }, profiles.get(user.id) ?? []);
    };
    const known = users.filter(({ isSystemBot, isActive }) => isActive && !isSystemBot).map(show);
    const unknown = unknownUserIds.map((id) => show(unknownUser(olivia.realmId, id)));
    const { seenUsers, versions } = await stateFor();
    expect(parse(seenUsers?.users)).toEqual([...known, ...unknown].sort((a, b) => a.user_id - b.user_id));
    expect(parse(seenUsers?.users).at(2).profile_data).not.toEqual({});
    expect(parse(seenUsers?.nonActiveUsers)).toEqual([]);
    expect(parse(seenUsers?.systemBots)).toHaveLength(2);
    expect(seenUsers?.version).toBe(versions?.users);
    const { seenUsers: withoutUnknown } = await stateFor({ includesUnknown: false });
    expect(parse(withoutUnknown?.users)).toEqual(known);
  });

  test('reads no statuses of others, whether the users are requested or not', async () => {
    const { state, seenUsers } = await stateFor({ includesUsers: false });
    expect(seenUsers).toBeUndefined();
    expect(state?.personal?.statuses.map(({ userId }) => userId)).toEqual([peer?.userId]);
  });
});
