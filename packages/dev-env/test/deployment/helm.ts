import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { Manifest } from './manifest';

export const CHART = path.resolve(__dirname, '../../../../k8s/chart');

const VERSION = 'v3.22.0';
const CACHE = path.join(homedir(), '.cache/parley', `helm-${VERSION}`);
/** The chart's lowest version; a helm of `go install` has no cluster and assumes an old one. */
const KUBERNETES = ['--kube-version', '1.30.0'];

/**
 * The program: HELM says which, or it is in the PATH, or in the cache. With TEST_INSTALL_HELM=1 Go builds it there, which takes minutes.
 * Undefined: there is none, and what needs it is not tested.
 */
export function findHelm(): string | undefined {
  const cached = path.join(CACHE, 'helm');
  const candidates = [process.env['HELM'], 'helm', cached].filter((each) => each !== undefined);
  const found = candidates.find((each) => spawnSync(each, ['version', '--client']).status === 0);
  if (found !== undefined || process.env['TEST_INSTALL_HELM'] !== '1') return found;
  const environment = { ...process.env, GOBIN: CACHE, GOTOOLCHAIN: 'auto' };
  execFileSync('go', ['install', `helm.sh/helm/v3/cmd/helm@${VERSION}`], { env: environment, stdio: 'inherit' });
  return existsSync(cached) ? cached : undefined;
}

export interface HelmAnswer {
  isFine: boolean;
  /** Its output, errors included. */
  text: string;
}

/** Whether it has nothing against the chart with these values. */
export function lint(helm: string, parameters: readonly string[]): HelmAnswer {
  const { status, stdout, stderr } = spawnSync(helm, ['lint', '--strict', CHART, ...KUBERNETES, ...parameters], {
    encoding: 'utf8',
  });
  return { isFine: status === 0, text: stdout + stderr };
}

/** The manifests that `helm install` would send. Throws with helm's error when it refuses. */
export function renderChart(helm: string, parameters: readonly string[] = []): Manifest[] {
  const words = ['template', 'parley', CHART, '--namespace', 'parley', ...KUBERNETES, ...parameters];
  const { status, stdout, stderr } = spawnSync(helm, words, { encoding: 'utf8', maxBuffer: 32 * 1024 ** 2 });
  if (status !== 0) throw new Error(stderr);
  const manifests = parseAllDocuments(stdout).map((document) => {
    if (document.errors.length > 0) throw new Error(document.errors[0]?.message);
    return document.toJS() as Manifest | null;
  });
  return manifests.filter((each) => each !== null);
}
