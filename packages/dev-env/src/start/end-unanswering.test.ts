import { startGuarded } from '@parley/shared/embedded';
import { endUnanswering } from './end-unanswering';

const FOR_EVER = ['-c', 'while :; do sleep 1; done'];

test('a server that runs, but does not answer three times in a row, is ended', async () => {
  const answers = [false, false, true, false, false, false];
  const reports: string[] = [];
  const server = endUnanswering(await startGuarded('sh', FOR_EVER), {
    isAnswering: async () => answers.shift() as boolean,
    report: (text) => reports.push(text),
    askEveryMs: 1,
  });
  expect(await server.ended).toBe('SIGTERM');
  expect([answers, reports]).toEqual([[], ['runs, but does not answer; ending it']]);
});

test('one that has ended is asked nothing more', async () => {
  let asked = 0;
  const reports: string[] = [];
  const server = endUnanswering(await startGuarded('sh', FOR_EVER), {
    async isAnswering() {
      asked += 1;
      await server.stop();
      return false;
    },
    report: (text) => reports.push(text),
    askEveryMs: 1,
  });
  await server.ended;
  expect([asked, reports]).toEqual([1, []]);
});
