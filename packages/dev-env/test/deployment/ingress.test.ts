import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { UPLOAD_LIMITS_MIB } from '@parley/shared/values';
import { parse, parseAllDocuments } from 'yaml';
import { type Manifest, nameOf, type Tree } from './manifest';
import { productionWith, writeOverlayWith } from './overlays';
import { schemaFaults } from './schema-faults';

const ROOT = path.resolve(__dirname, '../../../..');
const COMPONENTS = ['ingress-nginx', 'ingress-traefik', 'gateway-api'] as const;
/** The size of a file with the form around it. */
const BODY_MIB = UPLOAD_LIMITS_MIB.file + 1;
const HOSTS = ['chat.example.com', '*.chat.example.com'];

const find = (manifests: Manifest[], kind: string, name = 'gateway') =>
  manifests.find((each) => nameOf(each) === `${kind} ${name}`) as Manifest;

test.each(COMPONENTS)('production with %s is valid by the schemas', (component) => {
  const faults = productionWith(component).flatMap((each) =>
    schemaFaults(each).map((fault) => `${nameOf(each)}: ${fault}`),
  );
  expect(faults).toEqual([]);
});

const hasKubectl = spawnSync('kubectl', ['version', '--client']).status === 0;
(hasKubectl ? test.each(COMPONENTS) : test.skip.each(COMPONENTS))(
  'kubectl makes the same objects with %s',
  (component) => {
    const ours = productionWith(component);
    const folder = writeOverlayWith(component);
    const text = execFileSync('kubectl', ['kustomize', folder]).toString();
    rmSync(folder, { recursive: true });
    const theirs = parseAllDocuments(text).map((document) => document.toJS() as Manifest);
    // Names of ConfigMaps are hashed once more, of what is the same.
    const names = (manifests: Manifest[]) =>
      manifests
        .filter(({ kind }) => kind !== 'ConfigMap')
        .map(nameOf)
        .sort();
    expect(names(ours)).toEqual(names(theirs));
    for (const kind of ['Ingress', 'Gateway', 'HTTPRoute', 'ServersTransport', 'Service']) {
      expect(find(ours, kind)).toEqual(find(theirs, kind));
    }
  },
);

test('nginx takes files of the largest size, and waits longer than a client listens', () => {
  const { metadata, spec } = find(productionWith('ingress-nginx'), 'Ingress') as Tree;
  const settings = Object.fromEntries(
    Object.entries(metadata.annotations as Tree).map(([name, value]) => [name.split('/')[1], value]),
  );
  expect(settings).toEqual({
    'proxy-body-size': `${BODY_MIB}m`,
    'proxy-request-buffering': 'off',
    'proxy-read-timeout': '120',
    'proxy-send-timeout': '120',
  });
  expect(spec.ingressClassName).toBe('nginx');
});

test('Traefik waits longer than a client listens', () => {
  const manifests = productionWith('ingress-traefik');
  const { namespace, name } = find(manifests, 'ServersTransport').metadata;
  const { annotations } = find(manifests, 'Service').metadata as Tree;
  expect(annotations['traefik.ingress.kubernetes.io/service.serverstransport']).toBe(
    `${namespace}-${name}@kubernetescrd`,
  );
  expect(find(manifests, 'Ingress')['spec'].ingressClassName).toBe('traefik');
});

test('the Gateway API takes the place of the Ingress, for the same hosts', () => {
  const manifests = productionWith('gateway-api');
  expect(find(manifests, 'Ingress')).toBeUndefined();
  const route = find(manifests, 'HTTPRoute')['spec'];
  expect(route.hostnames).toEqual(HOSTS);
  expect(find(manifests, 'Gateway')['spec'].listeners.map(({ hostname }: Tree) => hostname)).toEqual(HOSTS);
  expect(Number.parseInt(route.rules[0].timeouts.request, 10)).toBeGreaterThan(120);
  const { port } = find(manifests, 'Service')['spec'].ports[0];
  expect(route.rules[0].backendRefs).toEqual([{ name: 'gateway', port }]);
});

describe('compose with TLS', () => {
  const text = readFileSync(path.join(ROOT, 'docker-compose.tls.yml'), 'utf8');
  const { gateway, proxy } = (parse(text, { customTags: [{ tag: '!reset', collection: 'seq' }] }) as Tree)['services'];

  test('makes the gateway trust the proxy, which cannot be bypassed', () => {
    expect(gateway.environment.TRUSTED_PROXIES).toBe('1');
    expect(text).toContain('ports: !reset []');
    expect(proxy.ports).toEqual(['80:80', '443:443']);
    expect(proxy.image).toMatch(/:\d/);
  });

  test('takes files of the largest size, and waits longer than a client listens', () => {
    const settings = readFileSync(path.join(ROOT, 'docs/nginx.conf'), 'utf8');
    expect(settings).toContain(`client_max_body_size ${BODY_MIB}m;`);
    expect(settings).toContain('proxy_read_timeout 120s;');
    expect(settings).toContain('proxy_set_header X-Forwarded-For $remote_addr;');
  });
});
