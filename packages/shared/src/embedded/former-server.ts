import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const PATIENCE_MS = 15_000;

/**
 * Waits until no server works in `directory` any more. After a start that was killed its guards need a moment to stop the
 * servers; two servers on the same files would ruin them. Throws when one goes on.
 */
export async function untilFormerServerEnded(pidFile: string, directory: string): Promise<void> {
  const pid = readPid(pidFile);
  const giveUpAt = Date.now() + PATIENCE_MS;
  while (pid !== undefined && commandOf(pid).includes(directory)) {
    if (Date.now() > giveUpAt) throw new Error(`process ${pid} is already working with the data in ${directory}`);
    await sleep(100);
  }
}

function readPid(pidFile: string): number | undefined {
  try {
    return Number.parseInt(readFileSync(pidFile, 'utf8'), 10) || undefined;
  } catch {
    return undefined;
  }
}

/** The command line of a process; "" when there is none. A pid alone proves nothing: after a reboot it is somebody else's. */
function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return spawnSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' }).stdout ?? '';
  }
}
