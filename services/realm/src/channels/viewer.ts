import { CHANNEL_PERMISSION_SETTINGS, type ChannelPermissionName } from '@parley/shared/access';
import type { Channel, GroupSetting } from '@parley/shared/proto';
import type { Actor } from '../actors/actor';
import { mayBy } from '../actors/permissions';
import type { Viewer } from './permissions';

const NAMES = Object.keys(CHANNEL_PERMISSION_SETTINGS) as ChannelPermissionName[];

/** What the actor is to the channel. */
export function viewerOf(
  actor: Actor,
  { groupSettings }: Pick<Channel, 'groupSettings'>,
  isSubscribed: boolean,
): Viewer {
  const isHeld = (name: ChannelPermissionName) =>
    mayBy(actor, groupSettings[name] as GroupSetting, CHANNEL_PERMISSION_SETTINGS[name]);
  return { role: actor.user.role, isSubscribed, holds: new Set(NAMES.filter(isHeld)) };
}
