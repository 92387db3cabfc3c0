import type { Sql } from '@parley/shared/db';
import type { Channel, KnownChannel, OwnState, RegisterState } from '@parley/shared/proto';
import { VISITOR_ID } from '@parley/shared/values';
import type { Context } from '../context';
import type { Readers } from '../register/get-own-state';
import { organizationState } from '../register/load-organization';
import { NOTHING_SHARED } from '../register/organization-state';
import { personalState } from '../register/personal-state';
import { loadPersonalState } from '../register/personal-state.sql';
import { pickColor } from '../subscriptions/colors';
import { visitor } from './visitor';

/**
 * The realm's part of POST /register for whoever is not signed in: the organization, its web-public channels as if they were
 * subscribed to those, and nothing that is some account's.
 */
export async function getVisitorState(
  ctx: Context,
  sql: Sql,
  { organizationOf, channelsOf }: Readers,
  realmId: number,
): Promise<Omit<OwnState, 'versions'>> {
  const [{ facts, lists }, { channels }, personal] = await Promise.all([
    organizationOf(sql, realmId),
    channelsOf(realmId, sql),
    loadPersonalState(sql, realmId, VISITOR_ID),
  ]);
  const own = visitor(realmId);
  const preset = { ...personal, chosen: { web_home_view: 'recent' as const } };
  const state: RegisterState = {
    ...organizationState(ctx, facts, { user: own, isFullMember: false, groupIds: new Set() }),
    ...NOTHING_SHARED,
    ownUser: own,
    defaultChannelIds: [],
    defaultChannelGroups: [],
    // Profiles are for people with an account.
    lists: { ...lists, profileFields: [] },
    personal: personalState(own, preset, []),
    bots: [],
    snapshot: '',
  };
  return { state, channels: asSubscribed(channels.filter(isShown)) };
}

function isShown({ isWebPublic, isArchived }: Channel): boolean {
  return isWebPublic && !isArchived;
}

function asSubscribed(channels: readonly Channel[]): KnownChannel[] {
  const usedColors = new Set<string>();
  return channels.map(({ id }) => {
    const color = pickColor(usedColors, id);
    usedColors.add(color);
    const subscription = { channel: null, color, isMuted: false, isPinned: false };
    return { channelId: id, isSubscribed: true, subscription };
  });
}
