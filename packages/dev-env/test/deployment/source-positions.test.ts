import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../../../..');
const built = (file: string) => JSON.stringify(path.join(ROOT, file));

/** The output of a script that starts a service as main.ts does: `runService(create)`. */
function run(script: string): string {
  const program = `const { runService } = require(${built('packages/shared/dist/service')});\n${script}`;
  return execFileSync(process.execPath, ['-e', program], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}

test('an error of a compiled service names lines of its sources', () => {
  const stack = run(`
    const { create } = require(${built('services/realm/dist/service.js')});
    runService(() => create(undefined)).catch((error) => console.log(error.stack));`);
  const [message, ...frames] = stack.trim().split('\n');
  expect(message).toBe("TypeError: Cannot read properties of undefined (reading 'LOG_LEVEL')");
  expect(frames.filter((frame) => /\/dist\//.test(frame))).toEqual([]);
  const create = frames.find((frame) => frame.includes(' create '));
  expect(create).toContain(`(${ROOT}/services/realm/src/service.ts:`);
  const line = Number(create?.split(':').at(-2));
  const source = readFileSync(path.join(ROOT, 'services/realm/src/service.ts'), 'utf8').split('\n');
  expect(source[line - 1]).toContain('return databaseService(');
});

test('all else of a stack trace is as Node writes it', () => {
  const stacks = run(`
    class Own extends Error { name = 'Own'; }
    const causes = [
      () => Buffer.alloc('text'),
      () => null.member,
      () => new URL('text'),
      () => require('fs').readFileSync('/nowhere'),
      () => { throw new Own('own'); },
      () => { throw new Error('two\\nlines', { cause: 1 }); },
      () => { throw Object.assign(new Error('coded'), { code: 'ERR_OWN' }); },
      () => { throw Object.assign(new Error(), { name: '' }); },
      () => { const plain = { message: 'plain' }; Error.captureStackTrace(plain); throw plain; },
      () => { const limit = Error.stackTraceLimit; Error.stackTraceLimit = 0;
              try { throw new Error('no calls'); } finally { Error.stackTraceLimit = limit; } },
      () => eval('null.evaluated'),
      () => [1].map(() => { throw new Error('nested'); }),
    ];
    const stackOf = (cause) => { try { cause(); } catch (error) { return error.stack; } };
    const stacks = [];
    for (const when of ['before', 'after']) {
      stacks.push(causes.map(stackOf));
      if (when === 'before') runService(() => { throw new Error('no service'); }).catch(() => {});
    }
    console.log(JSON.stringify(stacks));`);
  const [before, after] = JSON.parse(stacks);
  expect(before).toHaveLength(12);
  expect(after).toEqual(before);
});
