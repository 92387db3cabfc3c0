import { contextOfTests, ownerOfEachTest } from '../../test/each-test';
import { newUser } from '../../test/examples';
import { payloadsOf } from '../../test/public-events';
import { namedGroup } from '../group-settings/group-setting';
import { findSystemGroupIds } from '../group-settings/group-settings.sql';
import { updateRealm } from './update-realm';

const ctx = contextOfTests();
const olivia = ownerOfEachTest(ctx);

async function letGuestsKnow(group: 'role:members' | 'role:everyone'): Promise<void> {
  const groupIds = await findSystemGroupIds(ctx.db, olivia.realmId);
  const groupSettings = { can_access_all_users_group: { new: namedGroup(groupIds[group]), old: null } };
  await updateRealm(ctx, olivia, { settings: '{}', groupSettings });
}

const announced = () => payloadsOf(ctx, olivia, 'guest-restriction.changed');

test('each change of guests’ visibility announces the active guests once', async () => {
  const guests = [await newUser(ctx, olivia, { role: 600 }), await newUser(ctx, olivia, { role: 600 })];
  const gone = await newUser(ctx, olivia, { role: 600 });
  await newUser(ctx, olivia);
  await ctx.db.query('update user_account set is_active = false where id = $1', [gone.userId]);
  const guestIds = guests.map(({ userId }) => userId);
  await letGuestsKnow('role:everyone');
  expect(await announced()).toEqual([]);
  await letGuestsKnow('role:members');
  await letGuestsKnow('role:members');
  expect(await announced()).toEqual([{ guestIds }]);
  await letGuestsKnow('role:everyone');
  expect(await announced()).toEqual([{ guestIds }, { guestIds }]);
});

test('an organization without guests has nothing to announce', async () => {
  await letGuestsKnow('role:members');
  expect(await announced()).toEqual([]);
});
