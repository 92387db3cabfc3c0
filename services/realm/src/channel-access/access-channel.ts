import {
  CHANNEL_PERMISSION_SETTINGS,
  type ChannelPermissionName,
  REALM_PERMISSION_SETTINGS,
  type RealmPermissionName,
} from '@parley/shared/access';
import type { Sql, Transaction } from '@parley/shared/db';
import { BadRequestError, CannotAdministerChannelError } from '@parley/shared/errors';
import type { Channel, GroupSetting } from '@parley/shared/proto';
import type { Actor } from '../actors/actor';
import { mayBy } from '../actors/permissions';
import { possibleIds } from '../base/possible-values';
import type { Context } from '../context';
import { loadRealmGroupSettings, type RealmGroupSettings } from '../group-settings/complete-settings';
import { loadRealmSettings } from '../organization/realms.sql';
import { listSubscribedChannelIds, loadChannels, lockChannelsByIds } from './channels.sql';
import { hasContentAccess, hasMetadataAccess, mayAdminister, type Viewer } from './permissions';

/** A channel, and the viewer's relation to it. */
export interface SeenChannel {
  channel: Channel;
  viewer: Viewer;
}

/** The channels with the actor's relation to each. */
export async function seenBy(sql: Sql, actor: Actor, channels: readonly Channel[]): Promise<SeenChannel[]> {
  const { realmId, id } = actor.user;
  const subscribedIds = new Set(await listSubscribedChannelIds(sql, realmId, id));
  return channels.map((channel) => ({ channel, viewer: viewerOf(actor, channel, subscribedIds.has(channel.id)) }));
}

/** The channel, archived or not, if the actor may see it. */
export async function accessChannel(sql: Sql, actor: Actor, channelId: number): Promise<SeenChannel> {
  const channels = await loadChannels(sql, actor.user.realmId, possibleIds([channelId]));
  const [seen] = await seenBy(sql, actor, channels);
  if (!seen || !hasMetadataAccess(seen.channel, seen.viewer)) throw invalidChannelId();
  return seen;
}

/** Locks a channel that the actor may administer. Without the right to read it the answer is as for an absent one. */
export async function holdAdministeredChannel(tx: Transaction, actor: Actor, channelId: number): Promise<SeenChannel> {
  const channels = await lockChannelsByIds(tx, actor.user.realmId, possibleIds([channelId]));
  const [seen] = await seenBy(tx, actor, channels);
  if (!seen) throw invalidChannelId();
  if (mayAdminister(seen.channel, seen.viewer)) return seen;
  throw hasContentAccess(seen.channel, seen.viewer) ? new CannotAdministerChannelError() : invalidChannelId();
}

function invalidChannelId(): BadRequestError {
  return new BadRequestError('Invalid channel ID');
}

const NAMES = Object.keys(CHANNEL_PERMISSION_SETTINGS) as ChannelPermissionName[];

/** NOTE: a class, as V8 takes several times as long to make an object with a getter, and lists have hundreds of channels. */
class ChannelViewer implements Viewer {
  readonly role: number;
  #holds: Viewer['holds'] | undefined;

  constructor(
    private readonly actor: Actor,
    private readonly groupSettings: Channel['groupSettings'],
    readonly isSubscribed: boolean,
  ) {
    this.role = actor.user.role;
  }

  /** Lazy: most channels in a list are never asked about. */
  get holds(): Viewer['holds'] {
    this.#holds ??= new Set(NAMES.filter((name) => this.#isGranted(name)));
    return this.#holds;
  }

  #isGranted(name: ChannelPermissionName): boolean {
    return mayBy(this.actor, this.groupSettings[name] as GroupSetting, CHANNEL_PERMISSION_SETTINGS[name]);
  }
}

/** The relation of the actor to the channel. */
export function viewerOf(
  actor: Actor,
  { groupSettings }: Pick<Channel, 'groupSettings'>,
  isSubscribed: boolean,
): Viewer {
  return new ChannelViewer(actor, groupSettings, isSubscribed);
}

/** The actor who creates or changes a channel, with the organization's rules. */
export interface ChannelMaker {
  actor: Actor;
  rights: RealmGroupSettings;
  /** Whether the server supports channels for visitors without an account. */
  areWebPublicChannelsEnabled: boolean;
}

/** Whether a permission of the organization allows the actor. */
export function mayInOrganization({ actor, rights }: ChannelMaker, name: RealmPermissionName): boolean {
  return mayBy(actor, rights[name], REALM_PERMISSION_SETTINGS[name]);
}

/** Loads the facts that decide which channels the actor may create or change. */
export async function loadChannelMaker(ctx: Context, sql: Sql, actor: Actor): Promise<ChannelMaker> {
  const { realmId } = actor.user;
  const rights = await loadRealmGroupSettings(sql, realmId);
  const { enable_spectator_access: areVisitorsAdmitted } = await loadRealmSettings(sql, realmId);
  return {
    actor,
    rights,
    areWebPublicChannelsEnabled: ctx.config.WEB_PUBLIC_STREAMS_ENABLED && areVisitorsAdmitted,
  };
}
