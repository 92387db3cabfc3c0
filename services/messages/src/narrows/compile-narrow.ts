import type { NarrowTerm } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Reader } from '../access/permissions';
import type { Context } from '../context';
import { checkTerms, searchIn } from './check-terms';
import { compileTerm, type Part, type Resolved } from './compile-term';
import { says } from './conditions.sql';
import { decideScope } from './decide-scope';
import type { Conversation, Lead, Narrow, TextSearch } from './narrow';
import { followMessage, resolveUsers } from './resolve-users';
import { listTopicPolicyPlaces } from './scope.sql';

const POLICY_OPERANDS = new Set(['followed', 'muted', 'home']);

/**
 * Looks up the names in the terms, and returns how to find the matching messages. Throws BAD_NARROW for names that do not exist
 * or are unknown to the reader.
 */
export async function compileNarrow(
  ctx: Context,
  caller: Caller,
  sent: readonly NarrowTerm[],
  reader: Reader,
): Promise<Narrow> {
  checkTerms(sent);
  const { terms, conversation } = await followMessage(ctx, caller, sent, reader);
  const resolved = await resolve(ctx, caller, terms, reader);
  const parts: Part[] = conversation ? [partOf(conversation)] : [];
  for (const term of terms) parts.push(await compileTerm(ctx, term, resolved));
  const search = searchIn(terms);
  const [lead, ...otherLeads] = bestFirst([...parts.map((part) => part.lead), search ? leadOf(search) : undefined]);
  return {
    scope: decideScope(terms, reader, conversation?.channelId ?? null),
    messageIds: intersection(
      parts.map(({ messageIds }) => messageIds),
      itself,
    ),
    channelIds: intersection(
      parts.map(({ channelIds }) => channelIds),
      itself,
    ),
    conversations: intersection(
      parts.map(({ conversations }) => conversations),
      ({ id }) => id,
    ),
    places: parts.map(({ places }) => places).find((places) => places !== undefined),
    exceptChannelIds: parts.flatMap(({ exceptChannelIds = [] }) => exceptChannelIds),
    firstId: Math.max(...parts.map(({ firstId = 0 }) => firstId), 0),
    conditions: [...parts.flatMap(({ conditions = [] }) => conditions), ...(search ? [says(search)] : [])],
    lead,
    otherLeads,
    isUnread: parts.some(({ isUnread }) => isUnread === true),
    search,
    namesChannel: resolved.namesChannel || typeof conversation?.channelId === 'number',
  };
}

const itself = (id: number) => id;

function partOf(conversation: Conversation): Part {
  return { conversations: [conversation] };
}

async function resolve(ctx: Context, caller: Caller, terms: readonly NarrowTerm[], reader: Reader): Promise<Resolved> {
  const asksPolicies = terms.some(
    ({ operator, text }) => ['is', 'in'].includes(operator) && POLICY_OPERANDS.has(text ?? ''),
  );
  const [users, places] = await Promise.all([
    resolveUsers(ctx, caller, terms, reader),
    asksPolicies ? listTopicPolicyPlaces(ctx.db, caller.realmId, caller.userId) : [],
  ]);
  const policies = places.filter(({ channelId }) => reader.channels.has(channelId));
  const namesChannel = terms.some(({ operator, isNegated }) => operator === 'channel' && !isNegated);
  return { reader, users, policies, namesChannel, channelIds: channelIdsIn(terms, reader) };
}

/** The channels in which topics are looked up: the named ones, or all known to the reader. */
function channelIdsIn(terms: readonly NarrowTerm[], reader: Reader): number[] {
  const names = terms.filter(({ operator, isNegated }) => operator === 'channel' && !isNegated);
  const isNamed = (channelId: number, channelName: string) =>
    names.some(({ id, text }) => id === channelId || text?.trim().toLowerCase() === channelName.toLowerCase());
  const known = [...reader.channels.values()];
  return (names.length === 0 ? known : known.filter((channel) => isNamed(channel.channelId, channel.name))).map(
    ({ channelId }) => channelId,
  );
}

function leadOf({ words }: TextSearch): Lead {
  return { routes: [{ kind: 'search', words }], isPersonal: false };
}

const LEADS = ['starred', 'mention', 'search', 'alert', 'sender', 'reaction', 'has'];

function bestFirst(leads: readonly (Lead | undefined)[]): Lead[] {
  const rank = ({ routes: [first] }: Lead) => LEADS.indexOf(first?.kind ?? '');
  return leads.filter((lead) => lead !== undefined).sort((a, b) => rank(a) - rank(b));
}

/** The items in all of the lists; undefined without lists. */
function intersection<Item>(
  lists: readonly (readonly Item[] | undefined)[],
  idOf: (item: Item) => number,
): readonly Item[] | undefined {
  const [first, ...others] = lists.filter((list) => list !== undefined);
  const sets = others.map((list) => new Set(list.map(idOf)));
  return first?.filter((item) => sets.every((set) => set.has(idOf(item))));
}
