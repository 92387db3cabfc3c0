import { createHash } from 'node:crypto';
import { BadRequestError, ExpectationMismatchError } from '@parley/shared/errors';
import type { EditMessageRequest } from '@parley/shared/proto';
import { REFUSAL } from '@parley/shared/texts/refusals';
import { EMPTY_TOPIC_DISPLAY_NAME, findForbiddenCharacter, RESOLVED_TOPIC_PREFIX } from '@parley/shared/values';
import { accessChannel, checkTopicsPolicy } from '../access/permissions';
import { checkContent, normalizeContent } from '../content/compose-message';
import { checkAccess, type LoadedEditFacts } from '../messages/edit-facts';
import type { MessageRow } from '../messages/message.sql';
import { storedTopic, type Toggle, toggleOf } from '../messages/resolved-topic';
import { checkContentEdit, checkMoveOut, checkResolve, checkTopicEdit, moveLimit, type Rights } from './permissions';

const DELETED_CONTENT = '(deleted)';

/** Maximum size of a message's contents, current and former: its history returns all of them. */
const MAX_HISTORY_BYTES = 4 * 1024 * 1024;

/** The changes of a request; unchanged parts are absent. */
export interface EditPlan {
  /** Normalized. */
  content?: string;
  topic?: string;
  channelId?: number;
  /** The topic is only resolved or unresolved, in its channel. */
  toggle: Toggle | null;
  propagateMode: string;
  /** Maximum age of moved messages; null: any age. */
  moveLimitSecs: number | null;
}

type EditSubject = MessageRow & { isWidget: boolean; historyBytes: number };

/**
 * Plans a permitted edit; throws otherwise. The order of these checks is visible to clients with several errors;
 * checks that need the rendered content or the whole topic come later.
 */
export function planEdit(
  request: EditMessageRequest,
  message: EditSubject,
  facts: LoadedEditFacts,
  nowMs: number,
): EditPlan {
  const rights = { ...rightsOf(message, facts), nowMs };
  checkAccess(message, facts);
  if (request.content !== undefined) checkContentEdit(message, facts.settings, rights);
  const wanted = wantedOf(request, message);
  checkWanted(wanted, request, message);
  checkExpectation(request, message);
  if (wanted.channelId !== undefined) checkTarget(wanted.channelId, facts);
  checkPolicy(wanted, message, facts);
  const toggle = wanted.name === undefined ? null : toggleOf(message.topic, wanted.name);
  if (toggle) checkResolve(rights);
  else if (wanted.name !== undefined) checkTopicEdit(rights);
  const isToOtherTopic = wanted.name !== undefined && toggle === null;
  const isToOtherChannel = wanted.channelId !== undefined;
  return {
    ...(request.content === undefined ? {} : { content: contentFromEdit(request.content) }),
    ...(wanted.name === undefined ? {} : { topic: storedTopic(wanted.name) }),
    ...(wanted.channelId === undefined ? {} : { channelId: wanted.channelId }),
    toggle: wanted.channelId === undefined ? toggle : null,
    propagateMode: request.propagateMode,
    moveLimitSecs: moveLimit(facts.settings, { isToOtherTopic, isToOtherChannel }, rights),
  };
}

/** Throws unless the messages may be moved to the other channel. */
export function checkChannelChange(channelId: number, message: MessageRow, facts: LoadedEditFacts): void {
  checkMoveOut(rightsOf(message, facts));
  const destination = { channelId, channelName: undefined, topic: '' };
  accessChannel(destination, facts.channels.get(channelId)?.send ?? null);
}

function rightsOf({ channelId }: MessageRow, { actor, permissions, channels }: LoadedEditFacts): Omit<Rights, 'nowMs'> {
  const ofChannel = channelId === null ? undefined : channels.get(channelId);
  return {
    actorId: actor.id,
    role: actor.role,
    realm: permissions,
    channel: new Set(ofChannel?.permissions),
  };
}

interface Wanted {
  /** Not yet cut to the limit. */
  name?: string;
  channelId?: number;
}

/** Current values are no changes. */
function wantedOf({ topic, channelId }: EditMessageRequest, message: MessageRow): Wanted {
  const trimmed = topic?.trim();
  const name = trimmed === EMPTY_TOPIC_DISPLAY_NAME ? '' : trimmed;
  const isOther = name !== undefined && name !== message.topic && storedTopic(name) !== message.topic;
  return {
    ...(isOther ? { name } : {}),
    ...(channelId === undefined || channelId === message.channelId ? {} : { channelId }),
  };
}

function checkWanted({ name, channelId }: Wanted, request: EditMessageRequest, message: EditSubject): void {
  const isMove = name !== undefined || channelId !== undefined;
  if (!isMove && request.content === undefined) throw new BadRequestError('Nothing to change');
  if (message.channelId === null && channelId !== undefined) {
    throw new BadRequestError('Direct messages cannot be moved to channels.');
  }
  if (message.channelId === null && name !== undefined)
    throw new BadRequestError('Direct messages cannot have topics.');
  if (!isMove && request.propagateMode !== 'change_one') {
    throw new BadRequestError('Invalid propagate_mode without topic edit');
  }
  if (name !== undefined) checkName(name);
  if (channelId !== undefined && request.content !== undefined) {
    throw new BadRequestError('Cannot change message content while changing channel');
  }
  if (request.content !== undefined) checkHistory(message);
}

function checkHistory({ isWidget, historyBytes }: EditSubject): void {
  if (isWidget) throw new BadRequestError(REFUSAL.messages.widgetsStay);
  if (historyBytes > MAX_HISTORY_BYTES) throw new BadRequestError(REFUSAL.messages.editedTooOften);
}

function checkName(name: string): void {
  const resolved = [RESOLVED_TOPIC_PREFIX.trim(), RESOLVED_TOPIC_PREFIX + EMPTY_TOPIC_DISPLAY_NAME];
  if (resolved.includes(name)) throw new BadRequestError(REFUSAL.messages.generalIsNotResolved);
  const position = findForbiddenCharacter(name);
  if (position !== null) throw new BadRequestError(REFUSAL.channels.topicCharacter(String(position)));
}

function checkExpectation({ prevContentSha256 }: EditMessageRequest, { content }: MessageRow): void {
  if (prevContentSha256 === undefined) return;
  const hash = createHash('sha256').update(content).digest('hex');
  if (hash !== prevContentSha256) throw new ExpectationMismatchError('prev_content_sha256');
}

function checkTarget(channelId: number, { reader, channels }: LoadedEditFacts): void {
  const target = reader.channels.get(channelId);
  const isOpen = target?.hasContentAccess === true && !target.isArchived && channels.has(channelId);
  if (!isOpen) throw new BadRequestError('Invalid channel ID');
}

/** If only the empty topic is allowed, no edit may change another topic; if it is not allowed, no edit may lead to it. */
function checkPolicy({ name, channelId }: Wanted, message: MessageRow, { channels, send }: LoadedEditFacts): void {
  if (message.channelId === null) return;
  const channel = channels.get(channelId ?? message.channelId)?.channel;
  if (!channel) throw new BadRequestError('Invalid channel ID');
  const topic = name ?? message.topic;
  const isMove = name !== undefined || channelId !== undefined;
  if (isMove || topic !== '') checkTopicsPolicy(topic, channel.topicsPolicy, send.realm.topicsPolicy);
}

function contentFromEdit(text: string): string {
  if (text.trimEnd() === '') return DELETED_CONTENT;
  checkContent(text);
  return normalizeContent(text);
}
