import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { MIN_MAX_PAYLOAD, tryNats } from '@parley/shared/bus';
import type { TlsFiles } from '@parley/shared/rpc';
import { loadMigrationConfig, tlsFilesOf } from '@parley/shared/service';
import { parseAllDocuments } from 'yaml';
import { MEMORY_SETTINGS } from '../../src/start/service-process';
import { runBroker } from './broker';
import { readCompose } from './compose';
import { baseImage, readStages, type Stage } from './dockerfile';
import { type Manifest, nameOf, selects, type Tree } from './manifest';
import { mayReach } from './may-reach';
import {
  deploymentOf,
  environmentIn,
  environmentOf,
  inOverlay,
  named,
  OVERLAYS,
  ofKind,
  podOf,
  serviceContainerOf,
  workloads,
} from './overlays';
import { schemaFaults } from './schema-faults';
import { allSettings, refusal, SERVICES, type ServiceName, secretsOf, settingsOf } from './service-settings';

const ROOT = path.resolve(__dirname, '../../../..');
const DOCKERFILE = path.join(ROOT, 'Dockerfile');
const INNER = SERVICES.filter((service) => service !== 'gateway');
/** Services with a database. */
const OWNING = SERVICES.filter((service) => 'DATABASE_URL' in settingsOf(service));
const METRICS_PORT = 9464;
/** Longest time that a service takes to finish pending work. */
const STOP_SECS = 20;

const stages = readStages(DOCKERFILE);
const stageOf = (service: string) => stages.get(service) as Stage;
const compose = readCompose(path.join(ROOT, 'docker-compose.yml'));

const perService = (names: readonly ServiceName[]) => OVERLAYS.flatMap((o) => names.map((name) => [o, name] as const));

test('the services are the same everywhere', () => {
  const folders = readdirSync(path.join(ROOT, 'services')).sort();
  const targets = [...stages.values()].filter(({ command }) => command).map(({ name }) => name);
  const composed = Object.entries(compose).filter(([, { build, profiles }]) => build && !profiles);
  expect([...SERVICES].sort()).toEqual(folders);
  expect(targets.sort()).toEqual(folders);
  expect(composed.map(([name]) => name).sort()).toEqual(folders);
  for (const [name, { build, image }] of composed) expect([build.target, image]).toEqual([name, `parley/${name}:dev`]);
  for (const overlay of OVERLAYS) {
    const deployed = ofKind(overlay, 'Deployment').filter(({ metadata }) => metadata.labels?.['parley/serves']);
    expect(deployed.map(({ metadata }) => metadata.name).sort()).toEqual(folders);
  }
});

describe('an image', () => {
  test('is made on Node 24, with production dependencies only', () => {
    expect(baseImage(DOCKERFILE)).toMatch(/^node:24\b/);
    expect(stageOf('installed').runs.join()).toContain('--omit=dev');
  });

  test.each(SERVICES)('of %s runs its service as an unprivileged user, with a health check', (service) => {
    const { user, command, healthCheck, copies, volumes, environment } = stageOf(service);
    expect(user).toMatch(/^[1-9]\d*:[1-9]\d*$/);
    expect(command).toEqual(['node', `services/${service}/dist/main.js`]);
    expect(healthCheck).toContain('"packages/shared/check-health.mjs"');
    expect(copies).toEqual([`installed:/installed/${service}`, `built:/built/${service}`]);
    expect(volumes).toEqual([environment['DATA_DIR']]);
    expect(stageOf('installed').runs.join()).toContain(service);
  });

  test.each(SERVICES)('of %s uses memory as in the benches', (service) => {
    expect(stageOf(service).environment).toMatchObject(MEMORY_SETTINGS);
  });

  test.each(SERVICES)('of %s serves where it says', (service) => {
    const { environment, ports } = stageOf(service);
    const { PORT, BIND, LISTEN } = environment;
    expect(service === 'gateway' ? `${BIND}:${PORT}` : LISTEN).toBe(`0.0.0.0:${ports[0]}`);
    expect(ports).toHaveLength(1);
  });
});

