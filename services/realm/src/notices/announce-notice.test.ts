import { announcedNotices } from '../../test/announced-notices';
import { channelIds, newOrganization, newUser, openContext, type Person, type TestContext } from '../../test/examples';
import { addUser } from '../users/add-user';
import { announceNotice, type Notice } from './announce-notice';
import { findSystemBotIds } from './system-bots.sql';

let ctx: TestContext;
let owner: Person;
let botId: number;
let channelId: number;

beforeAll(async () => {
  ctx = await openContext();
  owner = await newOrganization(ctx);
  botId = (await findSystemBotIds(ctx.db, owner.realmId)).get('notification-bot') as number;
  channelId = (await channelIds(ctx, owner))['general'] as number;
});
afterAll(() => ctx.close());
beforeEach(() => ctx.db.query('delete from outbox'));

const announced = (person = owner) => announcedNotices(ctx, person);
const say = (...notices: Notice[]) => ctx.db.transaction((tx) => announceNotice(tx, owner.realmId, ...notices));
const notice = (more: Partial<Notice> = {}): Notice => ({
  from: 'notification-bot',
  to: { channelId, topic: 'channel events' },
  content: 'hi',
  readByIds: [owner.userId],
  ...more,
});

test('a notice is announced in the name of the organization’s bot', async () => {
  await say(notice());
  expect(await announced()).toEqual([
    { senderId: botId, to: { channelId, topic: 'channel events' }, content: 'hi', readByIds: [owner.userId] },
  ]);
});

test('is not announced when the transaction fails', async () => {
  const failing = ctx.db.transaction(async (tx) => {
    await announceNotice(tx, owner.realmId, notice());
    throw new Error('changed my mind');
  });
  await expect(failing).rejects.toThrow('changed my mind');
  expect(await announced()).toEqual([]);
});

test('notices to many users are divided, each user gets one, and there is none without users', async () => {
  const userIds = Array.from({ length: 450 }, (_, index) => index + 1);
  await say(notice({ to: { userIds } }), notice({ to: { userIds: [] } }));
  const pieces = (await announced()).map(({ to }) => ('userIds' in to ? to.userIds : []));
  expect(pieces.map(({ length }) => length)).toEqual([200, 200, 50]);
  expect(pieces.flat()).toEqual(userIds);
});

test('an archived channel gets the notice that it is archived, and no other one', async () => {
  const other = (await channelIds(ctx, owner))['sandbox'] as number;
  await ctx.db.query('update channel set is_archived = true where id = $1', [other]);
  const to = { channelId: other, topic: 'x' };
  await say(notice({ to }), notice({ content: 'open' }), notice({ to, content: 'archived', isAboutArchiving: true }));
  expect((await announced()).map(({ content }) => content)).toEqual(['open', 'archived']);
});

describe('the welcome', () => {
  const contents = async (person: { realmId: number; userId: number }) =>
    (await announced()).filter(({ to }) => 'userIds' in to && to.userIds.includes(person.userId));

  async function add(email: string): Promise<{ realmId: number; userId: number }> {
    await ctx.db.query('update user_account set may_create_users = true where id = $1', [owner.userId]);
    const person = { email, fullName: 'New Person', password: 'correct horse battery staple' };
    const { userId } = await addUser(ctx, owner, person);
    return { realmId: owner.realmId, userId };
  }

  test('is a direct message to the new user, followed by the organization’s own message', async () => {
    const welcomeBotId = (await findSystemBotIds(ctx.db, owner.realmId)).get('welcome-bot');
    const [greeting, ...more] = await contents(await add('first@example.com'));
    expect(greeting).toMatchObject({ senderId: welcomeBotId, readByIds: [], isQuiet: true });
    expect(more).toEqual([]);

    const settings = { welcome_message_custom_text: 'Lunch is at **noon**.' };
    await ctx.db.query('update realm set settings = settings || $2 where id = $1', [owner.realmId, settings]);
    const notices = await contents(await add('second@example.com'));
    expect(notices.map(({ content }) => content).slice(1)).toEqual(['Lunch is at **noon**.']);
  });

  test('is not sent to users created by the operator’s command', async () => {
    expect(await contents(owner)).toEqual([]);
    expect(await contents(await newUser(ctx, owner))).toEqual([]);
  });
});
