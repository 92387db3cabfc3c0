import type { Conversation } from '../../narrow/narrow';
import { isSameNarrow } from '../../narrow/narrow';
import { conversationOf, newMessage, type Target, type Writing } from '../../store/composing';
import { finish } from '../../store/drafts';
import { channel, person, read } from '../../store/model';
import { post } from '../../store/outbox';
import { go, place } from '../../store/place';
import { isAmong, MANY_PEOPLE, mayMentionEverybody, mayPostIn, topicRuleOf } from '../../store/rights';
import { stopTyping } from '../../store/typing-notices';
import { uploadsOf } from '../../store/uploads';
import { texts } from '../../texts/texts';
import { confirm } from '../base/dialog';
import { mentionsIn } from './mentions';

/** Characters as the server counts them. */
export const lengthOf = (content: string) => [...content].length;

/** Why nothing can be written there at all; null: it can. */
export function barTo(target: Target): string | null {
  const t = texts.value;
  if (target.kind === 'channel') {
    const place = target.channelId === null ? undefined : channel(target.channelId);
    if (!place || mayPostIn(place)) return null;
    return place.is_archived ? t.channelIsArchived : t.mayNotPost;
  }
  const { realm_non_active_users: former } = read('people', 'settings');
  const gone = target.userIds.find((id) => former.some(({ user_id }) => user_id === id));
  if (gone !== undefined) return t.personIsAway(person(gone)?.full_name ?? '…');
  return mayWriteTo(target.userIds) ? null : t.mayNotWriteDirectly;
}

/** Somebody in the conversation has to be one of those who authorize it; everybody may write to bots and to themselves. */
function mayWriteTo(userIds: readonly number[]): boolean {
  const { user_id: own, realm_direct_message_permission_group: group } = read('settings');
  if (userIds.every((id) => id === own || person(id)?.is_bot)) return true;
  return [own, ...userIds].some((id) => isAmong(group, id));
}

/** The reason why it cannot be sent yet; null: none. */
export function lackOf(writing: Writing): string | null {
  const t = texts.value;
  const target = writing.target.value;
  const bar = barTo(target);
  if (bar) return bar;
  if (target.kind === 'direct' && target.userIds.length === 0) return t.peopleNeeded;
  if (target.kind === 'channel') {
    const place = target.channelId === null ? undefined : channel(target.channelId);
    if (!place) return t.channelNeeded;
    if (target.topic.trim() === '' && topicRuleOf(place) === 'required') return t.topicNeeded;
  }
  const over = lengthOf(writing.content.value) - read('settings').max_message_length;
  if (over > 0) return t.charactersOver(over);
  if (writing.content.value.trim() === '') return t.nothingToSend;
  return uploadsOf(writing).length > 0 ? t.stillUploading : null;
}

/** Asks before everybody in a large channel is notified. Returns why it is not sent; empty: the person does not want to. */
export async function checkEverybody(writing: Writing): Promise<string | null> {
  const target = writing.target.value;
  const place = target.kind === 'channel' && target.channelId !== null ? channel(target.channelId) : undefined;
  if (!place || place.subscriber_count <= MANY_PEOPLE || !mentionsIn(writing.content.value).everybody) return null;
  const { everybodyDenied, everybodyTitle, everybodyQuestion, sendToAll } = texts.value;
  if (!mayMentionEverybody(place)) return everybodyDenied;
  const question = everybodyQuestion(place.subscriber_count, place.name);
  return (await confirm(everybodyTitle, question, sendToAll)) ? null : '';
}

/** Sends what is complete, and goes to the conversation if the person wants that. */
export function sendNow(writing: Writing): void {
  const conversation = conversationOf(writing.target.value) as Conversation;
  post(withoutForbiddenTopic(conversation), writing.content.value.trim());
  end(writing);
  const isApart = writing.fixed === 'nothing';
  const wantsToGo = read().user_settings?.['web_navigate_to_sent_message'] !== false;
  if (wantsToGo && !isSameNarrow(place.value.narrow, conversation)) go(conversation);
  if (isApart) newMessage.value = null;
}

/** After it was sent or scheduled. */
export function end(writing: Writing): void {
  stopTyping();
  finish(writing);
}

/** Where only general chat is allowed, a topic that was typed before the channel was changed does not count. */
export function withoutForbiddenTopic(conversation: Conversation): Conversation {
  if (conversation.kind === 'direct') return conversation;
  const place = channel(conversation.channelId);
  return place && topicRuleOf(place) === 'none' ? { ...conversation, topic: '' } : conversation;
}