/** Settings of the image and of whatever runs it, as far as the service has them. */
function expectToStart(service: ServiceName, given: Record<string, string>): void {
  expect(refusal(service, { ...stageOf(service).environment, ...given })).toBeUndefined();
  expect(secretsOf(service).filter((name) => !given[name])).toEqual([]);
}

/** host:port → whether it is that of a service, on the port of its image. */
function expectAddressesOfServices(given: Record<string, string>): void {
  for (const [name, address] of Object.entries(given).filter(([name]) => name.endsWith('_ADDRESS'))) {
    const service = name.replace('_ADDRESS', '').toLowerCase();
    expect([name, address]).toEqual([name, `${service}:${stageOf(service).ports[0]}`]);
  }
}

describe('docker-compose.yml', () => {
  test.each(SERVICES)('sets all required settings of %s, and no unknown ones', (service) => {
    const given = compose[service]?.environment ?? {};
    expectToStart(service, given);
    expectAddressesOfServices(given);
    expect(Object.keys(given).filter((name) => !allSettings().has(name))).toEqual([]);
  });

  test.each(SERVICES)('passes on from .env what %s can be set to, but what the containers fix', (service) => {
    const fixed = /^(LISTEN|HEALTH_LISTEN|PORT|BIND|DATA_DIR|VALIDATE_RESULTS|(DATABASE|NATS)_PREFIX|NATS_REPLICAS)$/;
    const ofOwnServers = /^(TLS_|NATS_).*_FILE$|^MIGRAT/;
    const settable = Object.keys(settingsOf(service)).filter((name) => !fixed.test(name) && !ofOwnServers.test(name));
    const given = compose[service]?.environment ?? {};
    expect(settable.filter((name) => !Object.hasOwn(given, name))).toEqual([]);
    const text = readFileSync(path.join(ROOT, 'docker-compose.yml'), 'utf8');
    const written = settable.filter((name) => !text.includes(`\${${name}:-`));
    expect(
      written.filter((name) => !/^(METRICS_LISTEN|NATS_URL|DATABASE_URL|\w+_ADDRESS|\w+_SECRET)$/.test(name)),
    ).toEqual([]);
  });

  test('gives the operator’s command the files that the gateway has', () => {
    const bucketOf = (name: string) =>
      Object.entries(compose[name]?.environment ?? {}).filter(([setting]) => setting.startsWith('S3_'));
    expect(bucketOf('operator')).toEqual(bucketOf('gateway'));
    expect(compose['operator']?.environment).toHaveProperty('AUDIT_STREAM_AUTHORIZATION', '');
  });

  test.each(SERVICES)('gives %s nothing to write to but its data, and a chance to finish', (service) => {
    const { read_only, cap_drop, stop_grace_period } = compose[service] as Tree;
    expect({ read_only, cap_drop }).toEqual({ read_only: true, cap_drop: ['ALL'] });
    expect(Number.parseInt(stop_grace_period, 10)).toBeGreaterThanOrEqual(STOP_SECS);
  });

  test('lets only the gateway and the mail catcher be reached, from this machine', () => {
    const published = Object.entries(compose).flatMap(([name, { ports = [] }]) =>
      ports.map((port: string) => [name, port]),
    );
    expect(published).toEqual([
      ['gateway', `127.0.0.1:9991:${stageOf('gateway').ports[0]}`],
      ['mail', '127.0.0.1:8025:8025'],
    ]);
  });

  test('makes the gateway trust no proxy by default', () => {
    expect(compose['gateway']?.environment?.['TRUSTED_PROXIES']).toBe('');
  });

  test('starts dependencies first, and has volumes for persistent data', () => {
    const names = Object.keys(compose);
    const waitedFor = Object.values(compose).flatMap(({ depends_on = {} }) => Object.keys(depends_on));
    expect(waitedFor.filter((name) => !names.includes(name))).toEqual([]);
    expect(waitedFor.filter((name) => !compose[name]?.['healthcheck'] && !compose[name]?.['build'])).toEqual([]);
    expect(['postgres', 'nats', 'gateway'].filter((name) => !compose[name]?.['volumes'])).toEqual([]);
  });
});

