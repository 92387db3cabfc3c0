import { announce } from '@parley/shared/bus';
import { openDatabase, type Transaction } from '@parley/shared/db';
import { onboardingStepCompleted } from '@parley/shared/events';
import { openPrisma, prismaTransaction } from '@parley/shared/prisma';
import { PrismaClient } from '../src/generated/prisma/client';
import { contextOfTests, ownerOfEachTest } from './each-test';

const ctx = contextOfTests();
const olivia = ownerOfEachTest(ctx);

const row = (name: string) => ({
  realmId: olivia.realmId,
  name,
  pygmentsLanguage: 'Rust',
  urlTemplate: 'https://play',
});
const namesIn = async (sql: Pick<Transaction, 'query'>) =>
  (
    await sql.query<{ name: string }>('select name from playground where realm_id = $1 order by id', [olivia.realmId])
  ).map(({ name }) => name);

test('SQL and Prisma see what the other has written in the transaction, and others see all of it or nothing', async () => {
  await prismaTransaction(ctx.db, ctx.prisma, async (tx, prisma) => {
    const { id } = await prisma.playground.create({ data: row('first') });
    await tx.query('update playground set name = $2 where id = $1', [id, 'renamed']);
    expect(await prisma.playground.findFirst({ where: { id } })).toMatchObject({ name: 'renamed' });
    expect(await namesIn(ctx.db)).toEqual([]);
    expect(await ctx.prisma.playground.count({ where: { realmId: olivia.realmId } })).toBe(0);
  });
  expect(await namesIn(ctx.db)).toEqual(['renamed']);
});

test('an error of the work comes back as it is, and nothing is stored or announced', async () => {
  const refusal = new Error('no');
  const failing = prismaTransaction(ctx.db, ctx.prisma, async (tx, prisma) => {
    await prisma.playground.create({ data: row('never') });
    await announce(tx, onboardingStepCompleted(olivia.realmId, { userId: olivia.userId, completed: [] }));
    throw refusal;
  });
  await expect(failing).rejects.toBe(refusal);
  expect(await namesIn(ctx.db)).toEqual([]);
  expect(
    await ctx.db.query('select 1 from outbox where realm_id = $1 and kind like $2', [olivia.realmId, 'onboarding%']),
  ).toEqual([]);
});

test('transactions at once, and reads beside them, do not share connections', async () => {
  const names = Array.from({ length: 10 }, (_, index) => `name ${index}`);
  const seen = await Promise.all(
    names.map((name) =>
      prismaTransaction(ctx.db, ctx.prisma, async (tx, prisma) => {
        const { id } = await prisma.playground.create({ data: row(name) });
        // In the same turn as the others: Prisma batches look-ups of one turn.
        const found = await prisma.playground.findUnique({ where: { realmId_id: { realmId: olivia.realmId, id } } });
        return found?.name === name && (await namesIn(tx)).includes(name);
      }),
    ),
  );
  expect(seen).toEqual(names.map(() => true));
});

test('a separate read within the work does not join the transaction', async () => {
  await prismaTransaction(ctx.db, ctx.prisma, async (_tx, prisma) => {
    await prisma.playground.create({ data: row('outer') });
    await prismaTransaction(ctx.db, ctx.prisma, async (inner) => expect(await namesIn(inner)).toEqual([]));
  });
});

test('ids are numbers, as large as a number can be exactly', async () => {
  const { realmId } = olivia;
  const id = Number.MAX_SAFE_INTEGER;
  await ctx.db.query(
    `insert into playground (realm_id, id, name, pygments_language, url_template) overriding system value
     values ($1, $2, 'far', 'Rust', 'https://play')`,
    [realmId, id],
  );
  expect(await ctx.prisma.playground.findMany({ where: { realmId, id } })).toEqual([{ ...row('far'), id }]);
  expect(await ctx.prisma.playground.deleteMany({ where: { id: { in: [id] } } })).toEqual({ count: 1 });
});

test('times are the same for SQL and for Prisma, in any time zone of the server', async () => {
  const [database] = await ctx.db.query<{ name: string }>('select current_database() as name');
  await ctx.db.query(`alter database "${database?.name}" set timezone to 'Asia/Kathmandu'`);
  const db = openDatabase({ url: ctx.db.url, poolSize: 2, applicationName: 'test' });
  const prisma = openPrisma(db, (adapter) => new PrismaClient({ adapter }));
  const key = { realmId: olivia.realmId, userId: olivia.userId, name: 'times' };
  const completedAt = new Date('2024-07-01T12:34:56.789Z');
  await prisma.onboardingStep.createMany({ data: [{ ...key, completedAt }] });
  expect(await db.query(`select completed_at as "completedAt" from onboarding_step where name = 'times'`)).toEqual([
    { completedAt: completedAt.getTime() },
  ]);
  expect(await prisma.onboardingStep.findMany({ where: key, select: { completedAt: true } })).toEqual([
    { completedAt },
  ]);
  await prisma.$disconnect();
  await db.close();
});

test('statements are prepared once, but those that differ with the number of values', async () => {
  const { realmId } = olivia;
  const texts = await prismaTransaction(ctx.db, ctx.prisma, async (tx, prisma) => {
    for (const name of ['one', 'two']) await prisma.playground.findMany({ where: { realmId, name } });
    await prisma.playground.findMany({ where: { realmId, name: { in: ['one', 'two'] } } });
    await prisma.playground.createMany({ data: [row('one'), row('two')] });
    return tx.query<{ text: string }>(
      `select statement as text from pg_prepared_statements where statement like '%"playground"%' and from_sql is false`,
    );
  });
  expect(texts.filter(({ text }) => text.includes('"name" = $'))).toHaveLength(1);
  expect(texts.filter(({ text }) => / IN |VALUES \(\$1,.*\), /.test(text))).toEqual([]);
});

test('statements of Prisma count like others', async () => {
  const before = ctx.db.statementCount;
  await ctx.prisma.playground.count({ where: { realmId: olivia.realmId } });
  expect(ctx.db.statementCount - before).toBe(1);
});
