import { rm } from 'node:fs/promises';

/** Jest's globalTeardown: stops what global-setup.ts started. */
export default async function globalTeardown(): Promise<void> {
  const { stopTestServers, directory } = globalThis as unknown as {
    stopTestServers: () => Promise<void>;
    directory: string;
  };
  await stopTestServers();
  await rm(directory, { recursive: true, force: true });
}