describe.each(OVERLAYS)('k8s/overlays/%s', (overlay) => {
  test('is valid by the Kubernetes schemas', () => {
    const faults = inOverlay(overlay).flatMap((each) => schemaFaults(each).map((fault) => `${nameOf(each)}: ${fault}`));
    expect(faults).toEqual([]);
    const names = inOverlay(overlay).map(nameOf);
    expect(new Set(names).size).toBe(names.length);
  });

  test('lies in one namespace, which forbids privileges', () => {
    const [namespace] = ofKind(overlay, 'Namespace') as [Manifest];
    const others = inOverlay(overlay).filter((each) => each !== namespace);
    expect(others.filter(({ metadata }) => metadata.namespace !== namespace.metadata.name).map(nameOf)).toEqual([]);
    expect(namespace.metadata.labels).toMatchObject({ 'pod-security.kubernetes.io/enforce': 'restricted' });
  });

  test('refers to existing objects only', () => {
    const pods = workloads(overlay).map((each) => each['spec'].template);
    for (const { metadata, spec } of ofKind(overlay, 'Service')) {
      const [pod] = pods.filter((each) => selects({ matchLabels: spec.selector }, each.metadata.labels)) as [Tree];
      const ports = pod['spec'].containers.flatMap((container: Tree) => container['ports']);
      const open = ports.map((port: Tree) => port['name']);
      expect([metadata.name, open]).toEqual([
        metadata.name,
        expect.arrayContaining(spec.ports.map((p: Tree) => p['targetPort'])),
      ]);
    }
    for (const each of ofKind(overlay, 'PodDisruptionBudget').concat(ofKind(overlay, 'NetworkPolicy'))) {
      const selector = each['spec'].selector ?? each['spec'].podSelector;
      const isSelecting = pods.some((pod) => selects(selector, pod.metadata.labels));
      expect([nameOf(each), isSelecting]).toEqual([nameOf(each), true]);
    }
    for (const each of ofKind(overlay, 'HorizontalPodAutoscaler')) {
      expect(deploymentOf(overlay, each['spec'].scaleTargetRef.name)).toBeDefined();
      expect(each['spec'].minReplicas).toBeLessThanOrEqual(each['spec'].maxReplicas);
    }
    const configMaps = ofKind(overlay, 'ConfigMap').map(({ metadata }) => metadata.name);
    const mentioned = JSON.stringify(workloads(overlay)).matchAll(/"configMap(?:Ref)?":\{"name":"([^"]+)"/g);
    expect([...mentioned].filter(([, name]) => !configMaps.includes(name as string))).toEqual([]);
  });

  test('gives no container a privilege, or anything to write to but a volume', () => {
    for (const each of workloads(overlay)) {
      const { securityContext, containers, automountServiceAccountToken } = podOf(each);
      expect(securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
      expect([nameOf(each), automountServiceAccountToken]).toEqual([nameOf(each), false]);
      for (const container of containers) {
        expect(container.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
        expect(container.resources).toMatchObject({
          requests: { cpu: expect.anything() },
          limits: { memory: expect.anything() },
        });
      }
    }
  });

  test('lets only the gateway be reached, and only services reach NATS and PostgreSQL', () => {
    const manifests = inOverlay(overlay);
    const names = workloads(overlay).map(({ metadata }) => metadata.name);
    const callersOf = (name: string, port: number) =>
      names.filter((from) => mayReach(manifests, from, name, port)).sort();
    const open = names.filter((name) => mayReach(manifests, null, name, stages.get(name)?.ports[0] ?? 4222));
    expect(open).toEqual(['gateway']);
    expect([null, ...names].filter((from) => mayReach(manifests, from, 'gateway', 2424))).toEqual([]);
    for (const service of INNER) expect(callersOf(service, 50051)).toEqual([...SERVICES, 'operator'].sort());
    expect(
      names.filter((name) => mayReach(manifests, 'operator', name, 5432) || mayReach(manifests, name, 'operator', 443)),
    ).toEqual([]);
    expect(callersOf('nats', 4222)).toEqual([...SERVICES].sort());
    expect(callersOf('nats', 8222)).toEqual([]);
    if (names.includes('postgres')) {
      const migrations = OWNING.map((service) => `${service}-migration`);
      expect(callersOf('postgres', 5432)).toEqual([...OWNING, ...migrations].sort());
    }
  });

  test('has the gateway believe as many proxies as are in front of it, and no private network', () => {
    const isBehindIngress = ofKind(overlay, 'Ingress').length > 0;
    expect(environmentIn(overlay, 'gateway')['TRUSTED_PROXIES']).toBe(isBehindIngress ? '1' : undefined);
  });

  test.each(SERVICES)('exposes the metrics of %s to Prometheus’ namespace only', (service) => {
    const { annotations } = deploymentOf(overlay, service)['spec'].template.metadata;
    expect(annotations).toMatchObject({ 'prometheus.io/scrape': 'true', 'prometheus.io/port': `${METRICS_PORT}` });
    expect(environmentIn(overlay, service)['METRICS_LISTEN']).toBe(`0.0.0.0:${METRICS_PORT}`);
    const peers = [null, ...workloads(overlay).map(({ metadata }) => metadata.name)];
    expect(peers.filter((peer) => mayReach(inOverlay(overlay), peer, service, METRICS_PORT))).toEqual([]);
    const opening = ofKind(overlay, 'NetworkPolicy').filter((each) => JSON.stringify(each).includes(`${METRICS_PORT}`));
    expect(opening.flatMap(({ spec }) => spec.ingress.flatMap((rule: Tree) => rule['from']))).toEqual([
      { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } } },
    ]);
  });

  test.each(SERVICES)('sets all required settings of %s, and no unknown ones', (service) => {
    const given = environmentIn(overlay, service);
    expectToStart(service, given);
    expectAddressesOfServices(given);
    expect(Object.keys(given).filter((name) => !allSettings().has(name))).toEqual([]);
    const secrets = (serviceContainerOf(overlay, service)['env'] ?? []).map(({ name }: Tree) => name);
    expect(secrets.filter((name: string) => !(name in settingsOf(service)))).toEqual([]);
  });
});

