import { type Endpoint, endpoints } from '@parley/gateway/endpoints';
import type { RawRequest } from '../../src/network/test-client';
import { COSTLIEST_INPUTS, NOT_CALLED } from './costliest-inputs';
import type { CostlyInput } from './costly-input';
import { genericInputs } from './generic-inputs';
import { createLargeWorld, type LargeWorld } from './large-world';

/**
 * Longest CPU time of one turn of the event loop. CPU time, not wall time: while other processes run, a turn lasts longer through no fault
 * of its own.
 */
const MAX_HELD_MS = 50;
/** The best of some attempts counts: work blocks the loop each time, compilation or garbage collection only sometimes. */
const MAX_ATTEMPTS = 10;

let world: LargeWorld;
beforeAll(async () => {
  world = await createLargeWorld();
}, 240_000);
afterAll(() => world?.network.stop());

type Asked = Pick<CostlyInput, 'request' | 'before' | 'after' | 'loads' | 'by'>;

/** Sends the request; neither it nor its consequences may hold an event loop. */
async function expectOthersHaveTheirTurn({ request, before, after, loads, by = 'iris' }: Asked): Promise<void> {
  const { network } = world;
  const seen: string[] = [];
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const name = String.fromCharCode(97 + attempt);
    if (loads && attempt > 0) await network.startAfresh(loads);
    await before?.(world, name);
    let status = 0;
    const held = await network.heldBy(async () => {
      ({ status } = await network[by].callRaw(request(world, name)));
      await after?.(world);
    });
    // A request without an answer delays no other.
    expect(status).toBeLessThan(500);
    const [service, heldMs] = Object.entries(held).reduce((most, each) => (each[1] > most[1] ? each : most));
    if (heldMs <= MAX_HELD_MS) return;
    seen.push(`${service} ${Math.round(heldMs)} ms`);
  }
  throw new Error(`Others had to wait: ${seen.join(', ')}`);
}

describe('the event loop is not blocked by', () => {
  const inputs = COSTLIEST_INPUTS.map(
    (each) => [`${each.endpoint.method} ${each.endpoint.path}: ${each.title}`, each] as const,
  );

  test.each(inputs)('%s', (_name, input) => expectOthersHaveTheirTurn(input));

  const called = endpoints.filter(({ method, path }) => !NOT_CALLED.has(`${method} ${path}`));

  test.each(called.map((each) => [`${each.method} ${each.path}`, each] as const))(
    '%s, with as much as a request may bring',
    async (_name, each) => {
      for (const form of genericInputs(each))
        await expectOthersHaveTheirTurn({ request: () => largeRequest(each, form) });
    },
  );
});

function largeRequest({ method, path }: Endpoint, form: Record<string, string>): RawRequest {
  return { method, path: `/api/v1${path.replaceAll(/\{[^}]*\}/g, '1')}`, form };
}
