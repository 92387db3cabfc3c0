import { DEPLOYMENT } from '@parley/shared/events';
import { newCall, OPERATOR_ADDRESS } from '@parley/shared/rpc';
import { freshName, newOrganization, newUser, openContext, type Person, type TestContext } from '../../test/examples';
import { implementation } from '../rpc';
import { deleteAuditsOfPurged } from './audit.sql';
import { deleteExpiredAuditsPeriodically } from './audit-log';
import { recordActs, recordInvitationActs } from './record-acts';
import { withAudit } from './with-audit';

let ctx: TestContext;
let realm: ReturnType<typeof implementation>;
let olivia: Person;

beforeAll(async () => {
  ctx = await openContext();
  realm = withAudit(ctx, implementation);
});
beforeEach(async () => {
  olivia = { ...(await newOrganization(ctx)), clientAddress: '203.0.113.7' };
});
afterAll(() => ctx.close());

interface Entry {
  seq: number;
  at: string;
  act: string;
  actor: { kind: string; id?: number };
  requestId: string;
  address?: string;
  subject: { kind: string; id: number };
  before?: Record<string, unknown>;
  after?: Record<string, unknown>;
}

const NOBODY_IN_IT = { memberIds: [], subgroupIds: [], settings: {} };
const PRONOUNS = {
  ...{ type: 8, name: 'Pronouns', hint: '', fieldData: '' },
  ...{ isInSummary: false, isRequired: false, isEditableByUser: true },
};
const NO_MORE_CHANGES = { removedIds: [], addedSubgroupIds: [], removedSubgroupIds: [] };

const makeRobbie = (owner: Person) =>
  realm.createBot(owner, {
    ...{ fullName: 'Robbie', shortName: freshName('robbie'), domain: 'bots.invalid', botType: 3, interface: 1 },
    ...{ payloadUrl: 'https://user:pa55@hooks.example.com/hush', configData: {}, hearsAllPublicChannels: false },
    ...{ defaultSendingChannel: '', defaultEventsChannel: '', files: [] },
  });

async function entriesOf({ subdomain }: Person, filter: { actor?: string; sinceMs?: number; limit?: number } = {}) {
  const { entries } = await realm.listAuditEntries(newCall(), { subdomain, limit: 100, ...filter });
  return entries.map(({ json }): Entry => JSON.parse(json));
}

async function verdictOn({ subdomain }: Person) {
  const { logs } = await realm.verifyAuditLog(newCall(), { subdomain });
  return logs[0];
}

const makeChannel = (caller: Person) =>
  realm.changeOwnSubscriptions(caller, {
    added: [{ name: freshName('channel'), description: '', color: '' }],
    removedNames: [],
  });

const secretsOf = async ({ realmId }: Person) =>
  (
    await ctx.db.query<{ hash: string }>(`select encode(key_hash, 'hex') as hash from api_key where realm_id = $1`, [
      realmId,
    ])
  ).map(({ hash }) => hash);