test.each(perService(SERVICES))(
  'in %s, %s is asked how it is where it serves, and finishes before it is killed',
  (overlay, service) => {
    const { containers, terminationGracePeriodSeconds } = podOf(deploymentOf(overlay, service));
    const [{ ports, lifecycle, startupProbe, livenessProbe, readinessProbe, volumeMounts }] = containers;
    const { HEALTH_LISTEN } = environmentIn(overlay, service);
    const [served] = stageOf(service).ports;
    const port = HEALTH_LISTEN === undefined ? served : Number(HEALTH_LISTEN.split(':')[1]);
    const open = ports.map(({ name, containerPort }: Tree) => [name, containerPort]);
    expect(open).toContainEqual([service === 'gateway' ? 'http' : 'grpc', served]);
    expect(open).toContainEqual(['metrics', METRICS_PORT]);
    const asks = [startupProbe, livenessProbe, readinessProbe].map((probe) => probe.grpc?.port ?? probe.httpGet.path);
    expect(asks).toEqual(
      service === 'gateway' ? ['/health/live', '/health/live', '/health/ready'] : [port, port, port],
    );
    expect(lifecycle.preStop.sleep.seconds + STOP_SECS).toBeLessThanOrEqual(terminationGracePeriodSeconds);
    const writable = volumeMounts.filter(({ readOnly }: Tree) => !readOnly);
    expect(writable).toEqual([{ name: 'data', mountPath: stageOf(service).environment['DATA_DIR'] }]);
  },
);

test.each(perService(INNER))('in %s, the name of %s stands for every replica', (overlay, service) => {
  const found = ofKind(overlay, 'Service').find(({ metadata }) => metadata.name === service) as Manifest;
  expect(found['spec']).toMatchObject({ clusterIP: 'None', ports: [{ port: stageOf(service).ports[0] }] });
});

