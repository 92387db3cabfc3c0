import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parse, stringify } from 'yaml';
import { isWorkload, type Manifest, type Tree } from './manifest';
import { renderKustomization } from './render-kustomization';
import type { ServiceName } from './service-settings';

export const OVERLAYS = ['dev', 'production'] as const;

const FOLDER = path.resolve(__dirname, '../../../../k8s/overlays');

const rendered = Object.fromEntries(
  OVERLAYS.map((overlay) => [overlay, renderKustomization(path.join(FOLDER, overlay))]),
);
/** The production overlay with another component. */
export function productionWith(component: string): Manifest[] {
  const folder = writeOverlayWith(component);
  try {
    return renderKustomization(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A copy of the overlay in a folder that the caller deletes, as an operator would have it. */
export function writeOverlayWith(component: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'overlay-'));
  cpSync(path.join(FOLDER, 'production'), folder, { recursive: true });
  const file = path.join(folder, 'kustomization.yaml');
  const k8s = path.relative(folder, path.resolve(FOLDER, '..'));
  const kustomization = parse(readFileSync(file, 'utf8').replaceAll('../..', k8s)) as { components: string[] };
  kustomization.components.push(`${k8s}/components/${component}`);
  writeFileSync(file, stringify(kustomization));
  return folder;
}

export const inOverlay = (overlay: string) => rendered[overlay] as Manifest[];

export const podOf = (manifest: Manifest): Tree => manifest['spec'].template.spec;
export const workloads = (overlay: string) => inOverlay(overlay).filter(isWorkload);
export const ofKind = (overlay: string, kind: string) => inOverlay(overlay).filter((each) => each.kind === kind);
export const named = (overlay: string, kind: string, name: string) =>
  ofKind(overlay, kind).find(({ metadata }) => metadata.name === name) as Manifest;
export const deploymentOf = (overlay: string, name: string) => named(overlay, 'Deployment', name);
export const serviceContainerOf = (overlay: string, service: ServiceName): Tree =>
  podOf(deploymentOf(overlay, service))['containers'][0];

/** The environment of a service's process. */
export const environmentIn = (overlay: string, service: ServiceName): Record<string, string> =>
  environmentOf(overlay, serviceContainerOf(overlay, service));

/** The environment of a container's process; secrets outside the repository have a likely value. */
export function environmentOf(overlay: string, { envFrom, env = [] }: Tree): Record<string, string> {
  const settings = envFrom.map(({ configMapRef }: Tree) => named(overlay, 'ConfigMap', configMapRef.name));
  const [secret] = ofKind(overlay, 'Secret');
  const likely: Tree = {
    DATABASE_URL: 'postgresql://parley@db/parley',
    NATS_URL: 'nats://parley:hush@nats:4222',
    SMTP_URL: 'smtp://mail',
  };
  const valueUnder = (key: string) => (secret ? secret['stringData'][key] : (likely[key] ?? 's'.repeat(64)));
  const own = (env as Tree[]).map(({ name, valueFrom: { secretKeyRef } }) => [
    name,
    secretKeyRef.optional && !secret && !(secretKeyRef.key in likely) ? undefined : valueUnder(secretKeyRef.key),
  ]);
  const given = own.filter(([, value]) => value !== undefined);
  return Object.assign({}, ...settings.map((each: Manifest) => each['data']), Object.fromEntries(given));
}
