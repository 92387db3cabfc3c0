import { BadRequestError } from '@parley/shared/errors';
import type { SubscriptionPropertyChange } from '@parley/shared/proto';
import { colorFromInput } from './colors';
import type { Properties } from './subscriptions.sql';

/** One thing that a user sets for a channel, and what of it is new to their clients, by the names in the API. */
export interface PropertyChange {
  channelId: number;
  apply(properties: Properties): Properties;
  /** In the order in which clients are told. */
  told: readonly (readonly [property: string, value: boolean | string])[];
}

const BOOLEAN_PROPERTIES = {
  pin_to_top: 'isPinned',
  desktop_notifications: 'desktopNotifications',
  audible_notifications: 'audibleNotifications',
  push_notifications: 'pushNotifications',
  email_notifications: 'emailNotifications',
  wildcard_mentions_notify: 'wildcardMentionsNotify',
} as const satisfies Record<string, keyof Properties>;

/** What an element of a request means; `index` is its place in the list. */
export function propertyChangeFromInput(change: SubscriptionPropertyChange, index: number): PropertyChange {
  const { channelId, property } = change;
  if (property === 'color') {
    const color = colorFromInput(change.text ?? '', `subscription_data[${index}]`);
    return { channelId, apply: (properties) => ({ ...properties, color }), told: [['color', color]] };
  }
  if (property === 'is_muted') return muting(channelId, booleanOf(change));
  if (property === 'in_home_view') return muting(channelId, !booleanOf(change));
  if (!isBooleanProperty(property)) throw new BadRequestError(`Unknown subscription property: ${property}`);
  const value = booleanOf(change);
  return {
    channelId,
    apply: (properties) => ({ ...properties, [BOOLEAN_PROPERTIES[property]]: value }),
    told: [[property, value]],
  };
}

function isBooleanProperty(property: string): property is keyof typeof BOOLEAN_PROPERTIES {
  return Object.hasOwn(BOOLEAN_PROPERTIES, property);
}

function muting(channelId: number, isMuted: boolean): PropertyChange {
  const apply = (properties: Properties) => ({ ...properties, isMuted });
  // `in_home_view` is the old name for the opposite: clients are told of both.
  return {
    channelId,
    apply,
    told: [
      ['in_home_view', !isMuted],
      ['is_muted', isMuted],
    ],
  };
}

function booleanOf({ property, boolean }: SubscriptionPropertyChange): boolean {
  if (boolean === undefined) throw new BadRequestError(`${property} is not a boolean`);
  return boolean;
}
