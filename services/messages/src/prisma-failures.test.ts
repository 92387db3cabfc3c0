import { type Database, openDatabase } from '@parley/shared/db';
import { openPrisma, prismaTransaction } from '@parley/shared/prisma';
import { openTestDatabase } from '../test/open-test-database';
import { PrismaClient } from './generated/prisma/client';
import { findFirstAnswer } from './send-keys/send-key.sql';

/** Makes every read of the table fail with PostgreSQL's error for a full disk. */
const FULL = `
  create function refuse() returns boolean language plpgsql volatile as
    $$ begin raise exception 'could not extend file "base/5/16"' using errcode = 'disk_full'; end $$;
  alter table send_key rename to kept_send_key;
  create view send_key as select * from kept_send_key where refuse()`;

const DISK_FULL = { code: 'SERVER_NOT_READY', cause: { message: "PostgreSQL's disk is full" } };
const prismaOn = (db: Database) => openPrisma(db, (adapter) => new PrismaClient({ adapter }));

test('a full disk met by Prisma is reported like any other: clients may retry, and the log has the reason', async () => {
  const { db, close } = await openTestDatabase();
  const prisma = prismaOn(db);
  await db.query(
    `insert into send_key (realm_id, sender_id, key, message_id, created_at) values (1, 2, 'key', 3, now())`,
  );
  expect(await findFirstAnswer({ prisma }, 1, 2, 'key')).toMatchObject({ messageId: 3 });
  await db.query(FULL);
  const error = await findFirstAnswer({ prisma }, 1, 2, 'key').catch((thrown) => thrown);
  expect(error).toMatchObject(DISK_FULL);
  const inTransaction = prismaTransaction(db, prisma, (_tx, inside) => inside.sendKey.findMany());
  await expect(inTransaction).rejects.toMatchObject(DISK_FULL);
  await prisma.$disconnect();
  await close();
});

test('and so is a server that does not answer', async () => {
  const db = openDatabase({ url: 'postgres://nobody@127.0.0.1:1/none', poolSize: 1, applicationName: 'test' });
  const prisma = prismaOn(db);
  await expect(findFirstAnswer({ prisma }, 1, 2, 'key')).rejects.toMatchObject({ code: 'SERVER_NOT_READY' });
  await prisma.$disconnect();
  await db.close();
});

test('a wrong statement is reported with PostgreSQL’s message', async () => {
  const { db, close } = await openTestDatabase();
  const prisma = prismaOn(db);
  await db.query('drop table send_key cascade');
  await expect(findFirstAnswer({ prisma }, 1, 2, 'key')).rejects.toThrow('relation "public.send_key" does not exist');
  await prisma.$disconnect();
  await close();
});