describe('an administrative act is recorded', () => {
  test('keys that are suspended with their account, and work again with it, are in the entries', async () => {
    const dan = await newUser(ctx, olivia);
    await realm.deactivateUser(olivia, { userId: dan.userId, notificationComment: '' });
    await realm.reactivateUser(olivia, { userId: dan.userId });
    const keys = ({ before = {}, after = {} }: Entry) =>
      Object.keys(before)
        .filter((name) => name.startsWith('key.'))
        .map((name) => [before[name], after[name]]);
    const entries = await entriesOf(olivia);
    const [away, back] = ['deactivate-user', 'reactivate-user'].map((act) =>
      entries.find((entry) => entry.act === act),
    );
    expect(keys(away as Entry)).toEqual([['in use', 'suspended']]);
    expect(keys(back as Entry)).toEqual([['suspended', 'in use']]);
  });

  test('with actor, address, subject, and values before and after', async () => {
    const dan = await newUser(ctx, olivia);
    await realm.updateUser(olivia, { user: { id: dan.userId }, role: 200, profileValues: [] });
    expect(await entriesOf(olivia)).toEqual([
      {
        realm: olivia.realmId,
        seq: 1,
        at: new Date(ctx.clock.now()).toISOString(),
        act: 'update-user',
        actor: { kind: 'user', id: olivia.userId },
        requestId: olivia.requestId,
        address: '203.0.113.7',
        subject: { kind: 'user', id: dan.userId },
        before: { role: 400 },
        after: { role: 200 },
      },
    ]);
  });

  test('also of changed profile values', async () => {
    const dan = await newUser(ctx, olivia);
    const { id: fieldId } = await realm.createProfileField(olivia, PRONOUNS);
    for (const text of ['they', '']) {
      await realm.updateUser(olivia, { user: { id: dan.userId }, profileValues: [{ fieldId, text, userIds: null }] });
    }
    const name = `profile.${fieldId}`;
    expect((await entriesOf(olivia)).slice(-2)).toMatchObject([
      { act: 'update-user', subject: { id: dan.userId }, before: {}, after: { [name]: 'they' } },
      { act: 'update-user', subject: { id: dan.userId }, before: { [name]: 'they' }, after: {} },
    ]);
  });

  test('on the organization, a channel, a group, a bot', async () => {
    await realm.updateRealm(olivia, { settings: '{"message_retention_days":30}', groupSettings: {} });
    await makeChannel(olivia);
    const [channel] = (await entriesOf(olivia)).filter(({ subject }) => subject.kind === 'channel');
    const channelId = channel?.subject.id as number;
    await realm.updateChannel(olivia, { channelId, isPrivate: true, groupSettings: {}, hasNamedTopics: false });
    await realm.archiveChannel(olivia, { channelId });
    const { groupId } = await realm.createGroup(olivia, { ...{ name: 'Crew', description: '' }, ...NOBODY_IN_IT });
    await realm.changeGroupMembers(olivia, { ...{ groupId, addedIds: [olivia.userId] }, ...NO_MORE_CHANGES });
    const { bot } = await makeRobbie(olivia);
    const botId = bot?.user?.id as number;
    await realm.deactivateBot(olivia, { botId });
    const entries = await entriesOf(olivia);
    expect(entries.map(({ act, subject, after }) => [act, subject.kind, after])).toEqual([
      ['update-realm', 'organization', { 'setting.message_retention_days': 30 }],
      ['change-own-subscriptions', 'channel', expect.objectContaining({ is_private: false, is_archived: false })],
      ['update-channel', 'channel', { is_private: true, is_history_public: expect.any(Boolean) }],
      ['archive-channel', 'channel', { is_archived: true }],
      ['create-group', 'group', expect.objectContaining({ name: 'Crew' })],
      ['change-group-members', 'group', { [`member.${olivia.userId}`]: true }],
      [
        'create-bot',
        'user',
        expect.objectContaining({ full_name: 'Robbie', bot_owner: olivia.userId, webhook_host: 'hooks.example.com' }),
      ],
      ['deactivate-bot', 'user', expect.objectContaining({ is_active: false })],
    ]);
  });

  test('with ordered exports', async () => {
    const { exportId } = await realm.createDataExport(olivia, { kind: 'consented' });
    expect(await entriesOf(olivia)).toMatchObject([
      {
        ...{ act: 'create-data-export', subject: { kind: 'organization', id: olivia.realmId } },
        ...{ before: {}, after: { [`data_export.${exportId}`]: 'consented' } },
      },
    ]);
  });

  test('of the operator, also in a member’s name', async () => {
    const subdomain = freshName('org');
    const made = await realm.createRealm(newCall(), {
      ...{ name: 'Acme', subdomain, ownerEmail: 'ada@example.com', ownerName: 'Ada' },
    });
    const ada: Person = { ...newCall(), ...made, subdomain, clientAddress: OPERATOR_ADDRESS };
    await realm.permitUser(newCall(), { subdomain, email: 'ada@example.com', mayCreateUsers: true });
    await realm.fillRealm(newCall(), { subdomain, users: 3, channels: 1, seed: 1 });
    await realm.updateRealm(ada, { name: 'Bcme', settings: '{}', groupSettings: {} });
    const entries = await entriesOf(ada, { actor: 'operator' });
    expect(entries.map(({ act, actor, subject }) => [act, actor, subject.kind])).toEqual([
      ['create-realm', { kind: 'operator' }, 'organization'],
      ...Array.from({ length: 3 }, () => ['create-realm', { kind: 'operator' }, 'user']),
      ['permit-user', { kind: 'operator' }, 'user'],
      ['fill-realm', { kind: 'operator' }, 'organization'],
      ['update-realm', { kind: 'operator', id: ada.userId }, 'organization'],
    ]);
    expect(entries.at(-1)).not.toHaveProperty('address');
  });

  test('that reveals a secret, without the secret; no entry contains one', async () => {
    const { bot, apiKey } = await makeRobbie(olivia);
    const botId = bot?.user?.id as number;
    expect(await realm.getBotApiKey(olivia, { botId })).toEqual({ apiKey });
    await realm.regenerateBotApiKey(olivia, { botId });
    await realm.updateUserSettings(olivia, { settings: [], fullName: 'Olive' });
    const entries = await entriesOf(olivia);
    expect(entries.map(({ act }) => act)).toEqual(['create-bot', 'get-bot-api-key', 'regenerate-bot-api-key']);
    expect(Object.values(entries[2]?.before ?? {})).toEqual(['in use']);
    expect(Object.values(entries[2]?.after ?? {}).sort()).toEqual(['in use', 'revoked']);
    const text = JSON.stringify(entries);
    for (const secret of [apiKey, 'pa55', 'hush', ...(await secretsOf(olivia))]) expect(text).not.toContain(secret);
  });

  test('with the key that is made when none can be shown; that people see those of their own bots is no act', async () => {
    const { bot } = await makeRobbie(olivia);
    const botId = bot?.user?.id as number;
    await realm.listOwnBots(olivia, {});
    const unshowable = () => ctx.db.query('update api_key set salt = null where user_id = $1', [botId]);
    await unshowable();
    await realm.listOwnBots(olivia, {});
    await unshowable();
    await realm.getBotApiKey(olivia, { botId });
    const keyMade = { subject: { kind: 'user', id: botId }, after: expect.any(Object) };
    const [, ...entries] = await entriesOf(olivia);
    expect(entries).toMatchObject([
      { act: 'list-own-bots', ...keyMade },
      { act: 'get-bot-api-key', ...keyMade },
    ]);
    expect(entries.flatMap(({ after }) => Object.values(after ?? {}))).toEqual(['in use', 'in use']);
  });

  test('by the invites service, once however often it is heard of', async () => {
    const act = {
      ...{ name: 'send-invitations' as const, actorId: olivia.userId, requestId: 'r', address: '198.51.100.1' },
      ...{ kind: 'invitation' as const, ids: [4, 5], after: { role: 400 } },
    };
    const event = { id: `invites:${olivia.realmId}`, realmId: olivia.realmId, payload: { receiverIds: [], act } };
    const joined = { ...event, id: `${event.id}1`, payload: { receiverIds: [] } };
    await recordInvitationActs(ctx, [event, joined]);
    await recordInvitationActs(ctx, [event]);
    expect((await entriesOf(olivia)).map(({ act: name, subject }) => [name, subject.id])).toEqual([
      ['send-invitations', 4],
      ['send-invitations', 5],
    ]);
  });
});

