import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { CHART, findHelm, lint, renderChart } from './helm';
import { type Manifest, nameOf, type Tree } from './manifest';
import { inOverlay, ofKind, productionWith } from './overlays';
import { schemaFaults } from './schema-faults';

const EXAMPLES = readdirSync(path.join(CHART, 'examples'));
const VALUES = [[], ...EXAMPLES.map((file) => ['--values', path.join(CHART, 'examples', file)])];
const templates = readdirSync(path.join(CHART, 'templates'))
  .map((file) => readFileSync(path.join(CHART, 'templates', file), 'utf8'))
  .join('\n');

const helm = findHelm() as string;
if (!helm) process.stdout.write('there is no helm: the chart is not rendered (HELM, or TEST_INSTALL_HELM=1)\n');
const withHelm = helm ? describe : describe.skip;

/** Labels that name the owner of an object or follow settings: Helm has its own. */
const OWN_LABELS = ['app.kubernetes.io/part-of', 'app.kubernetes.io/managed-by', 'helm.sh/chart'];

/** By kind and name: as it is in both, if it is the same. */
function comparable(manifests: Manifest[]): Tree {
  const others = manifests.filter(({ kind }) => kind !== 'Namespace');
  return Object.fromEntries(others.map((each) => [plainName(nameOf(each)), withoutOrigin(each)]));
}

/** Without what a generated name ends with, or the number of a revision. */
const plainName = (name: string) =>
  name.replace(/^(ConfigMap \w+)-[a-z0-9]{10}$/, '$1').replace(/^(Job .*-migration)-\d+$/, '$1');

function withoutOrigin({ metadata, ...rest }: Manifest): unknown {
  const { labels = {}, annotations } = metadata as Tree;
  const kept = Object.entries(labels as Tree).filter(([label]) => !OWN_LABELS.includes(label));
  return normal({ ...rest, metadata: { labels: Object.fromEntries(kept), ...(annotations && { annotations }) } });
}

/** Lists without their order; ConfigMaps by their plain names; no checksums; a file without the space around its lines. */
function normal(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => JSON.stringify(normal(each))).sort();
  if (typeof value === 'string') return value.trim();
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([field]) => field !== 'checksum/settings');
  const named = entries.map(([field, inner]) =>
    field === 'configMapRef' || field === 'configMap'
      ? [field, { ...inner, name: plainName(`ConfigMap ${inner.name}`).replace('ConfigMap ', '') }]
      : [field, normal(inner)],
  );
  const filled = named.filter(([field, inner]) => field !== 'annotations' || Object.keys(inner as Tree).length > 0);
  return Object.fromEntries(filled.sort(([a], [b]) => ((a as string) < (b as string) ? -1 : 1)));
}

test('the chart knows all that the production overlay has', () => {
  const names = ofKind('production', 'NetworkPolicy').map(({ metadata }) => metadata.name);
  expect(names.filter((name) => !templates.includes(`name: ${name}\n`))).toEqual([]);
  const deployed = ofKind('production', 'Deployment').map(({ metadata }) => metadata.name);
  const services = deployed.filter((name) => name !== 'operator');
  expect(templates).toContain('name: operator\n');
  const values = parse(readFileSync(path.join(CHART, 'values.yaml'), 'utf8')) as Tree;
  expect(Object.keys(values['services']).sort()).toEqual(services.sort());
  const settings = ofKind('production', 'ConfigMap').flatMap(({ data }) => Object.keys(data));
  const isKnown = (name: string) => templates.includes(name) || name.endsWith('_ADDRESS');
  expect(settings.filter((name) => !isKnown(name))).toEqual([]);
});

test('alerts and dashboard are those of k8s/monitoring', () => {
  const monitoring = path.join(CHART, '../monitoring');
  for (const file of readdirSync(path.join(CHART, 'files'))) {
    expect(readFileSync(path.join(CHART, 'files', file), 'utf8')).toBe(
      readFileSync(path.join(monitoring, file), 'utf8'),
    );
  }
});

