import { VISITOR_ID } from '@parley/shared/values';
import { contextOfTests } from '../../test/each-test';
import { channelIds, join, newOrganization } from '../../test/examples';
import { getReadFacts } from '../facts/get-read-facts';
import { channelReader } from '../list-changes/list-versions';
import { findRealm } from '../organization/realms.sql';
import { getUsers } from '../users/list-users';
import { getUserLists } from '../users/user-lists';
import { getOwnState, registerReaders } from './get-own-state';
import { admitVisitor } from './visitors';

const ctx = contextOfTests();

async function openOrganization() {
  const olivia = await newOrganization(ctx);
  const subdomain = (await findRealm(ctx.db, olivia.realmId))?.subdomain as string;
  await ctx.db.query(`update realm set settings = settings || '{"enable_spectator_access": true}' where id = $1`, [
    olivia.realmId,
  ]);
  return { olivia, subdomain, visited: { ...ctx, config: { ...ctx.config, WEB_PUBLIC_STREAMS_ENABLED: true } } };
}

test('an organization admits visitors when it and the server want it', async () => {
  const { olivia, subdomain, visited } = await openOrganization();
  expect(await admitVisitor(visited, { subdomain })).toEqual({ realmId: olivia.realmId });
  const refused = { code: 'UNAUTHORIZED' };
  await expect(admitVisitor(ctx, { subdomain })).rejects.toMatchObject(refused);
  await expect(admitVisitor(visited, { subdomain: 'nowhere' })).rejects.toMatchObject(refused);
  await ctx.db.query(`update realm set settings = settings - 'enable_spectator_access' where id = $1`, [
    olivia.realmId,
  ]);
  await expect(admitVisitor(visited, { subdomain })).rejects.toMatchObject(refused);
});

test('a visitor may read web-public channels, and sees their senders', async () => {
  const { olivia } = await openOrganization();
  await join(ctx, olivia, ['web', 'open']);
  await ctx.db.query(`update channel set is_web_public = true where realm_id = $1 and name = 'web'`, [olivia.realmId]);
  const visitor = { ...olivia, userId: VISITOR_ID };
  const { channels, reader } = await getReadFacts(ctx, visitor);
  expect(channels).toMatchObject([{ name: 'web', mayReadHistory: true, hasContentAccess: true, intervals: [] }]);
  expect(reader).toBeNull();
  const { users } = await getUsers(ctx, visitor, { userIds: [olivia.userId] });
  expect(users).toMatchObject([{ id: olivia.userId, fullName: expect.not.stringContaining('Unknown') }]);
});

test('a visitor gets the organization and active web-public channels, and no data of any account', async () => {
  const { olivia, visited } = await openOrganization();
  await join(ctx, olivia, ['web', 'open', 'old']);
  const makeWebPublic = `update channel set is_web_public = true, is_archived = name = 'old'
    where realm_id = $1 and name = any('{web,old}')`;
  await ctx.db.query(makeWebPublic, [olivia.realmId]);
  const { web } = await channelIds(ctx, olivia);
  const readers = registerReaders(ctx, channelReader(ctx));
  const visitor = { ...olivia, userId: VISITOR_ID };
  const { state, knownChannels } = await getOwnState(visited, readers, visitor, {
    includesChannels: true,
    isPartial: false,
    isGrouped: true,
  });
  expect(knownChannels).toMatchObject([{ channelIds: [web], isSubscribed: true, subscription: { color: '#76ce90' } }]);
  expect(state).toMatchObject({
    realm: { id: olivia.realmId },
    ownUser: { id: VISITOR_ID, role: 600, deliveryEmail: '' },
    defaultChannelIds: [],
    bots: [],
    personal: { alertWords: [], mutedUsers: [], statuses: [] },
  });
  expect(Object.values(state?.ownRights ?? {})).toEqual([false, false, false, false, false]);
});

test('a visitor gets no addresses, and the day when users joined', async () => {
  const { olivia } = await openOrganization();
  const view = { viewerRole: 600, clientGravatar: false, includesProfiles: false, isDivided: true, knownVersion: '' };
  const { users } = await getUserLists(ctx, { ...olivia, userId: VISITOR_ID }, { ...view, isForVisitors: true });
  const [owner] = JSON.parse(Buffer.from(users as Buffer).toString());
  expect(owner).toMatchObject({ user_id: olivia.userId, delivery_email: null, timezone: '' });
  expect(owner.email).toMatch(/^user\d+@hidden\.invalid$/);
  expect(owner.date_joined).toMatch(/^\d{4}-\d\d-\d\d$/);
  expect(owner.avatar_url).toEqual(expect.any(String));
});