test('acts of other services are recorded once, also those on the whole deployment', async () => {
  const act = { name: 'fill-messages', actor: { kind: 'operator' as const }, requestId: 'r', kind: 'organization' };
  const event = { id: `messages:${olivia.realmId}`, realmId: olivia.realmId, payload: { ...act, ids: [7], after: {} } };
  await recordActs(ctx, [event, event]);
  const operator = { ...olivia, clientAddress: OPERATOR_ADDRESS };
  const ended = {
    name: 'end-queue',
    userId: olivia.userId,
    before: '{"queue.q":"in use"}',
    after: '{"queue.q":"ended"}',
  };
  for (let time = 1; time <= 2; time += 1) await realm.recordAct(operator, { key: `q${olivia.realmId}`, ...ended });
  expect(await entriesOf(olivia, { actor: 'operator' })).toMatchObject([
    { act: 'fill-messages', actor: { kind: 'operator' }, subject: { kind: 'organization', id: 7 } },
    {
      ...{ act: 'end-queue', actor: { kind: 'operator', id: olivia.userId }, after: { 'queue.q': 'ended' } },
      subject: { kind: 'user', id: olivia.userId },
    },
  ]);
  const refill = { ...event.payload, name: 'refill-log', kind: 'deployment', ids: [DEPLOYMENT] };
  await recordActs(ctx, [{ ...event, realmId: DEPLOYMENT, payload: refill }]);
  const { entries } = await realm.listAuditEntries(newCall(), { subdomain: '', limit: 10, isOfDeployment: true });
  expect(entries.map(({ json }) => JSON.parse(json).act)).toEqual(['refill-log']);
});

describe('nothing is recorded', () => {
  test('of failed calls and those without changes', async () => {
    const dan = await newUser(ctx, olivia);
    const request = { user: { id: olivia.userId }, role: 400, profileValues: [] };
    await expect(realm.updateUser(dan, request)).rejects.toThrow();
    await realm.updateRealm(olivia, { name: 'Example', settings: '{}', groupSettings: {} });
    expect(await entriesOf(olivia)).toEqual([]);
    expect(await verdictOn(olivia)).toMatchObject({ entries: 0 });
  });
});