withHelm('the Helm chart', () => {
  test('makes the audit stream of the component', () => {
    const setting = 'auditStream.enabled=true,auditStream.to=https://siem.example.com/parley';
    const stream = (manifests: Manifest[]) =>
      comparable(manifests.filter((each) => JSON.stringify(each).includes('audit-stream')));
    expect(stream(renderChart(helm, ['--set', setting]))).toEqual(stream(productionWith('audit-stream')));
    expect(() => renderChart(helm, ['--set', 'auditStream.enabled=true'])).toThrow('auditStream.to must say');
    expect(() => renderChart(helm, ['--set', 'auditStream.to=http://siem.example.com'])).toThrow('auditStream');
  });

  test('renders the same as the production overlay', () => {
    expect(comparable(renderChart(helm))).toEqual(comparable(inOverlay('production')));
  });

  test.each(VALUES.map((values) => [values.at(-1) ?? 'its own', values] as const))(
    'is right with values %s',
    (_name, values) => {
      expect(lint(helm, values)).toMatchObject({ isFine: true });
      const manifests = renderChart(helm, values);
      const faults = manifests
        .filter(hasSchema)
        .flatMap((each) => schemaFaults(each).map((fault) => `${nameOf(each)}: ${fault}`));
      expect(faults).toEqual([]);
      expect(new Set(manifests.map(nameOf)).size).toBe(manifests.length);
      // A peer or a port that is missing opens the policy to everybody.
      const open = manifests
        .filter(({ kind }) => kind === 'NetworkPolicy')
        .filter((each) => JSON.stringify(each).includes('null'));
      expect(open.map(nameOf)).toEqual([]);
      const images = JSON.stringify(manifests).matchAll(/"image":"([^"]+)"/g);
      expect(
        [...images].map(([, image]) => image).filter((image) => !/:(?!latest)[\w.-]+$/.test(image as string)),
      ).toEqual([]);
    },
  );

  test.each([
    ['a host with a path', 'externalHost=chat.example.com/parley', 'externalHost'],
    ['a value that there is not', 'replicas=3', 'replicas'],
    ['a secret among the settings', 'settings.BOT_KEY_SECRET=x', 'BOT_KEY_SECRET'],
    ['an image without a version', 'image.tag=latest', 'tag'],
    ['two NATS servers', 'nats.replicas=2', 'nats'],
    ['a NATS of nowhere', 'nats.enabled=false', 'nats.url'],
    ['a store without a name', 'externalSecret.enabled=true', 'externalSecret'],
    ['a database of nowhere', 'postgresql.cidrs=null', 'postgresql'],
  ])('refuses %s', (_what, setting, said) => {
    expect(() => renderChart(helm, ['--set', setting])).toThrow(said);
  });

  test('gives Prometheus’ operator the alerts as they are', () => {
    const all = renderChart(helm, [
      '--set',
      'monitoring.prometheusRule.enabled=true,monitoring.podMonitor.enabled=true',
    ]);
    const rule = all.find(({ kind }) => kind === 'PrometheusRule') as Manifest;
    expect(rule['spec']).toEqual(parse(readFileSync(path.join(CHART, '../monitoring/alerts.yaml'), 'utf8')));
    const monitor = all.find(({ kind }) => kind === 'PodMonitor') as Manifest;
    expect(JSON.stringify(monitor['spec'])).toContain('"targetLabel":"job","replacement":"parley"');
  });

  test('has external secrets made under the name that services go by', () => {
    const all = renderChart(helm, [
      '--set',
      'externalSecret.enabled=true,externalSecret.storeRef.name=vault,secretName=chat',
    ]);
    const made = all.find(({ kind }) => kind === 'ExternalSecret') as Manifest;
    expect(made['spec']).toMatchObject({
      target: { name: 'chat' },
      secretStoreRef: { name: 'vault', kind: 'ClusterSecretStore' },
    });
    const asked = [...JSON.stringify(all).matchAll(/"secretKeyRef":\{"name":"([^"]+)"/g)].map(([, name]) => name);
    expect([...new Set(asked)]).toEqual(['chat']);
  });

  test('replaces pods whose settings change, and no others', () => {
    const podsOf = (setting: string) =>
      Object.fromEntries(
        renderChart(helm, ['--set', setting])
          .filter(({ kind }) => kind === 'Deployment' || kind === 'StatefulSet')
          .map((each) => [each.metadata.name, JSON.stringify(each['spec'].template)]),
      );
    const before = podsOf('mailFrom=noreply@a.example');
    const changed = (setting: string) => {
      const after = podsOf(`mailFrom=noreply@a.example,${setting}`);
      return Object.keys(after).filter((name) => after[name] !== before[name]);
    };
    expect(changed('settings.LOG_LEVEL=debug').sort()).toEqual(
      Object.keys(before)
        .filter((name) => name !== 'nats')
        .sort(),
    );
    expect(changed('nats.maxFileStore=20GB')).toEqual(['nats']);
    expect(changed('services.realm.tag=0.2.0')).toEqual(['realm']);
  });
});

/** There is no schema of it here. */
const hasSchema = ({ kind }: Manifest) => kind !== 'ExternalSecret';
