import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { isWorkload, type Labels, type Manifest, nameOf, type Tree } from './manifest';
import { strategicMerge } from './strategic-merge';

type Transform = (manifests: Manifest[], value: never, directory: string) => Manifest[];

/** The supported fields, in the order of their application. A kustomization with others is refused. */
const FIELDS: Readonly<Record<string, Transform>> = {
  resources: (manifests, paths: string[], directory) => [
    ...manifests,
    ...paths.flatMap((name) => readResource(path.join(directory, name))),
  ],
  components: (manifests, paths: string[], directory) =>
    paths.reduce((all, name) => accumulate(path.join(directory, name), 'Component', all), manifests),
  configMapGenerator: (manifests, generators: Generator[], directory) =>
    generators.reduce((all, generator) => generate(all, generator, directory), manifests),
  patches: (manifests, patches: Patch[], directory) =>
    patches.reduce((all, patch) => applyPatch(all, patch, directory), manifests),
  namespace: (manifests, namespace: string) =>
    manifests.map((manifest) =>
      manifest.kind === 'Namespace' ? manifest : { ...manifest, metadata: { ...manifest.metadata, namespace } },
    ),
  labels: (manifests, labels: LabelRule[]) => labels.reduce(label, manifests),
  replicas: (manifests, counts: { name: string; count: number }[]) =>
    counts.reduce((all, { name, count }) => all.map((each) => scaled(each, name, count)), manifests),
  images: (manifests, images: Image[]) => manifests.map((each) => (isWorkload(each) ? renamed(each, images) : each)),
};

interface Generator {
  name: string;
  behavior?: 'merge';
  envs?: string[];
  files?: string[];
}

interface Patch {
  path: string;
  target?: { kind: string; labelSelector?: string };
}

interface LabelRule {
  pairs: Labels;
  includeTemplates: boolean;
}

interface Image {
  name: string;
  newName?: string;
  newTag: string;
}

/** The manifests that `kubectl apply -k` would send; the part of kustomize that the folder k8s uses. */
export function renderKustomization(directory: string): Manifest[] {
  const manifests = accumulate(directory, 'Kustomization');
  const configMaps = manifests.filter(({ kind }) => kind === 'ConfigMap');
  const names = new Map(configMaps.map((each) => [each.metadata.name, `${each.metadata.name}-${hashOf(each)}`]));
  return manifests.map((each) =>
    each.kind === 'ConfigMap'
      ? { ...each, metadata: { ...each.metadata, name: names.get(each.metadata.name) as string } }
      : (withConfigMapNames(each, names) as Manifest),
  );
}

/** A component, unlike a kustomization, changes the objects collected so far. */
function accumulate(directory: string, expected: string, before: Manifest[] = []): Manifest[] {
  const { apiVersion, kind, ...fields } = parse(
    readFileSync(path.join(directory, 'kustomization.yaml'), 'utf8'),
  ) as Tree;
  const unknown = Object.keys(fields).filter((field) => !(field in FIELDS));
  if (kind !== expected || unknown.length > 0) throw new Error(`${directory}: ${kind} ${unknown} ${apiVersion}`);
  return Object.entries(FIELDS).reduce<Manifest[]>(
    (manifests, [field, transform]) =>
      field in fields ? transform(manifests, fields[field] as never, directory) : manifests,
    before,
  );
}

function readResource(name: string): Manifest[] {
  return statSync(name).isDirectory() ? accumulate(name, 'Kustomization') : readDocuments(name);
}

function readDocuments(file: string): Manifest[] {
  return parseAllDocuments(readFileSync(file, 'utf8')).map((document) => {
    if (document.errors.length > 0) throw new Error(`${file}: ${document.errors[0]?.message}`);
    return document.toJS() as Manifest;
  });
}

