import { BadNarrowError } from '@parley/shared/errors';
import type { NarrowTerm } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { EMPTY_TOPIC_DISPLAY_NAME, findForbiddenCharacter, topicKey } from '@parley/shared/values';
import type { Context } from '../context';
import { listTopics } from '../conversations/conversation.sql';
import type { Reader } from '../messages/permissions';
import { checkTerms } from './check-terms';
import type { Conversation, Filter } from './filter';
import { resolveDirect } from './resolve-direct';

/** What one term selects. */
interface Selection<Item> {
  isNegated: boolean;
  items: Item[];
}

/** Looks up what the terms name. Throws BAD_NARROW for what does not exist or is not known to the reader. */
export async function resolveNarrow(
  ctx: Context,
  caller: Caller,
  terms: readonly NarrowTerm[],
  reader: Reader,
): Promise<Filter> {
  checkTerms(terms);
  const ofOperator = (operator: string) => terms.filter((term) => term.operator === operator);
  const channels = ofOperator('channel').map((term) => selection(term, [channelIdOf(term, reader)]));
  const channelIds = intersection(channels, (id) => id);
  const within = channelIds ?? [...reader.channels.keys()];
  const conversations = await Promise.all([
    ...ofOperator('topic').map(async (term) => selection(term, await topicsOf(ctx, caller, term, within))),
    ...ofOperator('dm').map(async (term) => selection(term, await resolveDirect(ctx, caller, term))),
  ]);
  return {
    channelIds,
    conversations: intersection(conversations, ({ id }) => id),
    excludedChannelIds: excluded(channels),
    excludedConversationIds: excluded(conversations).map(({ id }) => id),
    isHistoryIncluded: isHistoryIncluded(channels, reader),
  };
}

function selection<Item>({ isNegated }: NarrowTerm, items: Item[]): Selection<Item> {
  return { isNegated, items };
}

function channelIdOf({ id, text }: NarrowTerm, reader: Reader): number {
  const name = text?.trim().toLowerCase();
  const channel =
    id === undefined
      ? [...reader.channels.values()].find((candidate) => candidate.name.toLowerCase() === name)
      : reader.channels.get(id);
  if (!channel) throw new BadNarrowError(`unknown channel ${id ?? text}`);
  return channel.channelId;
}

async function topicsOf(
  ctx: Context,
  caller: Caller,
  { text = '' }: NarrowTerm,
  channelIds: number[],
): Promise<Conversation[]> {
  if (findForbiddenCharacter(text) !== null) return [];
  const topic = text === EMPTY_TOPIC_DISPLAY_NAME ? '' : text;
  return listTopics(ctx.db, caller.realmId, channelIds, topicKey(topic));
}

/** What all of the terms select that are not negated; undefined when there are none. */
function intersection<Item>(selections: Selection<Item>[], idOf: (item: Item) => number): Item[] | undefined {
  const [first, ...others] = selections.filter(({ isNegated }) => !isNegated);
  return first?.items.filter((item) => others.every(({ items }) => items.some((other) => idOf(other) === idOf(item))));
}

function excluded<Item>(selections: Selection<Item>[]): Item[] {
  return selections.filter(({ isNegated }) => isNegated).flatMap(({ items }) => items);
}

/** The last channel decides. */
function isHistoryIncluded(channels: Selection<number>[], reader: Reader): boolean {
  const last = channels.filter(({ isNegated }) => !isNegated).at(-1)?.items[0];
  return last !== undefined && reader.channels.get(last)?.mayReadHistory === true;
}
