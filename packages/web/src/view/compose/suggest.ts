import { computed } from '@preact/signals';
import { Hash, Lock, Megaphone, Users } from 'lucide';
import type { Target } from '../../store/composing';
import { knownPeople } from '../../store/known-people';
import { type Channel, channel, type Group, type Person, read } from '../../store/model';
import { names } from '../../store/names';
import { addressOf } from '../../store/place';
import { isAmong, mayMentionEverybody } from '../../store/rights';
import { topicsOf } from '../../store/topics';
import { texts } from '../../texts/texts';
import { findEmoji } from '../emoji/find-emoji';
import { mostUsed, vocabulary } from '../emoji/vocabulary';
import type { Choice } from './choice-list';
import { best, indexNames, type Named, NameSearch, SortedNames } from './ranking';
import type { Trigger } from './trigger';

/** A text that replaces what was typed; `after` follows the cursor. */
export interface Suggestion extends Choice {
  text: string;
  after?: string;
}

const MOST = 8;
const PREPARED_AFTER_MS = 500;
const WILDCARDS = new Set(['all', 'everyone', 'channel', 'stream', 'topic']);
const LANGUAGES =
  'bash c c++ c# css dart diff docker elixir go graphql haskell html ini java javascript json kotlin latex lua makefile markdown math nginx perl php powershell python quote r ruby rust scala scss spoiler sql swift text toml tsx typescript vue xml yaml';

/** The suggestions of a trigger in a conversation, the best first. */
export function suggest(trigger: Trigger, target: Target): readonly Suggestion[] {
  switch (trigger.kind) {
    case 'mention':
      return mentionsFor(trigger, target);
    case 'channel':
      return findChannels(trigger.query).map(channelSuggestion);
    case 'topic':
      return topicSuggestions(trigger.channel ?? '', trigger.query);
    case 'emoji':
      return emojiSuggestions(trigger.query);
    case 'language':
      return languageSuggestions(trigger.query);
    case 'command':
      return commandSuggestions(trigger.query);
  }
}

const sortedNames = new SortedNames<Person>(
  ({ full_name }) => full_name,
  ({ email }) => email.split('@', 1)[0] as string,
);

/** Active people and bots. */
const people = computed(() => sortedNames.of([...knownPeople.value, ...read('people').cross_realm_bots]));

const peopleSearch = new NameSearch<Person>();

/** Partners of direct conversations, the last one first. */
const partners = computed(() => {
  const order = new Map<number, number>();
  for (const { user_ids } of read('unread').recent_private_conversations) {
    for (const id of user_ids) if (!order.has(id)) order.set(id, order.size);
  }
  return order;
});

const channels = computed(() => {
  const { subscriptions, streams } = read('channels');
  const subscribed = new Set(subscriptions.map(({ stream_id }) => stream_id));
  const others = (streams ?? []).filter(({ stream_id }) => !subscribed.has(stream_id));
  const open = [...subscriptions, ...others].filter(({ is_archived }) => !is_archived);
  return { index: indexNames(open, ({ name }) => name), subscribed };
});

/** People by name or address; partners and subscribers of the channel come first. */
export function findPeople(query: string, target?: Target, without: readonly number[] = []): Person[] {
  const weightOf = personWeight(target);
  const most = MOST + without.length;
  const found = best(peopleSearch.matching(people.value, query, most), query, most, weightOf);
  return found.filter(({ user_id }) => !without.includes(user_id)).slice(0, MOST);
}

const WEIGHT = { partner: 1_000, together: 2_000, bot: 3_000, stranger: 10_000 };

function personWeight(target: Target | undefined): (person: Person) => number {
  const here = target?.kind === 'direct' ? new Set(target.userIds) : subscribersOf(target);
  const order = partners.value;
  return ({ user_id, is_bot }) =>
    Math.min(order.get(user_id) ?? WEIGHT.partner, WEIGHT.partner) +
    (here && !here.has(user_id) ? WEIGHT.stranger : 0) +
    (is_bot ? WEIGHT.bot : 0);
}

function subscribersOf(target: Target | undefined): ReadonlySet<number> | undefined {
  if (target?.kind !== 'channel' || target.channelId === null) return undefined;
  const { subscribers, partial_subscribers } = channel(target.channelId) ?? {};
  const ids = subscribers ?? partial_subscribers ?? [];
  if (lastSubscribers.ids !== ids || lastSubscribers.set.size !== ids.length)
    lastSubscribers = { ids, set: new Set(ids) };
  return lastSubscribers.set;
}

/** Subscribers of the channel that is written to; the list is changed in place. */
let lastSubscribers: { ids: readonly number[]; set: ReadonlySet<number> } = { ids: [], set: new Set() };

/** Folds names while nothing else is to do, so that the first mention does not wait for it. */
export function prepareSoon(): () => void {
  const prepare = () => {
    const [first] = people.peek();
    if (first) names.personName(first.item.user_id);
  };
  const handle = setTimeout(prepare, PREPARED_AFTER_MS);
  return () => clearTimeout(handle);
}

/** Channels by name, those with a subscription first. */
export function findChannels(query: string, isOffered: (channel: Channel) => boolean = () => true): Channel[] {
  const { index, subscribed } = channels.value;
  const found = best(
    index,
    query,
    MOST,
    (each) => (subscribed.has(each.stream_id) ? 0 : 1) + (isOffered(each) ? 0 : 2),
  );
  return found.filter(isOffered);
}

type Mentioned = { person: Person } | { group: Group } | { wildcard: string; note: string };

