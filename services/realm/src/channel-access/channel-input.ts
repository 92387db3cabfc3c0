import type { SystemGroupName } from '@parley/shared/access';
import { BadRequestError } from '@parley/shared/errors';
import type { GroupSetting } from '@parley/shared/proto';
import { REFUSAL } from '@parley/shared/texts/refusals';
import { codePointLength, findForbiddenCharacter, LIMITS } from '@parley/shared/values';
import type { SystemGroupIds } from '../group-settings/complete-settings';
import { namedGroup } from '../group-settings/group-setting';
import type { ChannelKind } from './permissions';

/** The normalized channel name. */
export function channelNameFromInput(text: string): string {
  const name = text.trim();
  if (name === '') throw new BadRequestError(REFUSAL.channels.nameEmpty);
  if (codePointLength(name) > LIMITS.channelNameLength) {
    throw new BadRequestError(REFUSAL.channels.nameTooLong(String(LIMITS.channelNameLength)));
  }
  const position = findForbiddenCharacter(name);
  if (position !== null) throw new BadRequestError(REFUSAL.channels.nameCharacter(String(position)));
  return name;
}

const LINE_BREAKS = /[\n\r\t]+/g;

/** The normalized description, as one line. */
export function channelDescriptionFromInput(text: string): string {
  const description = text.replace(LINE_BREAKS, ' ').trim();
  if (codePointLength(description) > LIMITS.channelDescriptionLength) {
    throw new BadRequestError(`description is too long (limit: ${LIMITS.channelDescriptionLength} characters)`);
  }
  const position = findForbiddenCharacter(description);
  if (position !== null) throw new BadRequestError(`Invalid character in description, at position ${position}.`);
  return description;
}

const UNLIMITED = -1;
/** A hundred years. */
const MAX_DAYS = 36_500;

/** The retention in days of a request's text: null as the organization, -1 forever. Quotes around a word are ignored. */
export function messageRetentionFromInput(text: string): number | null {
  if (isInheritedRetention(text)) return null;
  const word = unquoted(text);
  if (word === 'unlimited') return UNLIMITED;
  const days = /^\d{1,6}$/.test(word) ? Number(word) : 0;
  if (days < 1 || days > MAX_DAYS) throw new BadRequestError(`Bad value for 'message_retention_days': ${word}`);
  return days;
}

/** Whether the text asks for the organization's retention. */
export function isInheritedRetention(text: string): boolean {
  return unquoted(text) === 'realm_default';
}

function unquoted(text: string): string {
  return text.replace(/^"(.*)"$/, '$1');
}

export const INHERITED_TOPICS_POLICY = 'inherit';
export const EMPTY_TOPIC_ONLY = 'empty_topic_only';

const TOPICS_POLICIES = [INHERITED_TOPICS_POLICY, 'allow_empty_topic', 'disable_empty_topic', EMPTY_TOPIC_ONLY];

/** The policy of a request's text; an empty one is `inherit`. */
export function topicsPolicyFromInput(text: string): string {
  const policy = text === '' ? INHERITED_TOPICS_POLICY : text;
  if (!TOPICS_POLICIES.includes(policy)) throw new BadRequestError('Invalid topics_policy');
  return policy;
}

/** The topic of notices about a channel within it. */
export function channelEventsTopic({ topicsPolicy }: { topicsPolicy: string }): string {
  return topicsPolicy === EMPTY_TOPIC_ONLY ? '' : 'channel events';
}

// Old clients use this in place of can_send_message_group.
const POST_POLICIES: Readonly<Record<number, SystemGroupName>> = {
  1: 'role:everyone',
  2: 'role:administrators',
  3: 'role:fullmembers',
  4: 'role:moderators',
};
const EVERYONE_MAY_POST = 1;

/** The number for a value; values without one get that of everyone. */
export function postPolicyOf({ groupId }: GroupSetting, systemGroupIds: SystemGroupIds): number {
  const found = Object.entries(POST_POLICIES).find(([, name]) => systemGroupIds[name] === groupId);
  return found === undefined ? EVERYONE_MAY_POST : Number(found[0]);
}

/** The value for a number. */
export function groupOfPostPolicy(policy: number, systemGroupIds: SystemGroupIds): GroupSetting {
  const name = POST_POLICIES[policy];
  if (name === undefined) throw new BadRequestError('Invalid stream_post_policy');
  return namedGroup(systemGroupIds[name]);
}

/** The name of a kind of channel in notices. */
export function channelKindName({ isPrivate, isWebPublic, isHistoryPublic }: ChannelKind): string {
  if (isWebPublic) return 'Web-public';
  if (!isPrivate) return 'Public';
  return isHistoryPublic ? 'Private, shared history' : 'Private, protected history';
}
