import { type ChildProcess, fork } from 'node:child_process';

export interface ChildServer {
  address: string;
  pid: number;
  /** Sends a message over IPC and resolves with the next one received. */
  ask<Answer>(message: object | string): Promise<Answer>;
  stop(): Promise<void>;
}

/** Runs a script as a separate process, and waits until it reports its address. It ends when its parent does. */
export function startChild(
  script: string,
  args: readonly string[],
  environment: NodeJS.ProcessEnv = {},
  nodeOptions: readonly string[] = [],
): Promise<ChildServer> {
  const child = fork(script, [...args], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, ...environment },
    execArgv: [...nodeOptions],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`${script} ended with ${code}`)));
    child.once('message', (message: { started: string }) =>
      resolve({
        address: message.started,
        pid: child.pid as number,
        ask: (message) => ask(child, message),
        stop() {
          child.kill();
          return ended;
        },
      }),
    );
  });
}

function ask<Answer>(child: ChildProcess, message: object | string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const fail = (code: number | null) => reject(new Error(`${child.spawnargs.at(-1)} ended with ${code}`));
    child.once('exit', fail);
    child.once('message', (answer) => {
      child.off('exit', fail);
      resolve(answer as Answer);
    });
    child.send(message);
  });
}
