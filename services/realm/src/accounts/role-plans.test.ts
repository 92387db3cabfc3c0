import type { Sql } from '@parley/shared/db';
import { observed, rowsReadIn } from '@parley/shared/testing';
import { EMAIL_VISIBLE_TO, ROLES } from '@parley/shared/values';
import { contextOfTests } from '../../test/each-test';
import { crowd, newOrganization, newUser, type Person } from '../../test/examples';
import * as inviteFacts from '../invite-facts/invite-facts.sql';
import { findFirstActive } from '../operator/operator.sql';
import { listEndedWaitingPeriods } from '../waiting-periods/waiting-periods.sql';
import { listActiveGuestIds } from './accessible-users.sql';
import { countOwners, hasOtherPeople } from './account-state.sql';
import { hasAddressOf, listActiveUserIdsOfRoles, listAdministrators } from './users.sql';

const MEMBERS = 3_000;
/** What an organization of a few people would take. */
const FEW_ROWS = 20;

const ctx = contextOfTests();
let olivia: Person;

beforeAll(async () => {
  olivia = await newOrganization(ctx);
  for (const role of [ROLES.administrator, ROLES.moderator, ROLES.guest]) await newUser(ctx, olivia, { role });
  await crowd(ctx, olivia, MEMBERS);
  await ctx.db.query('vacuum analyze user_account');
});

test.each<[string, (sql: Sql, realmId: number) => Promise<unknown>]>([
  ['who administers it', listAdministrators],
  ['whom invitations concern', inviteFacts.listAdministrators],
  ['its guests', listActiveGuestIds],
  ['the number of its owners', countOwners],
  ['its first owner', (sql, realmId) => findFirstActive(sql, realmId, ROLES.owner)],
  [
    'the holders of some roles',
    (sql, realmId) => listActiveUserIdsOfRoles(sql, realmId, [ROLES.owner, ROLES.moderator]),
  ],
  ['whether anybody else is there', (sql, realmId) => hasOtherPeople(sql, realmId, olivia.userId)],
  [
    'who is a full member since the last time',
    (sql, realmId) => listEndedWaitingPeriods(sql, realmId, 3, ctx.clock.now()),
  ],
  [
    'whether anybody shows their address to moderators alone',
    (sql, realmId) => hasAddressOf(sql, realmId, [EMAIL_VISIBLE_TO.moderators], olivia.userId),
  ],
])('of an organization with thousands of members, %s is found without reading them', async (_, find) => {
  const { sql, plans } = observed(ctx.db);
  expect(await find(sql, olivia.realmId)).toBeDefined();
  expect(rowsReadIn(plans)).toBeLessThan(FEW_ROWS);
});
