import { BadRequestError } from '@parley/shared/errors';
import type { NewChannelSettings, User } from '@parley/shared/proto';
import { isAdministrator } from '@parley/shared/values';
import type { NewChannelKind } from './channels.sql';

const TOPICS_POLICIES = ['inherit', 'allow_empty_topic', 'disable_empty_topic', 'empty_topic_only'];

const NO_SETTINGS: NewChannelSettings = { isPrivate: false, isWebPublic: false, isDefault: false, topicsPolicy: '' };

/**
 * The kind of channel that the settings of a request describe, if the creator may make such a one. Every member may make
 * public and private channels.
 */
export function newChannelKind(
  settings: NewChannelSettings | null,
  creator: Pick<User, 'id' | 'role'>,
  createdAtMs: number,
): NewChannelKind {
  const { isPrivate, isWebPublic, isHistoryPublic, isDefault, topicsPolicy } = settings ?? NO_SETTINGS;
  if (isDefault && !isAdministrator(creator.role)) throw new BadRequestError('Insufficient permission');
  if (isDefault && isPrivate) throw new BadRequestError('A default channel cannot be private.');
  // They need visitors without an account, whom no organization admits yet.
  if (isWebPublic) throw new BadRequestError('Web-public channels are not enabled.');
  const policy = topicsPolicy === '' ? 'inherit' : topicsPolicy;
  if (!TOPICS_POLICIES.includes(policy)) throw new BadRequestError('Invalid topics_policy');
  return {
    creatorId: creator.id,
    isPrivate,
    isHistoryPublic: !isPrivate || isHistoryPublic === true,
    isDefault,
    topicsPolicy: policy,
    createdAtMs,
  };
}
