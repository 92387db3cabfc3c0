import type { Inspected } from '@parley/shared/proto';
import { COMMANDED, type CommandResult, command, Unfinished } from '../command/command';
import { file } from '../command/options';
import { checkSettings, readEnvironmentFile } from './check-settings';
import { type Health, inspectAll } from './inspect-all';

interface Check {
  what: string;
  is: string;
  detail: string;
}

/**
 * Settings first: a service with an invalid one does not run, and cannot be asked. Then each service reports on itself and on its
 * servers, which only it can reach.
 */
export const configCheck = command({
  services: [],
  summary:
    'reads every setting as the services do, from the environment or a file; then asks each service for its version and its servers, and checks the gateway and the uploaded files; fails when anything is wrong',
  options: { 'env-file': file('FILE').optional() },
  examples: ['', '--env-file .env'],
  async run(_clients, { 'env-file': file }, { config, withServices }): Promise<CommandResult> {
    const environment = file === undefined ? config.environment : await readEnvironmentFile(file);
    const settings = await checkSettings(environment, file);
    const inSettings = settings.faults.map((detail) => ({ what: 'settings', is: 'wrong', detail }));
    if (inSettings.length > 0) return finished(inSettings);
    const { services, others } = await withServices(COMMANDED, (connections) =>
      inspectAll(connections, config, { withMetrics: false }),
    );
    const said = { what: 'settings', is: 'ok', detail: settings.summary };
    return finished([said, ...services.flatMap(checksOf), ...others.map(checkOf), ...versionCheck(services)]);
  },
});

function finished(checks: readonly Check[]): CommandResult {
  const wrong = checks.filter(({ is }) => is === 'wrong');
  const result = { is_fine: wrong.length === 0, checks: checks.map((check) => ({ ...check })) };
  const [first] = wrong;
  if (!first) return result;
  const count = wrong.length === 1 ? 'one thing is wrong' : `${wrong.length} things are wrong`;
  throw new Unfinished(`${count}: ${first.what}: ${first.detail}`, result);
}

function checksOf({ name, inspected, fault }: Health): Check[] {
  if (!inspected) return [{ what: name, is: 'wrong', detail: fault ?? 'no answer' }];
  const { version, nodeVersion, servers } = inspected;
  return [
    { what: name, is: 'ok', detail: `Parley ${version}, Node ${nodeVersion}` },
    ...servers.map(({ kind, version: said, fault: reason }) =>
      reason === undefined
        ? { what: `${name}: ${kind}`, is: 'ok', detail: said }
        : { what: `${name}: ${kind}`, is: 'wrong', detail: reason },
    ),
  ];
}

function checkOf({ name, fault, said }: { name: string; fault?: string; said: string }): Check {
  return fault === undefined ? { what: name, is: 'ok', detail: said } : { what: name, is: 'wrong', detail: fault };
}

/** Versions differ during an upgrade; otherwise a service was forgotten. */
function versionCheck(services: readonly Health[]): Check[] {
  const versions = new Set(services.flatMap(({ inspected }) => (inspected as Inspected | undefined)?.version ?? []));
  if (versions.size < 2) return [];
  return [{ what: 'versions', is: 'wrong', detail: `services are of different ones: ${[...versions].join(', ')}` }];
}
