import { fork } from 'node:child_process';

export interface ChildServer {
  address: string;
  stop(): Promise<void>;
}

/** Runs a script as a process of its own, and waits until it says where it serves. It ends when its parent does. */
export function startChild(
  script: string,
  args: readonly string[],
  environment: NodeJS.ProcessEnv = {},
): Promise<ChildServer> {
  const child = fork(script, [...args], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, ...environment },
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`${script} ended with ${code}`)));
    child.once('message', (message: { started: string }) =>
      resolve({
        address: message.started,
        stop() {
          child.kill();
          return ended;
        },
      }),
    );
  });
}
