import { closeSync, openSync, readSync } from 'node:fs';
import { ConfigError } from './config-error';

/** Of settings that hold a secret: a password in an address, a key. */
export const SECRET_NAME = /_(URL|SECRET|KEY|KEY_ID)$/;

const MAX_BYTES = 64 * 1024;

/**
 * A setting's value, which may lie in a file, as secrets are mounted: `DATABASE_URL_FILE=/run/secrets/database-url` stands for
 * `DATABASE_URL`. Every setting that may hold a secret can be given so. Read once; a line's end at its end is no part of it. Throws
 * ConfigError.
 */
export function settingValue(
  name: string,
  environment: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const file = SECRET_NAME.test(name) ? environment[`${name}_FILE`] : undefined;
  if (!file) return environment[name];
  if (environment[name]) throw new ConfigError(`${name} and ${name}_FILE are both set; only one of them can be`);
  const value = readBounded(`${name}_FILE`, file).replace(/\r?\n$/, '');
  if (value === '') throw new ConfigError(`${name}_FILE: ${file} is empty`);
  return value;
}

/** Those of the settings that the environment gives in files. Throws ConfigError. */
export function settingsFromFiles(
  names: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const given = names.filter((name) => SECRET_NAME.test(name) && environment[`${name}_FILE`]);
  return Object.fromEntries(given.map((name) => [name, settingValue(name, environment) as string]));
}

/** No more than MAX_BYTES are read of what may be a device that never ends. */
function readBounded(setting: string, file: string): string {
  const buffer = Buffer.alloc(MAX_BYTES + 1);
  let length: number;
  try {
    length = readUpTo(file, buffer);
  } catch (error) {
    throw new ConfigError(`${setting}: ${file} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
  if (length > MAX_BYTES) throw new ConfigError(`${setting}: ${file} is longer than 64 KiB`);
  return buffer.toString('utf8', 0, length);
}

function readUpTo(file: string, buffer: Buffer): number {
  const descriptor = openSync(file, 'r');
  try {
    let length = 0;
    for (let read = -1; read !== 0 && length < buffer.length; length += read) {
      read = readSync(descriptor, buffer, length, buffer.length - length, null);
    }
    return length;
  } finally {
    closeSync(descriptor);
  }
}
