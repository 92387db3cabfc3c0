import { untilWaitingOrEnded } from '@parley/shared/testing';
import { contextOfTests, ownerOfEachTest } from '../../test/each-test';
import { holdRealm, lockRealm } from './realms.sql';

const ctx = contextOfTests();
const olivia = ownerOfEachTest(ctx);

test('transactions that hold the organization let one pass that waits to lock it', async () => {
  const { realmId } = olivia;
  const order: string[] = [];
  const hold = () => ctx.db.transaction((tx) => holdRealm(tx, realmId)).then(() => order.push('held'));
  const lock = () => ctx.db.transaction((tx) => lockRealm(tx, realmId)).then(() => order.push('locked'));
  const waiting = await ctx.db.transaction(async (tx) => {
    await holdRealm(tx, realmId);
    await hold();
    const locking = lock();
    await untilWaitingOrEnded(ctx.db, locking, 1);
    const holding = hold();
    await untilWaitingOrEnded(ctx.db, holding, 2);
    order.push('ended');
    return [locking, holding];
  });
  await Promise.all(waiting);
  expect(order).toEqual(['held', 'ended', 'locked', 'held']);
});
