import { renderMarkdown } from '@parley/shared/markdown';
import type { FillMessagesRequest, FillMessagesResponse } from '@parley/shared/proto';
import { newCall } from '@parley/shared/rpc';
import { type MessagesUnderTest, startMessages } from '../../test/start-messages';

const PEOPLE = ['Ada Adler', 'Ben Berg', 'Chen Costa', 'Dan Demir', 'Eva Esposito', 'Finn Fischer'];
const MESSAGES = 2_000;

let network: MessagesUnderTest;
beforeAll(async () => {
  network = await newOrganization();
});
afterAll(() => network.stop());

async function newOrganization(): Promise<MessagesUnderTest> {
  const made = await startMessages();
  populate(made);
  return made;
}

/** Two large channels, one with changing subscribers, and one without any. */
function populate({ realm }: MessagesUnderTest): void {
  const people = PEOPLE.map((name) => realm.addUser(name));
  const [large, small, changed] = ['large', 'small', 'changed', 'empty'].map((name) => realm.addChannel(name));
  for (const person of people) realm.subscribe(large as never, person);
  realm.subscribe(small as never, ...people.slice(0, 2));
  realm.subscribe(changed as never, ...people.slice(0, 4));
  realm.unsubscribe(changed as never, ...people.slice(0, 3));
}

const fill = (wanted: Partial<FillMessagesRequest> = {}, { client } = network) =>
  client.fillMessages(newCall(), { subdomain: '', messages: MESSAGES, seed: 1, ...wanted });

const rowsOf = <Row = Record<string, unknown>>(text: string, { service } = network) => service.db.query<Row>(text, []);

async function count(text: string, other = network): Promise<number> {
  const [row] = await rowsOf<{ count: number }>(`select count(*)::integer as count from ${text}`, other);
  return row?.count as number;
}

describe('after a fill', () => {
  let filled: FillMessagesResponse;
  beforeAll(async () => {
    filled = await fill({ topics: 300, directConversations: 10 });
  });

  test('an organization is filled with the requested sizes', async () => {
    expect(filled).toEqual({
      realmId: network.realm.realm.id,
      messages: MESSAGES,
      topics: await count('topic'),
      directConversations: await count('direct_conversation'),
      mentions: await count('mention'),
    });
    expect(await count('message')).toBe(MESSAGES);
    expect(filled.topics).toBeGreaterThan(100);
    expect(filled.topics).toBeLessThan(330);
    expect(filled.directConversations).toBeGreaterThan(5);
    expect(filled.mentions).toBeGreaterThan(20);
    const direct = await count('message where channel_id is null');
    expect(Math.abs(direct / MESSAGES / 0.1 - 1)).toBeLessThan(0.3);
  });

  test('few topics have most messages', async () => {
    const sizes = (
      await rowsOf<{ size: number }>(
        'select count(*)::integer as size from message where channel_id = 1 group by conversation_id order by 1 desc',
      )
    ).map(({ size }) => size);
    expect(sizes.length).toBeGreaterThan(20);
    expect(sizes[0]).toBeGreaterThan(10 * (sizes[Math.floor(sizes.length / 2)] as number));
  });

  test('conversations know their latest message, and there is none without', async () => {
    const wrong = await rowsOf(
      `select c.id from (
         select id, max_message_id from topic union all select id, max_message_id from direct_conversation
       ) c
       left join (select conversation_id, max(id) as latest from message group by 1) m on m.conversation_id = c.id
       where m.latest is distinct from c.max_message_id`,
    );
    expect(wrong).toEqual([]);
  });

  test('a message is in a conversation of its channel or of its participants', async () => {
    const wrong = await rowsOf(
      `select m.id from message m
       left join topic t on t.realm_id = m.realm_id and t.id = m.conversation_id
       left join direct_conversation d on d.realm_id = m.realm_id and d.id = m.conversation_id
       where (t.id is null) = (d.id is null) or m.channel_id is distinct from t.channel_id
         or m.sent_channel_id is distinct from t.channel_id or (d.id is not null and m.sender_id <> all(d.participant_ids))`,
    );
    expect(wrong).toEqual([]);
  });

  test('messages have ascending versions of their channel, and senders subscribed at them', async () => {
    const sent = await rowsOf<{ channelId: number; version: number; senderId: number; sentAtMs: number }>(
      `select sent_channel_id as "channelId", sent_version as version, sender_id as "senderId", sent_at as "sentAtMs"
       from message where channel_id is not null order by id`,
    );
    const { channels } = network.realm;
    for (const channel of channels) {
      const versions = sent.filter(({ channelId }) => channelId === channel.id).map(({ version }) => version);
      expect(versions).toEqual([...versions].sort((a, b) => a - b));
      expect([...new Set(versions)]).toEqual(
        Array.from({ length: channel.subscriptionVersion }, (_, index) => index + 1),
      );
    }
    const outsiders = sent.filter(({ channelId, version, senderId }) => {
      const intervals = channels.find(({ id }) => id === channelId)?.intervals.get(senderId) ?? [];
      return !intervals.some(
        ({ fromVersion, toVersion }) => fromVersion <= version && (toVersion === undefined || version < toVersion),
      );
    });
    expect(outsiders).toEqual([]);
    const times = sent.map(({ sentAtMs }) => sentAtMs);
    expect(times).toEqual([...times].sort((a, b) => a - b));
  });

  test('texts are rendered as if they had been sent', async () => {
    const texts = await rowsOf<{ content: string; html: string }>(
      'select content, rendered_content as html from message order by mentions_channel desc, id limit 500',
    );
    const facts = {
      users: network.realm.users,
      groups: [],
      channels: [],
      linkifiers: [],
      realmUrl: 'http://127.0.0.1:9991',
    };
    expect(texts.filter(({ content }) => content.startsWith('@**')).length).toBeGreaterThan(5);
    for (const { content, html } of texts) expect(renderMarkdown(content, facts).html).toBe(html);
  });

  test('people have read nearly to the end, some messages are starred, and some read or unread although the watermark differs', async () => {
    expect(await count('read_watermark')).toBe(PEOPLE.length);
    expect(await count('personal_flag where is_starred')).toBeGreaterThan(3);
    const marks = (set: string) => `(
      select e.user_id, e.conversation_id, lower(ids) as id from read_exception e, unnest(${set}) as ids
    ) e join read_watermark w using (user_id)`;
    expect(await count('read_exception')).toBeGreaterThan(3);
    expect(await count(`${marks('e.unread')} where e.id > w.message_id`)).toBe(0);
    expect(await count(`${marks('e.read')} where e.id <= w.message_id`)).toBe(0);
    expect(
      await count(
        `${marks('e.read + e.unread')} left join message m on m.id = e.id and m.conversation_id = e.conversation_id
         where m.id is null`,
      ),
    ).toBe(0);
  });

  test('announces direct contacts, then that clients must register again, and the act', async () => {
    const events = await rowsOf('select kind, payload::jsonb from outbox order by id');
    const conversations = await rowsOf(
      'select participant_ids as "participantIds" from direct_conversation order by id',
    );
    const { realmId: _realmId, ...counts } = filled;
    expect(events).toEqual([
      ...conversations.map((payload) => ({ kind: 'direct-conversation.begun', payload })),
      { kind: 'messages.filled', payload: {} },
      {
        kind: 'act.performed',
        payload: {
          ...{ name: 'fill-messages', actor: { kind: 'operator' }, requestId: expect.any(String) },
          ...{ kind: 'organization', ids: [filled.realmId], after: counts },
        },
      },
    ]);
  });
});

