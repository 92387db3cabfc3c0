import { contextOfTests, ownerOfEachTest } from '../../test/each-test';
import { newUser, type Person } from '../../test/examples';
import { publicEvents } from '../../test/public-events';
import { restrictGuests } from '../../test/restrict-guests';
import { userAudience } from '../accounts/accessible-users';
import { recordDirectContacts } from './direct-contacts';

const ctx = contextOfTests();
const olivia = ownerOfEachTest(ctx);
let guest: Person;
let dan: Person;

beforeEach(async () => {
  await ctx.db.query('update channel set is_default = false where realm_id = $1', [olivia.realmId]);
  [guest, dan] = [await newUser(ctx, olivia, { role: 600 }), await newUser(ctx, olivia)];
});

const begin = (...conversations: Person[][]) =>
  recordDirectContacts(
    ctx,
    conversations.map((people, index) => {
      const participantIds = people.map(({ userId }) => userId);
      return { id: `messages:${index}`, realmId: olivia.realmId, payload: { participantIds } };
    }),
  );
const meetings = async () =>
  (await publicEvents(ctx, olivia, 'realm_user')).filter(
    ({ event, audience }) => event['op'] === 'add' && audience.to === 'users' && !event['inaccessible_user'],
  );

test('partners of a direct conversation become visible to a restricted guest, which is announced once', async () => {
  await restrictGuests(ctx, olivia);
  expect(await userAudience(ctx.db, olivia.realmId, dan.userId)).toEqual({ to: 'realm', exceptIds: [guest.userId] });
  await begin([olivia, guest, dan], [guest, dan], [olivia, dan]);
  await begin([guest, dan]);
  expect(await userAudience(ctx.db, olivia.realmId, dan.userId)).toEqual({ to: 'realm' });
  expect(await meetings()).toMatchObject([
    { audience: { userIds: [guest.userId] }, event: { person: { user_id: olivia.userId } } },
    { audience: { userIds: [guest.userId] }, event: { person: { user_id: dan.userId } } },
  ]);
});

test('partners of earlier conversations stay visible when guests are restricted', async () => {
  await begin([guest, dan]);
  expect(await meetings()).toEqual([]);
  await restrictGuests(ctx, olivia);
  expect(await userAudience(ctx.db, olivia.realmId, dan.userId)).toEqual({ to: 'realm' });
  expect(await userAudience(ctx.db, olivia.realmId, olivia.userId)).toMatchObject({ exceptIds: [guest.userId] });
});

test('a conversation with oneself changes nothing', async () => {
  await begin([dan]);
  expect(await ctx.db.query('select 1 from direct_contact where realm_id = $1', [olivia.realmId])).toEqual([]);
});
