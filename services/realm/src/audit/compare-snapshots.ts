import type { Effect } from './append-entries';
import type { Snapshot, SubjectKind } from './snapshot.sql';

const NOTHING: ReadonlyMap<string, unknown> = new Map();

/** What has become of each subject, as far as it is not what it was. */
export function compareSnapshots(kind: SubjectKind, before: Snapshot, after: Snapshot): Effect[] {
  const ids = [...new Set([...before.keys(), ...after.keys()])].sort((a, b) => a - b);
  return ids.flatMap((id) => {
    const former = before.get(id) ?? NOTHING;
    const present = after.get(id) ?? NOTHING;
    const names = [...new Set([...former.keys(), ...present.keys()])].filter(
      (name) => JSON.stringify(former.get(name)) !== JSON.stringify(present.get(name)),
    );
    if (names.length === 0) return [];
    return [{ subject: { kind, id }, before: only(former, names), after: only(present, names) }];
  });
}

function only(fields: ReadonlyMap<string, unknown>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.filter((name) => fields.has(name)).map((name) => [name, fields.get(name)]));
}
