import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import type { Manifest, Tree } from './manifest';
import { renderKustomization } from './render-kustomization';

const ROOT = path.resolve(__dirname, '../../../..');
/** On a server of its usual size, with some left for its administrators. */
const MAX_CONNECTIONS = 400;
/** Connections of a replica beside those of its pool: for publishing, listening, migrating. */
const BESIDE_THE_POOL = 3;
const POOL = 10;

const production = renderKustomization(path.join(ROOT, 'k8s/overlays/production'));
const autoscalers = production.filter(({ kind }) => kind === 'HorizontalPodAutoscaler');
const metricsOf = ({ spec }: Manifest): Tree[] => spec.metrics;
const namesOf = (type: 'pods' | 'external') =>
  autoscalers.flatMap(metricsOf).flatMap((each) => (each[type] ? [each[type].metric.name as string] : []));

/** `parley_due_jobs{job="parley"}` → its name */
const seriesIn = (rules: Tree[]) => rules.map(({ seriesQuery }) => seriesQuery.split('{')[0]);

describe('in production', () => {
  test('every service has its own signal', () => {
    const signals = autoscalers.map((each) => [
      each.metadata.name,
      metricsOf(each)
        .map(({ type }) => type)
        .join(),
    ]);
    expect(Object.fromEntries(signals)).toEqual({
      gateway: 'Resource',
      messages: 'Resource',
      realm: 'Resource',
      invites: 'Resource',
      events: 'Pods',
      scheduler: 'External',
    });
  });

  test('the manifests leave out fields set by an autoscaler', () => {
    const names = autoscalers.map(({ spec }) => spec.scaleTargetRef.name);
    const deployments = production.filter(
      ({ kind, metadata }) => kind === 'Deployment' && names.includes(metadata.name),
    );
    expect(deployments).toHaveLength(names.length);
    expect(deployments.filter(({ spec }) => 'replicas' in spec)).toEqual([]);
  });

  test('the signals are measured by the services, and handed on by the adapter', () => {
    const { rules, externalRules } = parse(readFileSync(path.join(ROOT, 'k8s/monitoring/adapter.yaml'), 'utf8'));
    expect(namesOf('pods')).toEqual(seriesIn(rules));
    expect(namesOf('external')).toEqual(seriesIn(externalRules));
    for (const name of [...namesOf('pods'), ...namesOf('external')]) {
      const declared = execFileSync(
        'grep',
        ['-rl', `declareGauge('${name}'`, 'services', 'packages/shared/src', '--include=*.ts'],
        {
          cwd: ROOT,
        },
      );
      expect(declared.toString()).not.toBe('');
    }
  });

  test('so many replicas as there may be at most find room in the database', () => {
    const most = (service: string) =>
      autoscalers.find(({ metadata }) => metadata.name === service)?.spec.maxReplicas ??
      production.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === service)?.spec.replicas;
    const replicas = ['messages', 'realm', 'invites', 'scheduler'].reduce((sum, service) => sum + most(service), 0);
    expect(replicas * (POOL + BESIDE_THE_POOL)).toBeLessThanOrEqual(MAX_CONNECTIONS);
    const operations = readFileSync(path.join(ROOT, 'docs/run.md'), 'utf8');
    expect(/overlay's largest .* that is (\d+)\./.exec(operations)?.[1]).toBe(`${replicas * (POOL + BESIDE_THE_POOL)}`);
  });
});