test.each(perService(SERVICES))(
  'in %s, %s grows and shrinks, spreads, and is never away altogether',
  (overlay, name) => {
    const autoscaler = named(overlay, 'HorizontalPodAutoscaler', name)['spec'];
    expect(autoscaler.scaleTargetRef).toEqual({ apiVersion: 'apps/v1', kind: 'Deployment', name });
    expect(autoscaler.minReplicas).toBeGreaterThanOrEqual(overlay === 'production' ? 3 : 1);
    expect(autoscaler.metrics).toHaveLength(1);
    // A number here would undo what the autoscaler has done, at every rollout.
    if (overlay === 'production') expect(deploymentOf(overlay, name)['spec'].replicas).toBeUndefined();
    expect(named(overlay, 'PodDisruptionBudget', name)['spec'].maxUnavailable).toBe(1);
    const spread = podOf(deploymentOf(overlay, name))['topologySpreadConstraints'];
    expect(spread.map(({ topologyKey }: Tree) => topologyKey)).toEqual([
      'topology.kubernetes.io/zone',
      'kubernetes.io/hostname',
    ]);
  },
);

describe.each(perService(OWNING))('in %s, the database of %s', (overlay, service) => {
  const job = named(overlay, 'Job', `${service}-migration`);

  test('is migrated by a Job of the image that needs it, without access from outside', () => {
    const [{ image, command }] = podOf(job)['containers'];
    expect(image).toBe(serviceContainerOf(overlay, service)['image']);
    expect(command).toEqual(['node', `services/${service}/dist/migrate.js`]);
    expect(existsSync(path.join(ROOT, `services/${service}/src/migrate.ts`))).toBe(true);
    const { labels } = job['spec'].template.metadata;
    expect(ofKind(overlay, 'Service').filter(({ spec }) => selects({ matchLabels: spec.selector }, labels))).toEqual(
      [],
    );
  });

  test('is waited for by the service, for as long as the Job may take', () => {
    expect(environmentIn(overlay, service)['MIGRATE_ON_START']).toBe('false');
    const { periodSeconds, failureThreshold } = serviceContainerOf(overlay, service)['startupProbe'];
    expect(periodSeconds * failureThreshold).toBeGreaterThanOrEqual(job['spec'].activeDeadlineSeconds);
    expect(deploymentOf(overlay, service)['spec'].progressDeadlineSeconds).toBeGreaterThan(
      job['spec'].activeDeadlineSeconds,
    );
  });

  test('may be changed by another user than the service’s', () => {
    const [container] = podOf(job)['containers'] as [Tree];
    expect(loadMigrationConfig(environmentOf(overlay, container)).DATABASE_URL).toMatch(/^postgresql:/);
    const own = container['env'].find(({ name }: Tree) => name === 'MIGRATION_DATABASE_URL');
    expect(own.valueFrom.secretKeyRef).toEqual({ name: 'parley', key: 'MIGRATION_DATABASE_URL', optional: true });
    const names = ((serviceContainerOf(overlay, service)['env'] ?? []) as Tree[]).map(({ name }) => name);
    expect(names).not.toContain('MIGRATION_DATABASE_URL');
  });
});

describe('in production, between services,', () => {
  test.each(SERVICES)('%s shows a certificate of its name, from where its settings say', (service) => {
    const certificate = named('production', 'Certificate', service)['spec'];
    expect(certificate.dnsNames).toEqual([service]);
    expect(certificate.usages).toEqual(expect.arrayContaining(['server auth', 'client auth']));
    const { volumes } = podOf(deploymentOf('production', service));
    const { name } = volumes.find(({ secret }: Tree) => secret?.secretName === certificate.secretName);
    const { mountPath } = serviceContainerOf('production', service)['volumeMounts'].find(
      (mount: Tree) => mount['name'] === name,
    );
    const { certFile, keyFile, caFile } = tlsFilesOf(environmentIn('production', service)) as TlsFiles;
    expect([certFile, keyFile, caFile]).toEqual(
      ['tls.crt', 'tls.key', 'ca.crt'].map((file) => path.join(mountPath, file)),
    );
  });

  test('one authority has signed all certificates, and keeps its key', () => {
    const issuers = SERVICES.map((service) => named('production', 'Certificate', service)['spec'].issuerRef.name);
    const [issuer] = new Set(issuers);
    expect(new Set(issuers).size).toBe(1);
    const { secretName } = named('production', 'Issuer', issuer)['spec'].ca;
    const authorities = ofKind('production', 'Certificate').filter(({ spec }) => spec.isCA);
    expect(authorities.map(({ spec }) => [spec.secretName, spec.privateKey.rotationPolicy])).toEqual([
      [secretName, 'Never'],
    ]);
    const [{ spec: authority }] = authorities as [Manifest];
    expect(named('production', 'Issuer', authority.issuerRef.name)['spec']).toEqual({ selfSigned: {} });
  });

  test.each(INNER)('%s serves its health without a certificate, to the kubelet only', (service) => {
    const port = Number(environmentIn('production', service)['HEALTH_LISTEN']?.split(':')[1]);
    const peers = [null, ...workloads('production').map(({ metadata }) => metadata.name)];
    expect(port).not.toBe(stageOf(service).ports[0]);
    expect(peers.filter((peer) => mayReach(inOverlay('production'), peer, service, port))).toEqual([]);
  });
});

