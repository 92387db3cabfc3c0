import type { TestNetwork } from '../../src';

/** Statements of all services together for a request of a client that they know, transaction control included; for budgets. */
export async function warmStatementsOf(network: TestNetwork, request: () => Promise<unknown>): Promise<number> {
  for (let round = 0; round < 2; round += 1) await request();
  await network.settle();
  const before = network.statementCount();
  await request();
  return network.statementCount() - before;
}
