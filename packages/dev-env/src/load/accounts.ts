import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { LoadAccount } from './load-api';

/** The accounts that take part. */
export interface Accounts {
  /** The Host header of their organization. */
  host: string;
  /** The largest possible number. */
  most: number;
  take(count: number): Promise<readonly LoadAccount[]>;
  close(): void;
}

const line = z.object({ email: z.string(), api_key: z.string(), user_id: z.int().optional() });

/** The accounts in a file: a line each, as `user create --json` of the admin command prints them. Throws in one line. */
export function accountsOfFile(file: string, host: string): Accounts {
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((text) => text.trim() !== '');
  const accounts = lines.map((text, index) => {
    try {
      const { email, api_key: apiKey, user_id: userId } = line.parse(JSON.parse(text));
      return { email, apiKey, userId };
    } catch {
      throw new Error(`${file}, line ${index + 1}: must be {"email":…,"api_key":…}`);
    }
  });
  return {
    host,
    most: accounts.length,
    async take(count) {
      if (count > accounts.length) throw new Error(`${file} has ${accounts.length} accounts, ${count} are wanted`);
      return accounts.slice(0, count);
    },
    close() {},
  };
}
