import type { ChannelReadFacts, NarrowTerm } from '@parley/shared/proto';
import {
  ALERT_WORD,
  CHANNELS,
  FIRST_HISTORY,
  LATEST_VERSION,
  type ModelMessage,
  POLICIES,
  READ_TO,
  READER_ID,
} from './narrow-organization';

/** The messages that a narrow matches, evaluated in the simplest way: message by message and term by term. */
export function leftOf(messages: readonly ModelMessage[], narrow: readonly NarrowTerm[]): ModelMessage[] {
  const searches = narrow.filter(({ operator }) => operator === 'search').map(({ text }) => text);
  const isFound = searches.length === 0 ? () => true : saying(searches.join(' '));
  const isInScope = scopeOf(narrow);
  const conditions = narrow.map((term) => conditionOf(term, narrow));
  return messages.filter(
    (message) => isInScope(message) && conditions.every((isMet) => isMet(message)) && isFound(message),
  );
}

type Condition = (message: ModelMessage) => boolean;

/** Answers are the same for each narrow, of which there are hundreds. */
function answeredOnce(condition: Condition): Condition {
  const answers = new WeakMap<ModelMessage, boolean>();
  return (message) => {
    const known = answers.get(message);
    if (known !== undefined) return known;
    const answer = condition(message);
    answers.set(message, answer);
    return answer;
  };
}

const CHANNEL_OF = new Map(CHANNELS.map((channel) => [channel.channelId, channel]));

function channelOf(id: number | null): ChannelReadFacts | undefined {
  return id === null ? undefined : CHANNEL_OF.get(id);
}

function wasIn(channelId: number | null, version: number | null, isLasting = false): boolean {
  const intervals = channelOf(channelId)?.intervals ?? [];
  return (isLasting ? intervals.slice(-1) : intervals).some(
    ({ fromVersion, toVersion }) =>
      version !== null &&
      fromVersion <= version &&
      (toVersion === undefined ? true : !isLasting && version < toVersion),
  );
}

function isReceived({ channelId, sentChannelId, sentVersion, participants }: ModelMessage): boolean {
  if (channelId === null) return participants.includes(READER_ID);
  const now = channelOf(channelId);
  const isStillTheirs = now?.hasContentAccess === true || (channelId === sentChannelId && now?.isPublic === true);
  return (isStillTheirs && wasIn(sentChannelId, sentVersion)) || isGained(channelId, sentChannelId);
}

/** Flags that mentions give apply to receivers who were present when the message moved. */
function isForReader({ channelId, sentChannelId, sentVersion }: ModelMessage): boolean {
  if (channelId === null) return true;
  return wasIn(sentChannelId, sentVersion) && (channelId === sentChannelId || wasIn(channelId, LATEST_VERSION));
}

/** Moved while the reader was subscribed, to a channel that shows received messages only. */
function isGained(channelId: number, sentChannelId: number | null): boolean {
  const now = channelOf(channelId);
  const isProtected = now?.hasContentAccess === true && !now.mayReadHistory;
  return isProtected && channelId !== sentChannelId && wasIn(channelId, LATEST_VERSION);
}

const isPersonal = answeredOnce((message) => {
  const mayRead = channelOf(message.channelId)?.mayReadHistory === true;
  return isReceived(message) || ((message.isHistorical || isGiven(message)) && mayRead);
});

/** Part of the recent history that the reader got on joining. */
export function isGiven({ id, sentChannelId }: ModelMessage): boolean {
  const { channelIds, fromId, toId } = FIRST_HISTORY;
  return id >= fromId && id <= toId && channelIds.some((channelId) => channelId === sentChannelId);
}

/** The reader's own messages, or all of the channels of which a narrow shows the history. */
function scopeOf(narrow: readonly NarrowTerm[]): Condition {
  const ofTopics = ['resolved', 'followed', 'muted'];
  if (narrow.some(({ operator, text }) => operator === 'is' && !ofTopics.includes(text as string))) return isPersonal;
  const isDecisive = ({ operator, text }: NarrowTerm) =>
    operator === 'channel' || (operator === 'channels' && text === 'public');
  const last = narrow.filter((term) => isDecisive(term) && !term.isNegated).at(-1);
  if (last?.operator === 'channels') return ({ channelId }) => channelOf(channelId)?.isPublic === true;
  const named = last && CHANNELS.find((channel) => isNamed(channel, last));
  return named?.mayReadHistory ? ({ channelId }) => channelId === named.channelId : isPersonal;
}

function isNamed({ channelId, name }: ChannelReadFacts, { id, text }: NarrowTerm): boolean {
  return id === undefined ? name.toLowerCase() === text?.toLowerCase() : id === channelId;
}

function conditionOf(term: NarrowTerm, narrow: readonly NarrowTerm[]): Condition {
  const userId = term.id ?? Number(/^u(\d)@x$/.exec(term.text ?? '')?.[1]);
  const isNegated = term.isNegated && !['search', 'near', 'in', 'with'].includes(term.operator);
  return (message) => meetsPositively(message, term, userId, narrow) !== isNegated;
}

