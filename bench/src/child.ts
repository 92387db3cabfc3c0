import { fork } from 'node:child_process';
import path from 'node:path';

export interface ChildServer {
  address: string;
  stop(): Promise<void>;
}

/** Runs a script of this folder as a process of its own, until it says where it serves. It ends when its parent does. */
export function startChild(script: string, args: readonly string[]): Promise<ChildServer> {
  const child = fork(path.join(__dirname, script), [...args], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
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