test('entries are listed by actor and time, the last ones in order', async () => {
  const dan = await newUser(ctx, olivia, { role: 100 });
  for (const name of ['One', 'Two']) await realm.updateRealm(olivia, { name, settings: '{}', groupSettings: {} });
  ctx.clock.advance(60_000);
  await realm.updateRealm(dan, { name: 'Three', settings: '{}', groupSettings: {} });
  const names = async (filter: Parameters<typeof entriesOf>[1]) =>
    (await entriesOf(olivia, filter)).map(({ after }) => after?.['name']);
  expect(await names({ limit: 2 })).toEqual(['Two', 'Three']);
  expect(await names({ sinceMs: ctx.clock.now() })).toEqual(['Three']);
  expect(await names({ actor: dan.email })).toEqual(['Three']);
  expect(await names({ actor: olivia.email })).toEqual(['One', 'Two']);
  await expect(names({ actor: 'nobody@example.com' })).rejects.toThrow('No such user');
});

test('concurrent acts are recorded in order, each with its own changes', async () => {
  await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      realm.updateRealm(olivia, { name: `Name ${index}`, settings: '{}', groupSettings: {} }),
    ),
  );
  const entries = await entriesOf(olivia);
  expect(entries.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  expect(entries.slice(1).map(({ before }) => before)).toEqual(entries.slice(0, -1).map(({ after }) => after));
  expect(await verdictOn(olivia)).toMatchObject({ entries: 8 });
});

describe('a manipulated log is detected:', () => {
  beforeEach(async () => {
    for (const name of ['One', 'Two', 'Three'])
      await realm.updateRealm(olivia, { name, settings: '{}', groupSettings: {} });
    expect(await verdictOn(olivia)).not.toHaveProperty('fault');
  });

  test.each([
    [
      'an entry was changed',
      `update audit_entry set entry = replace(entry, 'Two', 'Six') where realm_id = $1`,
      'entry 2 was changed',
    ],
    ['one is missing', 'delete from audit_entry where realm_id = $1 and seq = 2', 'entry 2 is missing'],
    ['the first is missing', 'delete from audit_entry where realm_id = $1 and seq = 1', 'entry 1 is missing'],
    ['the last is missing', 'delete from audit_entry where realm_id = $1 and seq = 3', 'entry 3 is missing'],
    [
      'two changed places',
      `update audit_entry e set entry = o.entry, hash = o.hash from audit_entry o
       where e.realm_id = $1 and o.realm_id = $1 and e.seq in (2, 3) and o.seq = 5 - e.seq`,
      'entry 2 was changed',
    ],
    ['the head is missing', 'delete from audit_head where realm_id = $1', 'the head is missing'],
    [
      'the end was cut off, and the head moved back',
      `with cut as (delete from audit_entry where realm_id = $1 and seq = 3)
       update audit_head h set seq = 2, hash = e.hash from audit_entry e where h.realm_id = $1 and e.realm_id = $1 and e.seq = 2`,
      'the head is not signed',
    ],
  ])('%s', async (_what, tampering, fault) => {
    await ctx.db.query(tampering, [olivia.realmId]);
    expect((await verdictOn(olivia))?.fault).toContain(fault);
    const { logs } = await realm.verifyAuditLog(newCall(), {});
    expect(logs.find(({ realmId }) => realmId === olivia.realmId)?.fault).toContain(fault);
  });

  test('the chain was recreated without the secret', async () => {
    const config = { ...ctx.config, BOT_KEY_SECRET: 'another secret, which is not the one.' };
    const forger = withAudit({ ...ctx, config }, implementation);
    await ctx.db.query('delete from audit_entry where realm_id = $1', [olivia.realmId]);
    await ctx.db.query('delete from audit_head where realm_id = $1', [olivia.realmId]);
    await forger.updateRealm(olivia, { name: 'Four', settings: '{}', groupSettings: {} });
    expect((await verdictOn(olivia))?.fault).toContain('not signed');
  });
});

test('the log outlives its organization for as long as the setting says', async () => {
  await realm.updateRealm(olivia, { name: 'One', settings: '{}', groupSettings: {} });
  await ctx.db.query('update realm set data_deleted_at = to_timestamp($2 / 1000.0) where id = $1', [
    olivia.realmId,
    ctx.clock.now(),
  ]);
  const keptMs = ctx.config.AUDIT_RETENTION_DAYS * 24 * 3_600_000;
  await deleteAuditsOfPurged(ctx.db, ctx.clock.now() - 1);
  expect(await entriesOf(olivia)).toHaveLength(1);
  const stop = deleteExpiredAuditsPeriodically(ctx);
  ctx.clock.advance(keptMs + 3_600_000);
  await stop();
  expect(await entriesOf(olivia)).toEqual([]);
  expect(await verdictOn(olivia)).toMatchObject({ entries: 0 });
});