function generate(manifests: Manifest[], { name, behavior, envs = [], files = [] }: Generator, directory: string) {
  const read = (file: string) => readFileSync(path.join(directory, file), 'utf8');
  const lines = envs.flatMap((file) => read(file).split('\n')).filter((line) => line !== '');
  const settings = lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]);
  const data = Object.fromEntries([...settings, ...files.map((file) => [file, read(file)])]);
  if (behavior !== 'merge') {
    return [...manifests, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data }];
  }
  return manifests.map((each) =>
    nameOf(each) === `ConfigMap ${name}` ? { ...each, data: { ...each['data'], ...data } } : each,
  );
}

function applyPatch(manifests: Manifest[], { path: file, target }: Patch, directory: string): Manifest[] {
  return readDocuments(path.join(directory, file)).reduce((all, { apiVersion, kind, metadata, ...patch }) => {
    const { name, ...otherMetadata } = metadata;
    const isMeant = (each: Manifest) =>
      target ? each.kind === target.kind && hasLabel(each, target.labelSelector) : nameOf(each) === `${kind} ${name}`;
    if (!all.some(isMeant)) throw new Error(`${file} is for ${kind} ${name} of ${apiVersion}, which does not exist`);
    if (patch['$patch'] === 'delete') return all.filter((each) => !isMeant(each));
    return all.map((each) =>
      isMeant(each) ? (strategicMerge(each, { ...patch, metadata: otherMetadata }) as Manifest) : each,
    );
  }, manifests);
}

function hasLabel({ metadata }: Manifest, selector: string | undefined): boolean {
  if (selector === undefined) return true;
  const [key, value] = selector.split('=') as [string, string | undefined];
  const label = metadata.labels?.[key];
  return value === undefined ? label !== undefined : label === value;
}

function label(manifests: Manifest[], { pairs, includeTemplates }: LabelRule): Manifest[] {
  const metadata = { labels: pairs };
  return manifests.map((each) => {
    const labelled = strategicMerge(each, { metadata }) as Manifest;
    return includeTemplates && isWorkload(each) ? labelTemplates(labelled, metadata) : labelled;
  });
}

function labelTemplates(manifest: Manifest, metadata: Tree): Manifest {
  const claims = manifest['spec'].volumeClaimTemplates as Tree[] | undefined;
  const labelled = claims && { volumeClaimTemplates: claims.map((claim) => strategicMerge(claim, { metadata })) };
  return strategicMerge(manifest, { spec: { template: { metadata }, ...labelled } }) as Manifest;
}

function scaled(manifest: Manifest, name: string, replicas: number): Manifest {
  const isMeant = isWorkload(manifest) && manifest.metadata.name === name;
  return isMeant ? { ...manifest, spec: { ...manifest['spec'], replicas } } : manifest;
}

function renamed(manifest: Manifest, images: Image[]): Manifest {
  const containers = manifest['spec'].template.spec.containers.map(({ name, image }: Tree) => {
    const rule = images.find((each) => each.name === image);
    return { name, image: rule ? `${rule.newName ?? image}:${rule.newTag}` : image };
  });
  return strategicMerge(manifest, { spec: { template: { spec: { containers } } } }) as Manifest;
}

/** The suffix that gives every content its own name, so that a change of settings rolls the pods. */
function hashOf({ kind, data }: Manifest): string {
  const sorted = Object.fromEntries(Object.entries(data as Tree).sort(([a], [b]) => (a < b ? -1 : 1)));
  // Go writes these characters so; the rest of JSON is the same.
  const json = JSON.stringify({ data: sorted, kind, name: '' }).replace(
    /[<>&]/g,
    (character) => `\\u00${character.charCodeAt(0).toString(16)}`,
  );
  const digits = createHash('sha256').update(json).digest('hex').slice(0, 10);
  return digits.replace(/[013ae]/g, (digit) => ({ 0: 'g', 1: 'h', 3: 'k', a: 'm', e: 't' })[digit] as string);
}

function withConfigMapNames(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((element) => withConfigMapNames(element, names));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([field, inner]) =>
      field === 'configMapRef' || field === 'configMap'
        ? [field, { ...inner, name: names.get(inner.name) ?? inner.name }]
        : [field, withConfigMapNames(inner, names)],
    ),
  );
}
