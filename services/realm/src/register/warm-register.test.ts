import type { AnyStatement, Sql } from '@parley/shared/db';
import { crowd, newOrganization, newUser, openContext, type Person, type TestContext } from '../../test/examples';
import type { Context } from '../context';
import { channelReader, getChannelObjects, getGroupList, getSubscriberLists } from '../list-changes/list-versions';
import { getUserLists } from '../users/user-lists';
import { getOwnState, registerReaders } from './get-own-state';

const PEOPLE = 3_000;
const CHANNELS = 600;
/** Small compared with the organization's data. */
const FEW = 100;

/** A node of an executed plan. */
interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: PlanNode[];
}

let ctx: TestContext;
let olivia: Person;
let iago: Person;

beforeAll(async () => {
  ctx = await openContext();
  await newOrganization(ctx);
  olivia = await newOrganization(ctx);
  iago = await newUser(ctx, olivia);
  await fill(await crowd(ctx, olivia, PEOPLE));
}, 60_000);
afterAll(() => ctx.close());

/** Much of everything that POST /register returns and all people share. */
async function fill(people: readonly number[]): Promise<void> {
  const { realmId } = olivia;
  const many: [string, readonly unknown[]][] = [
    [
      `insert into user_status (realm_id, user_id, status_text, emoji_name, emoji_code, reaction_type, updated_at)
        select $1, id, 'busy', '', '', 'unicode_emoji', now() from unnest($2::bigint[]) id`,
      [realmId, people],
    ],
    [
      `insert into user_presence (realm_id, user_id, connected_at, update_id)
        select $1, id, to_timestamp($3 / 1000.0), id from unnest($2::bigint[]) id`,
      [realmId, people, ctx.clock.now()],
    ],
    [
      `insert into channel (realm_id, name, name_key, created_at, can_send_message_group_id)
        select $1, 'c' || i, 'c' || i, now(), (select id from user_group where realm_id = $1 and name = 'role:everyone')
        from generate_series(1, $2::integer) i`,
      [realmId, CHANNELS],
    ],
    [
      `insert into user_group (realm_id, name, name_key, created_at)
        select $1, 'g' || i, 'g' || i, now() from generate_series(1, 600) i`,
      [realmId],
    ],
    [
      `insert into user_group_member (realm_id, group_id, user_id)
        select $1, g.id, person from user_group g, unnest($2::bigint[]) person
        where g.realm_id = $1 and g.name in ('g1', 'g2')`,
      [realmId, people],
    ],
    [
      `insert into user_account (realm_id, delivery_email, email, full_name, full_name_key, role, is_bot, bot_type, bot_owner_id, created_at)
        select $1, 'b' || i, 'b' || i, 'B', 'b', 400, true, 1, $2, now() from generate_series(1, 600) i`,
      [realmId, people[0]],
    ],
    [`update realm set settings = settings || '{"waiting_period_threshold": 3}' where id = $1`, [realmId]],
  ];
  for (const [text, values] of many) await ctx.db.query(text, values);
  await ctx.db.query('analyze');
}

/** The context, and every statement sent through it. */
function recorded(): { ctx: Context; sent: [string, readonly unknown[]][] } {
  const sent: [string, readonly unknown[]][] = [];
  const through = (sql: Sql): Sql => ({
    query: <Row>(statement: AnyStatement<Row>, values: readonly unknown[] = []) => {
      sent.push([typeof statement === 'string' ? statement : statement.text, values]);
      return sql.query<Row>(statement, values);
    },
  });
  const readAtOnce = <Result>(read: (sql: Sql) => Promise<Result>) => ctx.db.readAtOnce((sql) => read(through(sql)));
  return { ctx: { ...ctx, db: Object.assign(Object.create(ctx.db), { ...through(ctx.db), readAtOnce }) }, sent };
}

/** The number of rows that the statement reads from tables. */
async function rowsRead([text, values]: [string, readonly unknown[]]): Promise<number> {
  const explained = await ctx.db.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
    `explain (analyze, format json) ${text}`,
    values,
  );
  return explained.flatMap((row) => row['QUERY PLAN']).reduce((sum, { Plan }) => sum + rowsOf(Plan), 0);
}

function rowsOf(node: PlanNode): number {
  const { 'Rows Removed by Filter': filtered = 0, 'Rows Removed by Index Recheck': rechecked = 0 } = node;
  const own = node['Relation Name'] ? (node['Actual Rows'] + filtered + rechecked) * node['Actual Loops'] : 0;
  return (node.Plans ?? []).reduce((sum, plan) => sum + rowsOf(plan), own);
}

test('reads few rows, however many people, channels, groups, bots and statuses there are, when nothing has changed', async () => {
  const { ctx: reading, sent } = recorded();
  const readers = registerReaders(reading, channelReader(reading));
  const register = async (
    known: Record<'users' | 'groups' | 'channels' | 'subscribers', string> & { presences: number },
  ) => {
    const view = {
      clientGravatar: true,
      includesProfiles: true,
      isDivided: true,
      isForVisitors: false,
      viewerRole: 400,
    };
    const users = await getUserLists(reading, iago, { ...view, knownVersion: known.users });
    const groups = await getGroupList(reading, iago, { includesDeactivated: false, knownVersion: known.groups });
    const channels = await getChannelObjects(readers.channelsOf, iago, { knownVersion: known.channels });
    const asked = { isPartial: true, knownVersion: known.subscribers };
    const subscribers = await getSubscriberLists(reading, iago, asked);
    // An owner manages all bots.
    const presences = { withEmails: false, knownVersion: known.users, lastUpdateId: known.presences };
    const own = { includesChannels: true, isPartial: true, isGrouped: true, presences };
    const { state } = await getOwnState(reading, readers, olivia, own);
    return {
      presences: state?.presences?.lastUpdateId as number,
      users: users.version,
      groups: groups.version,
      channels: channels.version,
      subscribers: subscribers.version,
    };
  };
  const known = await register({ users: '', groups: '', channels: '', subscribers: '', presences: -1 });
  sent.length = 0;
  expect(await register(known)).toEqual(known);
  expect(sent).toHaveLength(7);
  const isLong = await Promise.all(sent.map(async (statement) => (await rowsRead(statement)) > FEW));
  expect(sent.filter((_statement, index) => isLong[index])).toEqual([]);
});