test('the same seed makes the same, another seed something else', async () => {
  const picture = async (seed: number) => {
    const other = await newOrganization();
    await fill({ seed, messages: 300 }, other);
    const rows = await rowsOf(
      `select t.name, d.participant_ids, m.sender_id, m.sent_version, m.content from message m
       left join topic t on t.id = m.conversation_id left join direct_conversation d on d.id = m.conversation_id
       order by m.id`,
      other,
    );
    await other.stop();
    return rows;
  };
  const first = await picture(5);
  expect(first).toHaveLength(300);
  expect(await picture(5)).toEqual(first);
  expect(await picture(6)).not.toEqual(first);
});

test('a second fill adds later messages', async () => {
  const other = await newOrganization();
  await fill({ topics: 10, directConversations: 5 }, other);
  const [topics, directs] = [await count('topic', other), await count('direct_conversation', other)];
  await fill({ topics: 10, directConversations: 5 }, other);
  expect(await count('message', other)).toBe(2 * MESSAGES);
  expect([await count('topic', other), await count('direct_conversation', other)]).toEqual([topics, directs]);
  const backwards = `(select sent_at < lag(sent_at) over (order by id) as is_earlier from message) m where is_earlier`;
  expect(await count(backwards, other)).toBe(0);
  expect(await count(`outbox where kind = 'direct-conversation.begun'`, other)).toBe(directs);
  await other.stop();
});

test.each<[string, Partial<FillMessagesRequest>]>([
  ['An organization is filled with at least one message.', { messages: 0 }],
  ['Too many messages (limit: 20000000)', { messages: 20_000_001 }],
  ['Too many topics (limit: 200000)', { topics: 200_001 }],
  ['Too many directConversations (limit: 100000)', { directConversations: 100_001 }],
])('%s', async (reason, wanted) => {
  await expect(fill(wanted)).rejects.toThrow(reason);
});

test('an organization without users cannot be filled', async () => {
  const other = await startMessages();
  await expect(fill({}, other)).rejects.toThrow('fill the organization first');
  expect(await count('outbox', other)).toBe(0);
  await other.stop();
});
