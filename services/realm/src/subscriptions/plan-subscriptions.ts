import { BadRequestError } from '@parley/shared/errors';
import { memoized } from '@parley/shared/values';
import type { InheritedNotifications } from '@parley/shared/wire';
import type { Pair, Properties, SubscriptionRecord } from './subscriptions.sql';

/** A new subscription, with the user's former properties of the channel. */
export interface Beginning extends Pair {
  properties: Properties;
  /** The account's settings, for unset properties. */
  inherited?: InheritedNotifications;
}

interface Plan {
  joining: Beginning[];
  alreadySubscribed: Pair[];
}

interface SubscriptionHistory {
  /** Present and former subscriptions of the users to the channels. */
  records: readonly SubscriptionRecord[];
  usedColors: readonly { userId: number; colors: readonly string[] }[];
}

/** A channel, and the requested colour; null: the user's former one, else a new one. */
interface Target {
  channelId: number;
  color: string | null;
}

/** Above this number of users who join together, new colours are equal, so that one event suffices for all of them. */
const MAX_USERS_WITH_OWN_COLORS = 10;

/** Of users who join together, those whose former colours count. */
export function colorChoosers(userIds: readonly number[]): readonly number[] {
  return userIds.length > MAX_USERS_WITH_OWN_COLORS ? [] : userIds;
}

/** New subscriptions with their colours: the requested one, the former one, or the first that the user has not used. */
export function planSubscriptions(
  targets: readonly Target[],
  userIds: readonly number[],
  { records, usedColors }: SubscriptionHistory,
): Plan {
  const plan: Plan = { joining: [], alreadySubscribed: [] };
  const recordOf = new Map(records.map((record) => [`${record.channelId} ${record.userId}`, record]));
  const colorsOf = new Map(usedColors.map(({ userId, colors }) => [userId, new Set(colors)]));
  const common = colorChoosers(userIds).length === 0 ? commonColors(targets) : undefined;
  const fresh = memoized(freshProperties);
  for (const userId of userIds) {
    const used = colorsOf.get(userId) ?? new Set<string>();
    for (const { channelId, color: wanted } of targets) {
      const record = recordOf.get(`${channelId} ${userId}`);
      if (record?.isActive) {
        plan.alreadySubscribed.push({ channelId, userId });
        continue;
      }
      const color = wanted ?? record?.properties.color ?? common?.get(channelId) ?? pickColor(used, channelId);
      used.add(color);
      const properties = record ? { ...freshProperties(color), ...record.properties, color } : fresh(color);
      plan.joining.push({ channelId, userId, properties });
    }
  }
  return plan;
}

/** A crowd's subscriptions share these objects, so that they are quickly seen to be equal. */
function freshProperties(color: string): Properties {
  return { isMuted: false, isPinned: false, color };
}

function commonColors(targets: readonly Target[]): Map<number, string> {
  const used = new Set<string>();
  return new Map(
    targets.map(({ channelId, color: wanted }) => {
      const color = wanted ?? pickColor(used, channelId);
      used.add(color);
      return [channelId, color];
    }),
  );
}

const HEX_COLOR = /^#([0-9a-f]{3}|[0-9a-f]{6})$/;

// In the order of preference.
const PALETTE = [
  '#76ce90 #fae589 #a6c7e5 #e79ab5 #bfd56f #f4ae55 #b0a5fd #addfe5 #f5ce6e #c2726a #94c849 #bd86e5',
  '#ee7e4a #a6dcbf #95a5fd #53a063 #9987e1 #e4523d #c2c2c2 #4f8de4 #c6a8ad #e7cc4d #c8bebf #a47462',
].flatMap((row) => row.split(' '));

/** A colour for a subscription: the first that the user has not used, else one derived from the channel. */
export function pickColor(usedColors: ReadonlySet<string>, channelId: number): string {
  const unused = PALETTE.find((color) => !usedColors.has(color));
  return unused ?? (PALETTE[channelId % PALETTE.length] as string);
}

/** The normalized colour, six digits in lower case; `path` is the parameter's path for errors. */
export function colorFromInput(text: string, path: string): string {
  const color = text.toLowerCase();
  if (!HEX_COLOR.test(color)) {
    throw new BadRequestError(`Invalid ${path}: Value error, color is not a valid hex color code`);
  }
  return color.length === 4 ? color.replace(/[0-9a-f]/g, '$&$&') : color;
}
