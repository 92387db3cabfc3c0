import { VISITOR_ID } from '@parley/shared/values';
import { join, newOrganization, openContext, type TestContext } from '../../test/examples';
import { getReadFacts } from '../read-facts/get-read-facts';
import { findRealm } from '../realms/realms.sql';
import { getUsers } from '../users/get-users';
import { admitVisitor } from './admit-visitor';

let ctx: TestContext;
beforeAll(async () => {
  ctx = await openContext();
});
afterAll(() => ctx.close());

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

test('a visitor may read web-public channels, and sees who writes there', async () => {
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
