import { createRequire } from 'node:module';
import type { Manifest, Tree } from './manifest';

const load = createRequire(__filename);

/** The packages of what Kubernetes itself does not have. */
const SOURCES: Readonly<Record<string, string>> = {
  'cert-manager.io': '@kubernetes-models/cert-manager',
  'monitoring.coreos.com': '@kubernetes-models/prometheus-operator',
  'gateway.networking.k8s.io': '@kubernetes-models/gateway-api',
  'traefik.io': '@kubernetes-models/traefik',
};

interface Model {
  prototype: { validate(): void };
}

/** A manifest's faults by the Kubernetes schemas: invalid, missing and unknown fields. */
export function schemaFaults(manifest: Manifest): string[] {
  const model = modelOf(manifest);
  if (!model) return [`there is no ${manifest.kind} in ${manifest.apiVersion}`];
  const unread: (() => string[])[] = [];
  try {
    // The validator reads every field of the schema and no other: an unread field is misspelt. Some models find their schema by their
    // prototype, which the tree has.
    const tree = watched(manifest, '', unread);
    Object.setPrototypeOf(tree, model.prototype);
    (tree as Model['prototype']).validate();
  } catch (error) {
    return [(error as Error).message];
  }
  return unread.flatMap((list) => list()).map((field) => `${field} does not exist`);
}

function modelOf({ apiVersion, kind }: Manifest): Model | undefined {
  const [group] = apiVersion.split('/') as [string];
  const source = SOURCES[group] ?? 'kubernetes-models';
  const models = load(`${source}/${apiVersion}`) as Readonly<Record<string, Model>>;
  return models[kind];
}

/** The same tree, which notes what is read of it. */
function watched(tree: Tree, path: string, unread: (() => string[])[]): Tree {
  const read = new Set<string>();
  const copy: Tree = Array.isArray(tree) ? [] : {};
  for (const [field, value] of Object.entries(tree)) {
    copy[field] = typeof value === 'object' && value !== null ? watched(value, `${path}/${field}`, unread) : value;
  }
  const fields = Object.keys(tree);
  unread.push(() => fields.filter((field) => !read.has(field)).map((field) => `${path}/${field}`));
  return new Proxy(copy, {
    get(target, field) {
      read.add(String(field));
      return Reflect.get(target, field);
    },
  });
}
