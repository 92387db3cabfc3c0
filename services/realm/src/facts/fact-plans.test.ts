import type { SendFactsQuery } from '@parley/shared/proto';
import { contextOfTests } from '../../test/each-test';
import { channelIds, newOrganization, type Person } from '../../test/examples';
import { fillRealm } from '../fill/fill-realm';
import { renderText } from '../rendering/render-texts';
import { getOwnAccount } from '../users/get-own-account';
import { getEditFacts } from './get-edit-facts';
import { getMarkFacts } from './get-mark-facts';
import { getReadFacts } from './get-read-facts';
import { getSendFacts } from './get-send-facts';
import { getTypingAudience } from './get-typing-audience';

const RUNS = 12;

const ctx = contextOfTests();
let olivia: Person;
let general: number;

beforeAll(async () => {
  olivia = await newOrganization(ctx);
  const size = { users: 3_000, channels: 300, subscriptionsPerUser: 20, groups: 20, seed: 1 };
  await fillRealm(ctx, { subdomain: olivia.subdomain, ...size });
  general = (await channelIds(ctx, olivia))['general'] as number;
  await ctx.db.query('vacuum analyze');
});

function askEdit() {
  const names = { mentionedNames: [], mentionedGroupNames: [], linkedChannelNames: [], emojiNames: [] };
  const channels = { channelIds: [general], readChannels: { ids: [general] } };
  return getEditFacts(ctx, olivia, { ...names, ...channels, contentOnly: true });
}

function ask(query: Partial<SendFactsQuery>) {
  const { realmId, userId: senderId } = olivia;
  const names = { mentionedNames: [], mentionedGroupNames: [], linkedChannelNames: [], emojiNames: [] };
  const nobody = { recipientIds: [], recipientEmails: [] };
  return getSendFacts(ctx, { queries: [{ realmId, senderId, ...nobody, ...names, ...query }] });
}

const render = (text: string) => renderText(ctx, ctx.db, { realmId: olivia.realmId, authorId: olivia.userId }, text);

test.each<[string, () => Promise<unknown>]>([
  ['the facts of a send', () => ask({ channelId: general })],
  ['those of typing in a channel', () => ask({ channelId: general, tellsTyping: true, omitsOrganization: true })],
  ['those without omissions', () => ask({ channelId: general, tellsTyping: true })],
  ['those of typing a direct message', () => ask({ recipientIds: [olivia.userId], tellsTyping: true })],
  ['those of an edit of content', askEdit],
  ['who is told of an edit', () => getTypingAudience(ctx, olivia, { channelId: general, userIds: [] })],
  ['the facts for reading a channel', () => getReadFacts(ctx, olivia, { channels: { ids: [general] } })],
  ['those for reading own channels', () => getReadFacts(ctx, olivia, { channels: { ids: [], withOwn: true } })],
  ['those for reading all channels', () => getReadFacts(ctx, olivia)],
  ['the facts for a mark', () => getMarkFacts(ctx, olivia, { channelIds: [general] })],
  ['the own account', () => getOwnAccount(ctx, olivia)],
  ['the facts for a text that names nothing', () => render('**Hello**')],
])('%s: a connection plans the statement once', async (_, act) => {
  const before = await runsOf();
  for (let run = 0; run < RUNS; run += 1) await act();
  const ran = [...(await runsOf())].filter(([name, { all }]) => all - (before.get(name)?.all ?? 0) === RUNS);
  expect(ran).toHaveLength(1);
  for (const [, { custom }] of ran) expect(custom).toBe(0);
});

/** For each prepared statement the number of executions, and of those planned for their values. */
async function runsOf(): Promise<Map<string, { all: number; custom: number }>> {
  const rows = await ctx.db.query<{ name: string; all: number; custom: number }>(
    'select name, (generic_plans + custom_plans)::int as all, custom_plans::int as custom from pg_prepared_statements',
  );
  return new Map(rows.map(({ name, ...runs }) => [name, runs]));
}
