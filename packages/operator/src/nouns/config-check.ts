import type { Inspected } from '@parley/shared/proto';
import { type CommandedService, type CommandResult, command, Unfinished } from '../command/command';
import { type Health, inspectAll } from './inspect-all';

const SERVICES = ['realm', 'messages', 'invites', 'scheduler', 'events'] as const satisfies CommandedService[];

interface Check {
  what: string;
  is: string;
  detail: string;
}

/** Each service says itself how it is: it alone has its settings, and reaches its servers. */
export const configCheck = command({
  services: SERVICES,
  summary:
    'asks each service for its version, its settings and the servers that it goes by, and looks for the gateway and uploaded files; fails when anything is wrong',
  options: {},
  examples: [''],
  async run(_clients, _options, place): Promise<CommandResult> {
    const { services, others } = await inspectAll(place, SERVICES, false);
    const checks = [...services.flatMap(checksOf), ...others.map(checkOf), ...versionCheck(services)];
    const wrong = checks.filter(({ is }) => is === 'wrong');
    const result = { is_fine: wrong.length === 0, checks: checks.map((check) => ({ ...check })) };
    if (wrong.length === 0) return result;
    const [first] = wrong as [Check];
    const count = wrong.length === 1 ? 'one thing is wrong' : `${wrong.length} things are wrong`;
    throw new Unfinished(`${count}: ${first.what}: ${first.detail}`, result);
  },
});

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

/** While an upgrade is going on they differ; else somebody was forgotten. */
function versionCheck(services: readonly Health[]): Check[] {
  const versions = new Set(services.flatMap(({ inspected }) => (inspected as Inspected | undefined)?.version ?? []));
  if (versions.size < 2) return [];
  return [{ what: 'versions', is: 'wrong', detail: `services are of different ones: ${[...versions].join(', ')}` }];
}
