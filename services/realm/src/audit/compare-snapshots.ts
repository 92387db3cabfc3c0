import { Slices } from '@parley/shared/batch';
import type { Effect } from './append-entries';
import type { Snapshot, SubjectKind } from './snapshot.sql';

const NOTHING: ReadonlyMap<string, unknown> = new Map();

/** What has become of each subject, as far as it is not what it was. */
export async function compareSnapshots(kind: SubjectKind, before: Snapshot, after: Snapshot): Promise<Effect[]> {
  // A group has a field for each member. The transaction in which this is done has a deadline of its own.
  const slices = new Slices(Number.POSITIVE_INFINITY);
  const ids = [...new Set([...before.keys(), ...after.keys()])].sort((a, b) => a - b);
  const effects: Effect[] = [];
  for (const id of ids) {
    const former = before.get(id) ?? NOTHING;
    const present = after.get(id) ?? NOTHING;
    const names: string[] = [];
    for (const name of new Set([...former.keys(), ...present.keys()])) {
      await slices.pause();
      if (!isSame(former.get(name), present.get(name))) names.push(name);
    }
    if (names.length === 0) continue;
    effects.push({ subject: { kind, id }, before: only(former, names), after: only(present, names) });
  }
  return effects;
}

function isSame(former: unknown, present: unknown): boolean {
  return former === present || JSON.stringify(former) === JSON.stringify(present);
}

function only(fields: ReadonlyMap<string, unknown>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.filter((name) => fields.has(name)).map((name) => [name, fields.get(name)]));
}
