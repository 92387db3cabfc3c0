import type { Presence } from '@parley/shared/proto';
import { SeededRandom } from '@parley/shared/values';
import { presenceMember } from '../wire/presence';
import { KnownPresences } from './known-presences';

const NO_DEADLINE = Number.MAX_SAFE_INTEGER;
const listOf = (presences: Presence[], lastUpdateId: number) => ({ presences, lastUpdateId, listedAtMs: 0 });

test('whatever changes, and whenever answers come, the text is the one of all that was told', async () => {
  const random = new SeededRandom(1);
  const stored = new Map<number, { presence: Presence; updateId: number }>();
  const known = new KnownPresences('1');
  let updateId = 0;
  const late: Parameters<KnownPresences['add']>[0][] = [];
  for (let round = 0; round < 400; round += 1) {
    updateId += 1;
    const userId = random.below(400);
    const connectedAtMs = 1_000_000 * (1 + random.below(50));
    const presence = {
      userId,
      activeAtMs: connectedAtMs - 1_000 * random.below(9),
      connectedAtMs,
      email: `"${userId}"@x`,
    };
    stored.set(userId, { presence, updateId });
    const changed = [...stored.values()].filter((each) => each.updateId > known.lastUpdateId);
    const list = listOf(
      changed.map((each) => each.presence),
      updateId,
    );
    if (random.happens(0.3)) late.push(list);
    else await known.add(list, NO_DEADLINE);
    if (late.length > 0 && random.happens(0.2)) await known.add(late.shift() as typeof list, NO_DEADLINE);
    if (known.lastUpdateId < updateId) continue;
    const sinceMs = 1_000_000 * random.below(51);
    const shown = [...stored.values()].flatMap((each) =>
      each.presence.connectedAtMs >= sinceMs ? [each.presence] : [],
    );
    for (const isSlim of [true, false]) {
      const members = shown.map((presence) => presenceMember(presence, isSlim));
      expect((await known.write(sinceMs, isSlim, NO_DEADLINE)).parse()).toEqual(JSON.parse(`{${members}}`));
    }
  }
  expect(known.size).toBe(stored.size);
});

test('nobody is an empty object', async () => {
  const known = new KnownPresences('1');
  await known.add(listOf([], -1), NO_DEADLINE);
  expect((await known.write(0, true, NO_DEADLINE)).parse()).toEqual({});
  expect(known.lastUpdateId).toBe(-1);
});
