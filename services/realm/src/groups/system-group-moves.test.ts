import { newOrganization, openContext, type Person, type TestContext } from '../../test/examples';
import { findSystemGroupIds } from '../group-settings/group-settings.sql';
import { type SystemGroupFacts, systemGroupMoves } from './system-group-moves';

let ctx: TestContext;
let olivia: Person;

beforeAll(async () => {
  ctx = await openContext();
  olivia = await newOrganization(ctx);
});
afterAll(() => ctx.close());

const full = (role: number): SystemGroupFacts => ({ role, isFullMember: role <= 400 });
const WAITING: SystemGroupFacts = { role: 400, isFullMember: false };

test.each<[string, SystemGroupFacts | null, SystemGroupFacts | null, string[]]>([
  ['someone new', null, full(400), ['+ role:members', '+ role:fullmembers']],
  ['someone new who has to wait', null, WAITING, ['+ role:members']],
  ['the end of the waiting', WAITING, full(400), ['+ role:fullmembers']],
  ['a member made a moderator', full(400), full(300), ['- role:members', '- role:fullmembers', '+ role:moderators']],
  ['an owner made a guest', full(100), full(600), ['- role:owners', '+ role:everyone']],
  ['someone deactivated', full(200), null, ['- role:administrators']],
  ['no change', full(400), full(400), []],
])('%s', async (_what, from, to, expected) => {
  const ids = await findSystemGroupIds(ctx.db, olivia.realmId);
  const nameOf = (groupId: number) => Object.entries(ids).find(([, id]) => id === groupId)?.[0];
  const events = await systemGroupMoves(ctx.db, olivia.realmId, 7, from, to);
  const moves = events.map(({ kind, payload }) => {
    const { groupId, userIds } = payload as { groupId: number; userIds: number[] };
    expect(userIds).toEqual([7]);
    return `${kind === 'group.members-added' ? '+' : '-'} ${nameOf(groupId)}`;
  });
  expect([...moves].sort()).toEqual([...expected].sort());
  // No user is in two roles at any moment.
  expect(moves.map((move) => move[0])).toEqual([...moves.map((move) => move[0] as string)].sort().reverse());
});
