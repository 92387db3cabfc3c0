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
  let holds: Viewer['holds'] | undefined;
  return {
    role: actor.user.role,
    isSubscribed,
    // Of most channels in a list nobody asks.
    get holds() {
      holds ??= new Set(NAMES.filter(isHeld));
      return holds;
    },
  };
}
