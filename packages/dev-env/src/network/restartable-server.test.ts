import { startGuarded } from '@parley/shared/embedded';
import { listProcesses } from '../start/list-processes';
import { RestartableServer } from './restartable-server';

test('a server is killed with all its processes', async () => {
  const server = new RestartableServer(async () => {
    const started = await startGuarded('sh', ['-c', 'sleep 1000 & sleep 1000 & wait']);
    return { ...started, url: 'test://127.0.0.1:1' };
  }, 'nowhere');
  await server.start();
  const [parent] = server.signal('SIGCONT');
  const childrenOf = () => listProcesses().filter(({ parentPid }) => parentPid === parent);
  const giveUpAt = performance.now() + 10_000;
  while (childrenOf().length < 2 && performance.now() < giveUpAt) await new Promise(setImmediate);
  const pids = childrenOf().map(({ pid }) => pid);
  await server.kill();
  expect(pids.length).toBe(2);
  expect(listProcesses().filter(({ pid }) => pids.includes(pid))).toEqual([]);
});
