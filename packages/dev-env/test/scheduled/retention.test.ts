import {
  createDrafts,
  createInvitationLink,
  createScheduledMessage,
  deactivateRealm,
  findChannel,
  getMessages,
  sendInvitations,
  sendMessage,
  updateChannel,
} from '@parley/gateway/endpoints';
import { createFakeClock } from '@parley/shared/testing';
import { type EventQueue, eg, TestNetwork } from '../../src';
import { SCHEMAS } from '../../src/network/replica';
import { uploadFile } from '../multipart';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const clock = createFakeClock();
let network: TestNetwork;

beforeAll(async () => {
  const settings = { RETENTION_INTERVAL_MINUTES: '1' };
  network = await TestNetwork.create({ clock, replicas: { scheduler: 2 }, settings });
});
afterAll(() => network.stop());

/** Lets the schedulers look for what is kept no longer, until it is done. */
async function untilDone(isDone: () => Promise<boolean>): Promise<void> {
  do {
    clock.advance(5 * MINUTE_MS);
    await network.settle();
  } while (!(await isDone()));
}

async function goneFrom(queue: EventQueue): Promise<number[][]> {
  return (await queue.rest()).map((event) => event['message_ids'] as number[]);
}

test('expired messages are deleted once, a hundred at a time, with events for their holders', async () => {
  const { iris, dan, eve } = network;
  const { stream_id } = await iris.call(findChannel, { stream: eg.general });
  const send = (content: string) => dan.call(sendMessage, { type: 'channel', to: eg.general, topic: 'old', content });
  const old = await Promise.all(Array.from({ length: 130 }, (_, index) => send(`${index}`)));
  const direct = await dan.call(sendMessage, { type: 'direct', to: [eve.userId], content: 'kept' });
  clock.advance(7 * DAY_MS);
  const fresh = await send('fresh');

  const queue = await eve.events({
    event_types: ['delete_message'],
    client_capabilities: { bulk_message_deletion: true },
  });
  await iris.call(updateChannel, { stream_id, message_retention_days: '7' });
  const batches: number[][] = [];
  await untilDone(async () => {
    batches.push(...(await goneFrom(queue)));
    return batches.flat().length >= old.length;
  });
  clock.advance(5 * MINUTE_MS);
  await network.settle();
  expect(await goneFrom(queue)).toEqual([]);
  expect(batches.map((batch) => batch.length)).toEqual([100, 30]);
  expect(batches.flat().sort((a, b) => a - b)).toEqual(old.map(({ id }) => id).sort((a, b) => a - b));
  const { messages } = await eve.call(getMessages, { anchor: 'newest', num_before: 200 });
  const ids = messages.map(({ id }) => id);
  expect(ids).toEqual(expect.arrayContaining([direct.id, fresh.id]));
  expect(ids.filter((id) => old.some((message) => message.id === id))).toEqual([]);
});

/** Acts in it are kept for longer: `AUDIT_RETENTION_DAYS`. */
const AUDIT = ['audit_entry', 'audit_head'];

/** Rows of an organization by table, except short-lived ones. */
async function rowsOf(realmId: number): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const { service: name } of SCHEMAS) {
    const database = network.database(name);
    const tables = await database.query<{ table: string }>(
      `select table_name as "table" from information_schema.columns
       where table_schema = 'public' and column_name = 'realm_id' and table_name <> all($1) and table_name not like 'outbox%'`,
      [AUDIT],
    );
    for (const { table } of tables) {
      const rows = await database.query(`select 1 from ${table} where realm_id = $1`, [realmId]);
      if (rows.length > 0) found[`${name}.${table}`] = rows.length;
    }
  }
  return found;
}

test('the data of an organization that was closed is deleted from the day on that its owner has named, in all services', async () => {
  const { zoe, dan } = network;
  const soon = Math.floor(clock.now() / 1_000) + 60 * 24 * 3_600;
  await zoe.call(sendMessage, { type: 'channel', to: eg.general, topic: 'x', content: 'Hello' });
  await zoe.call(createDrafts, { drafts: [{ type: '', to: [], topic: '', content: 'Draft' }] });
  await zoe.call(createScheduledMessage, {
    type: 'direct',
    to: [zoe.userId],
    content: 'Later',
    scheduled_delivery_timestamp: soon,
  });
  await zoe.call(sendInvitations, { invitee_emails: 'new@away.example', stream_ids: [] });
  await zoe.call(createInvitationLink, {});
  await uploadFile(zoe, { name: 'a.txt', bytes: 'bytes' });
  await zoe.call(deactivateRealm, { deletion_delay_days: 14 });
  await network.settle();

  const before = await rowsOf(zoe.realmId);
  const home = await rowsOf(dan.realmId);
  expect(Object.keys(before)).toEqual(
    expect.arrayContaining(['messages.message', 'messages.attachment', 'realm.user_account', 'scheduler.due_job']),
  );
  clock.advance(14 * DAY_MS - 10 * MINUTE_MS);
  await network.settle();
  expect((await rowsOf(zoe.realmId))['messages.message']).toBe(before['messages.message']);
  await untilDone(async () => Object.keys(await rowsOf(zoe.realmId)).length === 0);
  const { json } = await zoe.callRaw({ method: 'GET', path: '/api/v1/users/me' });
  expect(json).toMatchObject({ result: 'error' });
  expect((await rowsOf(dan.realmId))['realm.user_account']).toBe(home['realm.user_account']);
});
