import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { schemaAgreement } from '@parley/shared/testing';
import { openContext } from './examples';

const SOURCES = path.resolve(__dirname, '../src');

test('the Prisma files and the migrations describe the same tables', async () => {
  const names = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.prisma'));
  expect(names.length).toBeGreaterThan(3);
  const ctx = await openContext();
  const texts = names.map((name) => readFileSync(path.join(SOURCES, name), 'utf8'));
  expect(await schemaAgreement(texts, ctx.db)).toEqual([]);
  await ctx.close();
});
