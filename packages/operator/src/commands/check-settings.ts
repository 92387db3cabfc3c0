import { parseEnv } from 'node:util';
import { findSettingFaults, SECRET_NAME } from '@parley/shared/service';
import { distance } from 'fastest-levenshtein';
import { readTextFile } from '../command/files';
import { operatorSettings } from '../config';

/** Each service's declaration of its settings; loaded by the command that reads them all. */
const DECLARED = {
  gateway: () => import('@parley/gateway/config'),
  messages: () => import('@parley/messages/config'),
  realm: () => import('@parley/realm/config'),
  invites: () => import('@parley/invites/config'),
  events: () => import('@parley/events/config'),
  scheduler: () => import('@parley/scheduler/config'),
} as const;

/** Variables of compose only, from which it makes settings. */
export const COMPOSE_VARIABLES = ['CERTIFICATES', 'NATS_PASSWORD', 'PARLEY_VERSION', 'POSTGRES_PASSWORD'];

const MAX_FILE_MIB = 1;
/** Shorter names resemble too many others. */
const LEAST_RESEMBLING_LENGTH = 8;
const MOST_EDITS = 2;

type Environment = Readonly<Record<string, string | undefined>>;

interface CheckedSettings {
  /** Each names a setting, and the services that would not start. */
  faults: string[];
  /** The number of given settings, and the required ones that must be given elsewhere. */
  summary: string;
}

/**
 * Parses settings as all services would. A missing required setting is no error: as a secret it may be given to the services
 * only. In a file every unknown name is an error; in the environment of a process, which has other variables, too, only names
 * that resemble a setting's.
 */
export async function checkSettings(environment: Environment, file?: string): Promise<CheckedSettings> {
  const services = await Promise.all(
    Object.entries(DECLARED).map(async ([service, load]) => ({ service, settings: (await load()).settings })),
  );
  const known = new Set(
    [...services.flatMap(({ settings }) => Object.keys(settings)), ...Object.keys(operatorSettings)].flatMap((name) =>
      SECRET_NAME.test(name) ? [name, `${name}_FILE`] : [name],
    ),
  );
  const found = services.flatMap(({ service, settings }) =>
    findSettingFaults(settings, { ...environment }).map((fault) => ({ ...fault, service })),
  );
  const servicesOf = (isMissing: boolean) => groupedByLine(found.filter((fault) => fault.isMissing === isMissing));
  const unknown = unknownNames(environment, known, file !== undefined);
  const given = Object.keys(environment).filter((name) => known.has(name) && environment[name] !== '').length;
  const missing = servicesOf(true).map((line) => line.replace(' must be set', ''));
  const elsewhere = missing.length === 0 ? '' : `; to be given elsewhere: ${missing.join(', ')}`;
  return {
    faults: [...servicesOf(false), ...unknown],
    summary: `${given} given in ${file ?? 'the environment'}${elsewhere}`,
  };
}

/** Merges the same error of several services into one line. */
function groupedByLine(faults: readonly { line: string; service: string }[]): string[] {
  const services = new Map<string, string[]>();
  for (const { line, service } of faults) services.set(line, [...(services.get(line) ?? []), service]);
  return [...services].map(([line, names]) => `${line} (${[...new Set(names)].join(', ')})`);
}

function unknownNames(environment: Environment, known: ReadonlySet<string>, isFile: boolean): string[] {
  const names = Object.keys(environment).filter((name) => !known.has(name) && !COMPOSE_VARIABLES.includes(name));
  return names.flatMap((name) => {
    const meant = [...known].find((each) => resembles(name, each));
    if (meant !== undefined) return `${name} is no setting; is it ${meant}?`;
    return isFile ? `${name} is no setting` : [];
  });
}

function resembles(name: string, setting: string): boolean {
  if (Math.min(name.length, setting.length) < LEAST_RESEMBLING_LENGTH) return false;
  return Math.abs(name.length - setting.length) <= MOST_EDITS && distance(name, setting) <= MOST_EDITS;
}

/** Lines `NAME=value`, as compose and systemd read them. */
export async function readEnvironmentFile(file: string): Promise<Environment> {
  return parseEnv(await readTextFile(file, MAX_FILE_MIB)) as Environment;
}
