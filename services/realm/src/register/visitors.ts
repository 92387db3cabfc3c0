import type { Sql } from '@parley/shared/db';
import { UnauthorizedError } from '@parley/shared/errors';
import type {
  AdmittedVisitor,
  AdmitVisitorRequest,
  Channel,
  KnownChannels,
  OwnState,
  RegisterState,
  User,
} from '@parley/shared/proto';
import { dummyEmail, EMAIL_VISIBLE_TO, ROLES, realmSettingsOf, VISITOR_ID } from '@parley/shared/values';
import type { Context } from '../context';
import { findRealmBySubdomain } from '../organization/realms.sql';
import { pickColor } from '../subscriptions/plan-subscriptions';
import type { Readers } from './get-own-state';
import { NOTHING_SHARED, organizationState } from './organization-state';
import { personalState } from './personal-state';
import { loadPersonalState } from './register.sql';

/** The organization, if it admits visitors without an account. */
export async function admitVisitor(ctx: Context, { subdomain }: AdmitVisitorRequest): Promise<AdmittedVisitor> {
  const realm = ctx.config.WEB_PUBLIC_STREAMS_ENABLED ? await findRealmBySubdomain(ctx.db, subdomain) : null;
  if (!realm || realm.isDeactivated || !realmSettingsOf(realm).enable_spectator_access) {
    throw new UnauthorizedError('Not logged in: API authentication or user session required');
  }
  return { realmId: realm.id };
}

/**
 * The realm's part of POST /register for visitors: the organization, and its web-public channels as subscriptions; nothing of an account.
 */
export async function getVisitorState(
  ctx: Context,
  sql: Sql,
  { organizationOf, channelsOf }: Readers,
  realmId: number,
): Promise<Omit<OwnState, 'versions' | 'channels'>> {
  const [{ facts, lists }, { channels }, personal] = await Promise.all([
    organizationOf(sql, realmId),
    channelsOf(realmId, { sql }),
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
    // Profiles are hidden from visitors.
    lists: { ...lists, profileFields: [] },
    personal: personalState(own, preset, []),
    bots: [],
    snapshot: '',
  };
  return { state, knownChannels: asSubscribed(channels.filter(isShown)), bots: Buffer.from('[]') };
}

function isShown({ isWebPublic, isArchived }: Channel): boolean {
  return isWebPublic && !isArchived;
}

function asSubscribed(channels: readonly Channel[]): KnownChannels[] {
  const usedColors = new Set<string>();
  return channels.map(({ id }) => {
    const color = pickColor(usedColors, id);
    usedColors.add(color);
    const subscription = { channel: null, color, isMuted: false, isPinned: false };
    return { channelIds: [id], isSubscribed: true, subscription };
  });
}

/** A visitor as a user: a guest in no group. */
function visitor(realmId: number): User {
  return {
    id: VISITOR_ID,
    realmId,
    email: dummyEmail(VISITOR_ID),
    deliveryEmail: '',
    fullName: 'Anonymous User',
    role: ROLES.guest,
    isBot: false,
    isActive: true,
    timezone: '',
    avatarSource: 'G',
    avatarVersion: 1,
    emailAddressVisibility: EMAIL_VISIBLE_TO.nobody,
    joinedAtMs: 0,
  };
}
