import type { Sql } from '@parley/shared/db';
import { BadRequestError } from '@parley/shared/errors';
import type { OpenInvitedAccountRequest } from '@parley/shared/proto';
import { EMAIL_VISIBLE_TO } from '@parley/shared/values';
import { possibleTexts } from '../possible-values';
import { settingsFromInput } from '../user-settings/settings-from-input';
import { timezoneFromInput } from '../user-settings/timezone-from-input';
import type { Beginning } from '../users/open-account';
import { listChannelsOfGroups } from './invited-accounts.sql';

const VISIBILITIES: readonly number[] = Object.values(EMAIL_VISIBLE_TO);
const MAX_CHANNEL_GROUPS = 100;

/** What an account begins with: by its invitation, and as its holder has chosen while accepting. */
export async function beginningFromInput(sql: Sql, request: OpenInvitedAccountRequest): Promise<Beginning> {
  const { timezone, defaultLanguage, emailAddressVisibility: visibility } = request;
  if (visibility !== undefined && !VISIBILITIES.includes(visibility)) {
    throw new BadRequestError('Invalid email_address_visibility: Value error, Not in the list of possible values');
  }
  const language = settingsFromInput(
    defaultLanguage === '' ? [] : [{ name: 'default_language', text: defaultLanguage }],
  );
  return {
    channelIds: [...request.channelIds, ...(await channelsOfGroups(sql, request))],
    includesDefaultChannels: request.includesDefaultChannels,
    timezone: timezone === '' ? '' : timezoneFromInput(timezone),
    emailAddressVisibility: visibility ?? null,
    settings: language,
  };
}

async function channelsOfGroups(
  sql: Sql,
  { realmId, defaultChannelGroups: names }: OpenInvitedAccountRequest,
): Promise<number[]> {
  if (names.length === 0) return [];
  if (names.length > MAX_CHANNEL_GROUPS) {
    throw new BadRequestError(`default_stream_groups is too long (limit: ${MAX_CHANNEL_GROUPS} items)`);
  }
  const found = await listChannelsOfGroups(sql, realmId, possibleTexts([...new Set(names)]));
  return found.flatMap(({ name, channelIds }) => {
    if (channelIds === null) throw new BadRequestError(`Invalid default channel group ${name}`);
    return channelIds;
  });
}