function mentionsFor({ query, isSilent = false }: Trigger, target: Target): Suggestion[] {
  const weightOf = personWeight(target);
  const others: Named<Mentioned>[] = [
    ...indexNames<Mentioned>(isSilent ? [] : wildcardsFor(target), (each) => ('wildcard' in each ? each.wildcard : '')),
    ...indexNames<Mentioned>(groupsFor(isSilent), (each) => ('group' in each ? each.group.name : '')),
  ];
  // A person has no member `person`.
  const index = [...peopleSearch.matching(people.value, query, MOST), ...others] as Named<Person | Mentioned>[];
  const found = best(index, query, MOST, (each) => ('user_id' in each ? weightOf(each) : WEIGHT.together));
  return found.map((each) => mentionSuggestion('user_id' in each ? { person: each } : each, isSilent));
}

function wildcardsFor(target: Target): Mentioned[] {
  const { everybodyHere, everybodyInChannel, everybodyInTopic } = texts.value;
  if (target.kind === 'direct') return [{ wildcard: 'all', note: everybodyHere }];
  const place = target.channelId === null ? undefined : channel(target.channelId);
  if (!place) return [];
  const note = everybodyInChannel(place.subscriber_count);
  const all = mayMentionEverybody(place) ? ['all', 'channel', 'everyone'].map((wildcard) => ({ wildcard, note })) : [];
  return [...all, { wildcard: 'topic', note: everybodyInTopic }];
}

function groupsFor(isSilent: boolean): Mentioned[] {
  const { realm_user_groups: groups } = read('people');
  const isOffered = (group: Group) =>
    !group.is_system_group && !group.deactivated && (isSilent || isAmong(group.can_mention_group));
  return groups.filter(isOffered).map((group) => ({ group }));
}

function mentionSuggestion(mentioned: Mentioned, isSilent: boolean): Suggestion {
  const sign = isSilent ? '@_' : '@';
  if ('person' in mentioned) {
    const { user_id: id, full_name: label, email, avatar_url } = mentioned.person;
    const unique = WILDCARDS.has(label) ? `${label}|${id}` : names.personName(id);
    const image = avatar_url ?? `/avatar/${id}`;
    return { key: `person/${id}`, label, note: email, image, text: `${sign}**${unique}** ` };
  }
  if ('group' in mentioned) {
    const { id, name, description, members } = mentioned.group;
    const note = description || texts.value.groupOf(members.length);
    return { key: `group/${id}`, label: name, note, icon: Users, text: `${sign}*${name}* ` };
  }
  const { wildcard, note } = mentioned;
  return { key: `all/${wildcard}`, label: wildcard, note, icon: Megaphone, text: `${sign}**${wildcard}** ` };
}

/** Names with signs of the syntax become plain links. */
const hasSyntax = (name: string) => /[`>*&[\]]|\$\$/.test(name);

function channelSuggestion({ stream_id: channelId, name, description, invite_only }: Channel): Suggestion {
  const text = hasSyntax(name)
    ? `[#${name.replace(/[[\]]/g, '')}](${addressOf({ kind: 'channel', channelId })}) `
    : `#**${name}** `;
  return { key: `${channelId}`, label: name, note: description, icon: invite_only ? Lock : Hash, text };
}

function topicSuggestions(channelName: string, query: string): Suggestion[] {
  const channelId = names.channelId(channelName.trim());
  if (channelId === undefined) return [];
  const name = channel(channelId)?.name ?? channelName;
  return findTopics(channelId, query).map((topic) => ({
    key: topic,
    label: topic || texts.value.generalChat,
    note: `#${name}`,
    icon: Hash,
    text: hasSyntax(name + topic)
      ? `[#${name} > ${topic}](${addressOf({ kind: 'topic', channelId, topic })}) `
      : `#**${name}>${topic}** `,
  }));
}

/** Topics by name, those with new messages first. */
export function findTopics(channelId: number, query: string): string[] {
  const topics = (topicsOf(channelId) ?? []).map(({ name }, at) => ({ name, at }));
  const index = indexNames(topics, ({ name }) => name || texts.value.generalChat);
  return best(index, query, MOST, ({ at }) => at).map(({ name }) => name);
}

function emojiSuggestions(query: string): Suggestion[] {
  return findEmoji(vocabulary(), query, MOST, mostUsed(MOST)).map(
    ({ emoji_name: name, names: all, image, text: sign }) => ({
      key: name,
      label: `:${name}:`,
      note: all.slice(1, 4).join(', '),
      image,
      sign,
      text: `:${name}: `,
    }),
  );
}

function languageSuggestions(query: string): Suggestion[] {
  const { realm_default_code_block_language: usual } = read('settings');
  const all = [...new Set([...(usual ? [usual] : []), ...LANGUAGES.split(' ')])];
  const found = all.filter((name) => name.startsWith(query.toLowerCase())).slice(0, MOST);
  return found.map((name) => ({ key: name, label: name, text: `${name}\n`, after: '\n```' }));
}

function commandSuggestions(query: string): Suggestion[] {
  const { pollCommand, todoCommand, meCommand, pollQuestion } = texts.value;
  const commands = [
    { label: '/poll', note: pollCommand, text: `/poll ${pollQuestion}` },
    { label: '/todo', note: todoCommand, text: '/todo ' },
    { label: '/me', note: meCommand, text: '/me ' },
  ];
  return commands.filter(({ label }) => label.startsWith(`/${query}`)).map((each) => ({ ...each, key: each.label }));
}
