import type { Tree } from './manifest';

/** The lists whose elements Kubernetes merges, each with its key; every other list is replaced. */
const MERGE_KEYS: Readonly<Record<string, string>> = {
  containers: 'name',
  env: 'name',
  volumes: 'name',
  volumeMounts: 'mountPath',
  topologySpreadConstraints: 'topologyKey',
};

/** A new object: the target with the patch laid over it, as Kubernetes' strategic merge does it; null takes a field away. */
export function strategicMerge(target: Tree, patch: Tree): Tree {
  const merged = { ...target };
  for (const [field, value] of Object.entries(patch)) {
    if (value === null) delete merged[field];
    else merged[field] = mergeField(field, target[field], value);
  }
  return merged;
}

function mergeField(field: string, current: unknown, value: unknown): unknown {
  if (Array.isArray(value)) return mergeList(mergeKeyOf(field, value), (current ?? []) as Tree[], value);
  if (typeof value === 'object') return strategicMerge((current ?? {}) as Tree, value as Tree);
  return value;
}

/** Ports have a number as key in a container, and none in a network policy. */
function mergeKeyOf(field: string, list: Tree[]): string | undefined {
  return field === 'ports' && list[0]?.['containerPort'] !== undefined ? 'containerPort' : MERGE_KEYS[field];
}

function mergeList(key: string | undefined, current: Tree[], list: Tree[]): Tree[] {
  if (key === undefined) return list;
  const merged = [...current];
  for (const element of list) {
    const index = merged.findIndex((other) => other[key] === element[key]);
    if (index < 0) merged.push(strategicMerge({}, element));
    else merged[index] = strategicMerge(merged[index] as Tree, element);
  }
  return merged;
}
