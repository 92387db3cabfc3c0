import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

export interface ProcessRow {
  pid: number;
  parentPid: number;
  command: string;
}

/** Every running process, without zombies. */
export function listProcesses(): ProcessRow[] {
  return existsSync('/proc/self/stat') ? fromProc() : fromPs();
}

/** Small systems have no `ps`. */
function fromProc(): ProcessRow[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.flatMap((pid) => {
    try {
      const [state, parentPid] = readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ');
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
      return state === 'Z' ? [] : [{ pid: Number(pid), parentPid: Number(parentPid), command }];
    } catch {
      // It ended meanwhile.
      return [];
    }
  });
}

function fromPs(): ProcessRow[] {
  const rows = execFileSync('ps', ['-eo', 'pid=,ppid=,stat=,args='], { encoding: 'utf8' }).trim().split('\n');
  return rows.flatMap((row) => {
    const [pid, parentPid, state, ...command] = row.trim().split(/\s+/);
    return state?.startsWith('Z')
      ? []
      : [{ pid: Number(pid), parentPid: Number(parentPid), command: command.join(' ') }];
  });
}