function meetsPositively(
  message: ModelMessage,
  term: NarrowTerm,
  userId: number,
  narrow: readonly NarrowTerm[],
): boolean {
  const { channelId, participants } = message;
  const channel = channelOf(channelId);
  const isDirect = channelId === null;
  const { operator, text, id } = term;
  switch (operator) {
    case 'channel':
      return channel !== undefined && isNamed(channel, term);
    case 'channels':
      return (
        { public: channel?.isPublic, 'web-public': channel?.isWebPublic, archived: channel?.isArchived }[
          text as string
        ] === true
      );
    case 'topic':
      return !isDirect && message.topic.toLowerCase() === (text === 'general chat' ? '' : text?.toLowerCase());
    case 'sender':
      return message.senderId === userId;
    case 'dm': {
      const wanted = new Set([
        ...(term.isList ? term.ids : (text?.split(',') ?? []).map((email) => Number(email[1]))),
        READER_ID,
      ]);
      const isNobody = term.isList && term.ids.length === 0;
      return (
        !isNobody && isDirect && participants.length === wanted.size && participants.every((each) => wanted.has(each))
      );
    }
    case 'dm-including':
      return isDirect && participants.includes(READER_ID) && participants.includes(userId);
    case 'group-pm-with':
      return isDirect && participants.includes(READER_ID) && participants.includes(userId) && participants.length > 2;
    case 'id':
      return message.id === Number(id ?? text);
    case 'has':
      return has(message, text as string);
    case 'is':
      return is(message, text as string, narrow);
    case 'in':
      return text === 'all' || !isMuted(message, narrow);
    case 'mentions':
      return message.mentioned.includes(userId);
    default:
      return true;
  }
}

function has({ extras, hasReaction }: ModelMessage, what: string): boolean {
  if (what === 'reaction') return hasReaction;
  if (what === 'image') return extras.includes('image');
  if (what === 'attachment') return extras.some((extra) => ['attachment', 'image'].includes(extra));
  return extras.some((extra) => ['link', 'attachment', 'image'].includes(extra));
}

function is(message: ModelMessage, what: string, narrow: readonly NarrowTerm[]): boolean {
  switch (what) {
    case 'dm':
      return message.channelId === null;
    case 'starred':
      return message.isStarred;
    case 'mentioned':
      return (
        isForReader(message) &&
        (message.mentionsChannel ||
          message.mentionsTopic ||
          [...message.mentioned, ...message.groupMentioned].includes(READER_ID))
      );
    case 'unread':
      return isUnread(message);
    case 'alerted':
      return isForReader(message) && message.words.includes(ALERT_WORD);
    case 'resolved':
      return message.topic.startsWith('✔ ');
    case 'followed':
      return policyOf(message) === 3;
    default:
      return isMuted(message, narrow);
  }
}

function isUnread({
  id,
  channelId,
  sentChannelId,
  sentVersion,
  participants,
  senderId,
  isReadBySender,
}: ModelMessage): boolean {
  if (id <= READ_TO || (senderId === READER_ID && isReadBySender)) return false;
  if (channelId === null) return participants.includes(READER_ID);
  const now = channelOf(channelId);
  return (
    now?.isSubscribed === true &&
    !now.isArchived &&
    channelOf(sentChannelId)?.isSubscribed === true &&
    wasIn(sentChannelId, sentVersion, true)
  );
}

function policyOf({ channelId, topic }: ModelMessage): number {
  return POLICIES.find(([ofChannel, name]) => ofChannel === channelId && name === topic)?.[2] ?? 0;
}

function isMuted(message: ModelMessage, narrow: readonly NarrowTerm[]): boolean {
  const policy = policyOf(message);
  const namesChannel = narrow.some(({ operator, isNegated }) => operator === 'channel' && !isNegated);
  return policy === 1 || (!namesChannel && policy === 0 && channelOf(message.channelId)?.isMuted === true);
}

const STEMS: Record<string, string> = {
  lunches: 'lunch',
  running: 'run',
  errors: 'error',
  reports: 'report',
  plans: 'plan',
};
const STOP_WORDS = new Set(['the', 'and']);

function stemsIn(text: string): string[] {
  const words = text.toLowerCase().match(/[a-z]+/g) ?? [];
  return words.filter((word) => !STOP_WORDS.has(word)).map((word) => STEMS[word] ?? word);
}

/** The same for each narrow, and costly for 22,000 messages. */
const saidIn = new WeakMap<ModelMessage, ReadonlySet<string>>();

function stemsOf(message: ModelMessage): ReadonlySet<string> {
  const known = saidIn.get(message);
  if (known) return known;
  const { words, topic, extras, mentioned } = message;
  const more = [
    ...extras.map((extra) => ({ link: 'x', attachment: 'a.txt' })[extra as string] ?? ''),
    ...mentioned.map((id) => `U${id}`),
  ];
  const said = new Set([...words.flatMap(stemsIn), ...stemsIn(topic), ...more]);
  saidIn.set(message, said);
  return said;
}

/** Whether messages say what is sought. */
function saying(sought: string): (message: ModelMessage) => boolean {
  const stems = stemsIn(sought);
  const phrases = [...sought.matchAll(/"([^"]+)"/g)].map(([, phrase]) => (phrase as string).toLowerCase());
  return (message) => {
    const said = stemsOf(message);
    if (stems.length === 0 || !stems.every((stem) => said.has(stem))) return false;
    const texts = [message.words.join(' '), message.topic.toLowerCase()];
    return phrases.every((phrase) => texts.some((text) => text.includes(phrase)));
  };
}
