import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, databaseUrl, openDatabase } from '@parley/shared/db';
import type { NewAccount } from '@parley/shared/proto';
import { connectRpc, newCall, type RpcClient } from '@parley/shared/rpc';
import { type Quantiles, quantiles } from '../base/measure';
import { basic, createOrganization } from '../base/organization';
import type { Servers } from '../base/servers';
import { startServices, stopServices } from '../base/services';

const AUTHORS = 20;
const TOPICS = 50;
const LOOK_EVERY_MS = 100;

/** Scheduled by the authors in turn; written to the database, because scheduling takes longer than sending. */
const SCHEDULE = `
  with new as (
    insert into scheduled_message (realm_id, user_id, channel_id, recipient_ids, topic, content, rendered_content, deliver_at,
      is_read_by_sender, client_name)
    select $1, ($2::bigint[])[1 + n % array_length($2::bigint[], 1)], $3, '{}', 'topic ' || n % ${TOPICS},
      'Due at ' || $4::bigint || ': number ' || n, '', to_timestamp($4::bigint / 1000.0), true, 'bench'
    from generate_series(1, $5) as n
    returning realm_id, id, deliver_at
  )
  insert into due_job (realm_id, kind, id, due_at) select realm_id, 'scheduled_message', id, deliver_at from new`;

export interface Lateness extends Quantiles {
  /** From their due time until the last is sent. */
  lastMs: number;
}

export interface DueMessages {
  baseUrl: string;
  /** An `Authorization` header. */
  sender: string;
  /** Its name. */
  channel: string;
  /** Schedules this many messages for the same second, `inMs` from now. */
  schedule(count: number, inMs: number): Promise<void>;
  /** Resolves a second before that time. */
  untilDue(): Promise<void>;
  /** Resolves when this many of them are sent, with their lateness. */
  untilSent(count: number): Promise<Lateness>;
  stop(): Promise<void>;
}

/** The services, some users, and their scheduled messages. */
export async function startDueMessages({ databaseUrl: url, natsUrl }: Servers): Promise<DueMessages> {
  const services = await startServices({ databaseUrl: url, natsUrl });
  const realm = connectRpc('realm', services.realm.address);
  const [scheduled, messages] = ['scheduler', 'messages'].map((service) =>
    openDatabase({ url: databaseUrl(url, 'parley', service), poolSize: 1, applicationName: 'bench' }),
  ) as [Database, Database];
  const { owner, authorIds } = await people(realm.client);
  const channel = 'general';
  const channelId = await idOf(realm.client, owner, channel);
  let dueAtMs = 0;
  return {
    baseUrl: `http://${services.gateway.address}`,
    sender: basic(owner.email, owner.apiKey),
    channel,
    async schedule(count, inMs) {
      dueAtMs = 1_000 * Math.ceil((Date.now() + inMs) / 1_000);
      await scheduled.query(SCHEDULE, [owner.realmId, authorIds, channelId, dueAtMs, count]);
    },
    untilDue: () => sleep(Math.max(0, dueAtMs - Date.now() - 1_000)),
    async untilSent(count) {
      const sql = 'select extract(epoch from sent_at) * 1000 as "sentAtMs" from message where content like $1';
      for (;;) {
        const sent = await messages.query<{ sentAtMs: string }>(sql, [`Due at ${dueAtMs}:%`]);
        if (sent.length > count) throw new Error(`${sent.length} messages were sent instead of ${count}`);
        if (sent.length === count) return latenessOf(sent.map(({ sentAtMs }) => Number(sentAtMs) - dueAtMs));
        await sleep(LOOK_EVERY_MS);
      }
    },
    async stop() {
      await Promise.all([scheduled.close(), messages.close()]);
      realm.close();
      await stopServices(services);
    },
  };
}

function latenessOf(lateMs: number[]): Lateness {
  return { ...quantiles(lateMs), lastMs: Math.max(...lateMs) };
}

async function people(realm: RpcClient<'realm'>): Promise<{ owner: NewAccount; authorIds: number[] }> {
  const owner = await createOrganization(realm);
  const authorIds: number[] = [];
  for (let index = 0; index < AUTHORS; index += 1) {
    const account = { subdomain: '', email: `author${index}@bench.example`, fullName: `Author ${index}`, role: 400 };
    authorIds.push((await realm.createUser(newCall(), account)).userId);
  }
  return { owner, authorIds };
}

async function idOf(realm: RpcClient<'realm'>, owner: NewAccount, name: string): Promise<number> {
  const caller = { ...newCall(), realmId: owner.realmId, userId: owner.userId };
  const query = { realmId: owner.realmId, senderId: owner.userId, channelName: name };
  const nothing = { mentionedNames: [], mentionedGroupNames: [], linkedChannelNames: [], emojiNames: [] };
  const { facts } = await realm.getSendFacts(caller, {
    queries: [{ ...query, ...nothing, recipientIds: [], recipientEmails: [] }],
  });
  return facts[0]?.channel?.channel?.id as number;
}
