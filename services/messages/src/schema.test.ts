import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { schemaAgreement } from '@parley/shared/testing';
import { type MessagesUnderTest, startMessages } from '../test/start-messages';

let network: MessagesUnderTest;

beforeAll(async () => {
  network = await startMessages();
});

afterAll(() => network.stop());

test('Prisma’s models and the migrations describe the same tables', async () => {
  const files = readdirSync(__dirname, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.prisma'),
  );
  expect(files.length).toBeGreaterThan(3);
  const texts = files.map((name) => readFileSync(path.join(__dirname, name), 'utf8'));
  expect(await schemaAgreement(texts, network.service.db)).toEqual([]);
});