/** Compose puts variables into it, unless a second $ stands before them. */
function brokerSettingsOf(where: 'dev' | 'production' | 'compose'): string {
  if (where !== 'compose')
    return ofKind(where, 'ConfigMap').find(({ data }) => data['nats.conf'])?.['data']['nats.conf'];
  const [composed] = parseAllDocuments(readFileSync(path.join(ROOT, 'docker-compose.yml'), 'utf8'));
  return composed?.toJS().configs.nats.content.replaceAll('$$', '$');
}

describe.each(['dev', 'production', 'compose'] as const)('the broker of %s', (where) => {
  test('takes records as large as they may be', () => {
    const [, size] = /^max_payload: (\d+)MB$/m.exec(brokerSettingsOf(where)) as string[];
    expect(Number(size) * 1024 ** 2).toBe(MIN_MAX_PAYLOAD);
  });

  // Possible output of `openssl rand -hex 32`: unquoted it would be a number.
  test.each(['0123456789', '12e5', 'parley'])(
    'lets in whoever has the password %s, and nobody else',
    async (password) => {
      const broker = await runBroker(brokerSettingsOf(where), `"${password}"`);
      try {
        await tryNats({ url: `nats://parley:${password}@${broker.address}` });
        await expect(tryNats({ url: `nats://${broker.address}` })).rejects.toThrow(
          'NATS refuses whoever names no user',
        );
      } finally {
        await broker.stop();
      }
    },
  );
});

test('the password of the broker is that of the address that services are given', () => {
  const { env } = podOf(named('dev', 'StatefulSet', 'nats'))['containers'][0];
  expect(env.find(({ name }: Tree) => name === 'NATS_PASSWORD').value).toBe('"$(SECRET_PASSWORD)"');
  const { NATS_URL, NATS_PASSWORD } = named('dev', 'Secret', 'parley')['stringData'];
  expect(NATS_URL).toBe(`nats://parley:${NATS_PASSWORD}@nats:4222`);
  const secret = 's'.repeat(64);
  expect(compose['gateway']?.environment?.['NATS_URL']).toBe(`nats://parley:${secret}@nats:4222`);
  expect(compose['nats']?.environment?.['NATS_PASSWORD']).toBe(`"${secret}"`);
});

test('in production a broker hands its clients to the others before it is killed', () => {
  const { containers, terminationGracePeriodSeconds } = podOf(named('production', 'StatefulSet', 'nats'));
  const [{ lifecycle, volumeMounts }] = containers;
  const settings = ofKind('production', 'ConfigMap').find(({ data }) => data['nats.conf'])?.['data']['nats.conf'];
  const [, pidFile] = /^pid_file: (\S+)$/m.exec(settings) as string[];
  expect(lifecycle.preStop.exec.command).toEqual(['nats-server', '--signal', `ldm=${pidFile}`]);
  expect(volumeMounts.map(({ mountPath }: Tree) => mountPath)).toContain(path.dirname(pidFile as string));
  const seconds = [...settings.matchAll(/^lame_duck_\w+: (\d+)s$/gm)].map(([, number]) => Number(number));
  expect(seconds).toHaveLength(2);
  expect(seconds.reduce((sum, each) => sum + each)).toBeLessThan(terminationGracePeriodSeconds);
});

