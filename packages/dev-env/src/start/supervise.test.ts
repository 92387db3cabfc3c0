import { startGuarded } from '@parley/shared/embedded';
import { supervise } from './supervise';

/** A substitute for a service: a shell with a script. */
const shell = (script: string) => startGuarded('sh', ['-c', script]);

/** Supervises successive substitutes, the last one repeatedly; `reports.next()` waits for the next report. */
function stage(scripts: string[]) {
  const pids: number[] = [];
  const heard: string[] = [];
  const waiting: ((text: string) => void)[] = [];
  return {
    pids,
    supervision: {
      firstPauseMs: 1,
      async start() {
        const script = scripts.length > 1 ? scripts.shift() : scripts[0];
        if (script === 'cannot start') throw new Error('no such thing');
        const running = await shell(script as string);
        pids.push(running.pid);
        return running;
      },
      report(text: string) {
        const hear = waiting.shift();
        if (hear) hear(text);
        else heard.push(text);
      },
    },
    nextReport: () =>
      new Promise<string>((resolve) => {
        const text = heard.shift();
        if (text === undefined) waiting.push(resolve);
        else resolve(text);
      }),
  };
}

const FOR_EVER = 'while :; do sleep 1; done';

describe('a supervised process', () => {
  test('that was killed is started again', async () => {
    const { supervision, nextReport, pids } = stage([FOR_EVER, 'exit 3', FOR_EVER]);
    const { first, stop } = await supervise(supervision);
    process.kill(first.pid, 'SIGKILL');
    expect(await nextReport()).toBe('ended (SIGKILL); starting it again in 0.001 s');
    expect(await nextReport()).toBe('ended (exit code 3); starting it again in 0.002 s');
    await stop();
    expect(pids.every((pid) => !isAlive(pid))).toBe(true);
  });

  test('that fails repeatedly is restarted after growing pauses, up to a limit', async () => {
    const { supervision, nextReport } = stage(['exit 1']);
    const { stop } = await supervise({ ...supervision, longestPauseMs: 4 });
    const pauses = [];
    for (let times = 0; times < 5; times += 1) pauses.push((await nextReport()).split(' in ')[1]);
    expect(pauses).toEqual(['0.001 s', '0.002 s', '0.004 s', '0.004 s', '0.004 s']);
    await stop();
  });

  test('that ran well before it ended is started again soon', async () => {
    const { supervision, nextReport } = stage(['exit 1']);
    const { stop } = await supervise({ ...supervision, healthyAfterMs: -1 });
    await nextReport();
    expect(await nextReport()).toBe('ended (exit code 1); starting it again in 0.001 s');
    await stop();
  });

  test('is started again if a later start fails', async () => {
    const { supervision, nextReport } = stage(['exit 1', 'cannot start', FOR_EVER]);
    const { stop } = await supervise(supervision);
    await nextReport();
    expect(await nextReport()).toBe('ended (no such thing); starting it again in 0.002 s');
    await stop();
  });

  test('is given up if the first start fails', async () => {
    const { supervision } = stage(['cannot start']);
    await expect(supervise(supervision)).rejects.toThrow('no such thing');
  });

  test('that is stopped during a pause is not started again', async () => {
    const { supervision, nextReport, pids } = stage(['exit 1']);
    const { stop } = await supervise({ ...supervision, firstPauseMs: 600_000 });
    await nextReport();
    await stop();
    expect(pids).toHaveLength(1);
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
