import type { Attachment, Draft, MutedUser, NavigationView, Reminder, SavedSnippet, ScheduledMessage } from '../proto';
import { ONBOARDING_STEPS, toSeconds } from '../values';

// Objects of one user: the same in GET, POST /register and events.

/** The API's draft object; for GET /drafts, POST /register and events. */
export function publicDraft({ id, channelId, recipientIds, topic, content, editedAtMs }: Draft) {
  return {
    id,
    ...addresseeOf(channelId, recipientIds),
    topic,
    content,
    timestamp: Math.floor(editedAtMs / 1_000),
  };
}

function addresseeOf(channelId: number | undefined, recipientIds: readonly number[]) {
  if (channelId !== undefined) return { type: 'stream' as const, to: [channelId] };
  return recipientIds.length > 0 ? { type: 'private' as const, to: [...recipientIds] } : { type: '' as const, to: [] };
}

/** The API's saved snippet object; for GET /saved_snippets, POST /register and events. */
export function publicSavedSnippet({ id, title, content, createdAtMs }: SavedSnippet) {
  return { id, title, content, date_created: Math.floor(createdAtMs / 1_000) };
}

/** The API's scheduled message object; for GET /scheduled_messages, POST /register and events. */
export function publicScheduledMessage({ id, deliverAtMs, renderedContent, hasFailed, ...rest }: ScheduledMessage) {
  const { channelId, recipientIds, topic, content } = rest;
  return {
    scheduled_message_id: id,
    ...(channelId === undefined
      ? { type: 'private' as const, to: [...recipientIds] }
      : { type: 'stream' as const, to: channelId, topic }),
    content,
    rendered_content: renderedContent,
    scheduled_delivery_timestamp: toSeconds(deliverAtMs),
    failed: hasFailed,
  };
}

/** The API's reminder object; for GET /reminders, POST /register and events. */
export function publicReminder({ id, userId, messageId, content, renderedContent, deliverAtMs, hasFailed }: Reminder) {
  return {
    reminder_id: id,
    type: 'private' as const,
    to: [userId],
    content,
    rendered_content: renderedContent,
    scheduled_delivery_timestamp: toSeconds(deliverAtMs),
    failed: hasFailed,
    reminder_target_message_id: messageId,
  };
}

/** The API's navigation view object; for GET /navigation_views, POST /register and events. */
export function publicNavigationView({ fragment, isPinned, name }: NavigationView) {
  return { fragment, is_pinned: isPinned, name: name ?? null };
}

/** A file as its owner sees it in the API. */
export function publicAttachment({ id, name, pathId, size, createdAtMs, messages }: Attachment) {
  return {
    id,
    name,
    path_id: pathId,
    size,
    create_time: toSeconds(createdAtMs),
    messages: messages.map((message) => ({ id: message.id, date_sent: toSeconds(message.sentAtMs) })),
    // COMPAT(level 472): clients of this level and later read these.
    message_ids: messages.map((message) => message.id),
  };
}

/** The API's object of a muted user; for POST /register and events. */
export function publicMutedUser({ userId, mutedAtMs }: MutedUser) {
  return { id: userId, timestamp: toSeconds(mutedAtMs) };
}

/** The hints that a user has not seen yet; in POST /register and in `onboarding_steps` events. */
export function publicOnboardingSteps(completed: readonly string[]) {
  const names = ONBOARDING_STEPS.filter((name) => !completed.includes(name));
  return names.map((name) => ({ type: 'one_time_notice' as const, name }));
}
