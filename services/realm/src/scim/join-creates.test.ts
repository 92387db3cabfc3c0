import { contextOfTests, ownerOfEachTest } from '../../test/each-test';
import { newOrganization, type Person } from '../../test/examples';
import { newProvider } from '../../test/scim';
import { listAuditEntries, verifyAuditLog } from '../audit/audit-log';
import { storeRealmSettings } from '../organization/realms.sql';

const ctx = contextOfTests();
const olivia = ownerOfEachTest(ctx);

type Provider = Awaited<ReturnType<typeof newProvider>>;

const addresses = (count: number) => Array.from({ length: count }, (_, n) => `person${n}@example.com`);
const createAll = (provider: Provider, bodies: Record<string, unknown>[]) =>
  Promise.allSettled(bodies.map((body) => provider.create('User', body)));
const statusesOf = (results: PromiseSettledResult<unknown>[]) =>
  results.map((each) => (each.status === 'fulfilled' ? 201 : (each.reason.httpStatus as number)));

/** The kinds of the domain events about each of the users, in their order. Events about several users name all of them. */
async function eventsOf({ realmId }: Person, userIds: readonly number[]) {
  const rows = await ctx.db.query<{ kind: string; payload: string }>(
    'select kind, payload from outbox where realm_id = $1 order by id',
    [realmId],
  );
  return userIds.map((id) => {
    const about = new RegExp(`"userIds?":(${id}\\b|\\[([\\d,]*,)?${id}\\b)|"user":\\{"id":${id}\\b`);
    const kinds = rows.filter(({ payload }) => about.test(payload)).map(({ kind }) => kind);
    return [...new Set(kinds)].sort();
  });
}

async function auditOf({ subdomain }: Person) {
  const { entries } = await listAuditEntries(ctx, { subdomain, limit: 20 } as never);
  return entries
    .map(({ json }) => JSON.parse(json.replace(/"key\.\d+"/g, '"key"')))
    .filter(({ act }) => act === 'create-scim-user')
    .map(({ act, actor, subject, after }) => ({ act, actor: actor.kind, subject: subject.kind, after }));
}

test('users made at the same time share their statements, and each has its own answer', async () => {
  const provider = await newProvider(ctx, olivia);
  await provider.create('User', { userName: 'warm@example.com' });
  const userNames = addresses(41);
  const before = ctx.db.statementCount;
  const results = await createAll(
    provider,
    userNames.map((userName) => ({ userName })),
  );
  // The first alone, the others together.
  expect(ctx.db.statementCount - before).toBeLessThan(80);
  const made = results.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  expect(made.map(({ userName }) => userName)).toEqual(userNames);
  expect(await Promise.all(made.map(({ id }) => provider.get('User', id)))).toEqual(made);
});

test('doubled, refused and inactive users do not change the answers of the others', async () => {
  const provider = await newProvider(ctx, olivia);
  const gone = await provider.create('User', { userName: 'gone@example.com' });
  await provider.remove('User', gone.id);
  const results = await createAll(provider, [
    ...[{ userName: 'ann@example.com' }, { userName: 'ben@example.com' }, { userName: 'BEN@example.com' }],
    ...[{ userName: 'other', emails: [{ value: 'ann@example.com' }] }, { userName: 'no address' }, {}],
    ...[{ userName: 'x@mailinator.com' }, { userName: 'cem@example.com', active: false }, { userName: olivia.email }],
    ...[{ userName: 'gone@example.com', displayName: 'Back' }, { userName: 'dan@example.com' }],
  ]);
  expect(statusesOf(results)).toEqual([201, 201, 409, 409, 400, 400, 400, 201, 409, 201, 201]);
  const bodies = results.map((each) => (each.status === 'fulfilled' ? each.value : null));
  expect(bodies[7]).toMatchObject({ userName: 'cem@example.com', active: false });
  expect(bodies[9]).toMatchObject({ id: gone.id, displayName: 'Back', active: true });
  expect((await provider.list('User', { filter: 'userName ew "@example.com"' })).total).toBe(6);
  const { logs } = await verifyAuditLog(ctx, { subdomain: olivia.subdomain });
  expect(logs).toEqual([expect.not.objectContaining({ fault: expect.anything() })]);
});

test('users made together have the same events, entries and keys as users made one by one', async () => {
  const carol = await newOrganization(ctx);
  const userNames = addresses(6);
  const [together, apart] = [await newProvider(ctx, olivia), await newProvider(ctx, carol)];
  const results = await createAll(
    together,
    userNames.map((userName) => ({ userName })),
  );
  const ids = results.map((each) => (each.status === 'fulfilled' ? Number(each.value.id) : 0));
  const others: number[] = [];
  for (const userName of userNames) others.push(Number((await apart.create('User', { userName })).id));
  const events = await eventsOf(olivia, ids);
  expect(events).toEqual(await eventsOf(carol, others));
  expect(events[5]).toEqual(expect.arrayContaining(['user.created', 'notice.announced', 'person.joined']));
  const entries = await auditOf(olivia);
  expect(entries).toHaveLength(6);
  expect(entries).toEqual(await auditOf(carol));
  const keys = 'select user_id as id from api_key where user_id = any($1) order by 1';
  expect(await ctx.db.query(keys, [ids])).toEqual(ids.map((id) => ({ id })));
});

test('where names are unique, namesakes made together get numbers', async () => {
  await storeRealmSettings(ctx.db, olivia.realmId, { require_unique_names: true });
  const provider = await newProvider(ctx, olivia);
  const results = await createAll(
    provider,
    addresses(5).map((userName) => ({ userName, displayName: 'Ann Bell' })),
  );
  const names = results.map((each) => (each.status === 'fulfilled' ? each.value['displayName'] : each.reason));
  expect(names).toEqual(['Ann Bell', ...[2, 3, 4, 5].map((n) => `Ann Bell ${n}`)]);
});

test('with a token that is not valid all are refused, and nobody is made', async () => {
  const provider = await newProvider(ctx, olivia);
  await ctx.db.query('update scim_token set revoked_at = now() where realm_id = $1', [olivia.realmId]);
  const results = await createAll(
    provider,
    addresses(4).map((userName) => ({ userName })),
  );
  expect(statusesOf(results)).toEqual([401, 401, 401, 401]);
});