test('in production no file lies on a single pod', () => {
  const { S3_BUCKET, S3_ACCESS_KEY_ID } = environmentIn('production', 'gateway');
  expect([S3_BUCKET, S3_ACCESS_KEY_ID]).not.toContain(undefined);
});

test('every image has a version, and is not pulled again', () => {
  const containers = OVERLAYS.flatMap((overlay) => workloads(overlay).flatMap((each) => podOf(each)['containers']));
  const images = [...containers, ...Object.values(compose)].map(({ image }: Tree) => image as string);
  expect(images.length).toBeGreaterThan(30);
  expect(images.filter((image) => !/:(?!latest)[\w.-]+$/.test(image))).toEqual([]);
  expect(containers.filter(({ imagePullPolicy }) => imagePullPolicy !== undefined)).toEqual([]);
});

test.each(OVERLAYS)('in %s pods may ask any name server of the cluster, and nothing else', (overlay) => {
  const { egress } = named(overlay, 'NetworkPolicy', 'all-resolve-names')['spec'];
  const asked = (egress as Tree[]).map(({ to, ports }) => [
    to.map(({ namespaceSelector, ipBlock }: Tree) => ipBlock?.cidr ?? Object.values(namespaceSelector.matchLabels)[0]),
    ports.map(({ port, protocol }: Tree) => `${protocol} ${port}`),
  ]);
  expect(asked).toEqual([
    [
      ['kube-system', '169.254.20.10/32'],
      ['UDP 53', 'TCP 53'],
    ],
    [['openshift-dns'], ['UDP 5353', 'TCP 5353']],
  ]);
});

test.each(OVERLAYS)('in %s former ConfigMaps are distinguishable from those in use', (overlay) => {
  const maps = ofKind(overlay, 'ConfigMap');
  expect(maps.filter(({ metadata }) => metadata.labels?.['app.kubernetes.io/part-of'] !== 'parley')).toEqual([]);
  expect(maps.map(({ metadata }) => metadata.name)).toEqual(maps.map(() => expect.stringMatching(/-[a-z0-9]{10}$/)));
  const manual = readFileSync(path.join(ROOT, 'docs/upgrade.md'), 'utf8');
  expect(manual).toContain('--prune --selector app.kubernetes.io/part-of=parley --prune-allowlist core/v1/ConfigMap');
});

const hasKubectl = spawnSync('kubectl', ['version', '--client']).status === 0;

(hasKubectl ? test.each(OVERLAYS) : test.skip.each(OVERLAYS))('kubectl renders %s alike', (overlay) => {
  const text = execFileSync('kubectl', ['kustomize', path.join(ROOT, 'k8s/overlays', overlay)]).toString();
  const theirs = parseAllDocuments(text).map((document) => document.toJS() as Manifest);
  expect(byName(inOverlay(overlay))).toEqual(byName(theirs));
});

/** Lists are compared without their order: kubectl puts what a patch adds first. */
function byName(manifests: Manifest[]): Tree {
  return Object.fromEntries(manifests.map((each) => [nameOf(each), withoutOrder(each)]));
}

function withoutOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => JSON.stringify(withoutOrder(each))).sort();
  if (typeof value !== 'object' || value === null) return value;
  const sorted = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted.map(([key, inner]) => [key, withoutOrder(inner)]));
}

test('docs/configure.md lists every setting, who has it and its default', () => {
  const text = readFileSync(path.join(ROOT, 'docs/configure.md'), 'utf8');
  const rows = [...text.matchAll(/^\| `([A-Z0-9_]+)` \| ([^|]*) \| ([^|]*) \|/gm)].map(([, name, services, standard]) =>
    [name, services, standard].join(' | '),
  );
  const expected = [...allSettings()].map(([name, { services, defaultText, isRequired }]) => {
    const who = services.length === SERVICES.length ? 'all' : services.join(', ');
    return [name, who, isRequired ? 'must be set' : defaultText && `\`${defaultText}\``].join(' | ');
  });
  expect(rows.sort()).toEqual(expected.sort());
});
