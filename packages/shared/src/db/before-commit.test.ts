import { writesOneOf } from './before-commit';

const writes = writesOneOf(['channel', 'user_account']);

test.each([
  'insert into channel (id) values (1)',
  'update channel set name = 1',
  'update only channel set name = 1',
  'with gone as (\n delete from   user_account where id = 1 returning id) select * from gone',
  'INSERT INTO "public"."user_account" ("id") VALUES ($1)',
  'UPDATE "public"."channel" SET "name" = $1',
])('%s needs a transaction', (text) => {
  expect(writes(text)).toBe(true);
});

test.each([
  'select * from channel for update',
  'select * from user_account for no key update of user_account',
  'insert into channel_folder (id) select id from channel',
  'insert into topic (id) values (1) on conflict (id) do update set name = excluded.name',
  'delete from subscription s using channel c where s.channel_id = c.id',
])('%s needs none', (text) => {
  expect(writes(text)).toBe(false);
});
