import type { Sql } from '@parley/shared/db';
import { BadRequestError } from '@parley/shared/errors';
import type { Channel, DefaultChannelGroup } from '@parley/shared/proto';
import { codePointLength, findForbiddenCharacter, LIMITS } from '@parley/shared/values';
import { loadChannelsByNames } from '../channels/channels.sql';
import { nameKey } from '../name-key';
import { possibleTexts } from '../possible-values';

const MAX_CHANNELS = 500;

/** The name that a sent text means, unless another set has it. */
export function groupNameFromInput(text: string, others: readonly DefaultChannelGroup[]): string {
  const name = text.trim();
  if (name === '' || findForbiddenCharacter(name) !== null) {
    throw new BadRequestError(`Invalid default channel group name '${name}'`);
  }
  if (codePointLength(name) > LIMITS.channelNameLength) {
    throw new BadRequestError(`Default channel group name too long (limit: ${LIMITS.channelNameLength} characters)`);
  }
  if (others.some((other) => other.name === name)) {
    throw new BadRequestError(`Default channel group '${name}' already exists`);
  }
  return name;
}

/** The description that a sent text means. */
export function groupDescriptionFromInput(text: string): string {
  const limit = LIMITS.channelDescriptionLength;
  if (codePointLength(text) > limit) throw new BadRequestError(`description is too long (limit: ${limit} characters)`);
  return text.replaceAll('\0', '');
}

/** The channels of those names, each once; administrators, who ask, know of every channel. */
export async function findNamedChannels(sql: Sql, realmId: number, texts: readonly string[]): Promise<Channel[]> {
  if (texts.length > MAX_CHANNELS) throw new BadRequestError(`Too many channels (limit: ${MAX_CHANNELS})`);
  const names = texts.map((text) => text.trim());
  const channels = await loadChannelsByNames(sql, realmId, possibleTexts(names.map(nameKey)));
  const found = new Set(channels.filter(({ isArchived }) => !isArchived).map(({ name }) => nameKey(name)));
  const missing = names.find((name) => !found.has(nameKey(name)));
  if (missing !== undefined) throw new BadRequestError(`Invalid channel name '${missing}'`);
  return channels;
}

/** The set of that id. */
export function findGroup(groups: readonly DefaultChannelGroup[], id: number): DefaultChannelGroup {
  const group = groups.find((candidate) => candidate.id === id);
  if (!group) throw new BadRequestError(`Invalid default channel group ${id}`);
  return group;
}
