import { untilWaitingOrEnded } from '@parley/shared/testing';
import type { TestContext } from './examples';

/** Runs a change while the transaction of the deed has done its work and is not committed yet. The change may wait for it. */
export async function changeMeanwhile(
  ctx: TestContext,
  change: () => Promise<unknown>,
  deed: (slow: TestContext) => Promise<unknown>,
): Promise<void> {
  const { done, isMade, open } = holding(ctx, deed);
  await isMade;
  const changing = change();
  await untilWaitingOrEnded(ctx.db, changing, 1);
  open();
  await Promise.all([done, changing]);
}

/** Runs a deed in a transaction that commits when its gate is opened. */
function holding(ctx: TestContext, deed: (slow: TestContext) => Promise<unknown>) {
  const [gate, made] = [createSignal(), createSignal()];
  const transaction: TestContext['db']['transaction'] = (work) =>
    ctx.db.transaction(async (tx) => {
      const result = await work(tx);
      made.raise();
      await gate.raised;
      return result;
    });
  const done = deed({ ...ctx, db: Object.create(ctx.db, { transaction: { value: transaction } }) });
  return { done, isMade: made.raised, open: gate.raise };
}

function createSignal() {
  let raise = () => {};
  const raised = new Promise<void>((resolve) => {
    raise = resolve;
  });
  return { raised, raise };
}
