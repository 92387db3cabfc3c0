import { announce } from '@parley/shared/bus';
import type { Transaction } from '@parley/shared/db';
import { onboardingStepCompleted } from '@parley/shared/events';
import { prismaTransaction } from '@parley/shared/prisma';
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
        // In the same turn as the others': Prisma joins look-ups of one turn.
        const found = await prisma.playground.findUnique({ where: { realmId_id: { realmId: olivia.realmId, id } } });
        return found?.name === name && (await namesIn(tx)).includes(name);
      }),
    ),
  );
  expect(seen).toEqual(names.map(() => true));
});

test('a read of its own within the work does not join the transaction', async () => {
  await prismaTransaction(ctx.db, ctx.prisma, async (_tx, prisma) => {
    await prisma.playground.create({ data: row('outer') });
    await prismaTransaction(ctx.db, ctx.prisma, async (inner) => expect(await namesIn(inner)).toEqual([]));
  });
});
