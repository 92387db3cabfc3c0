import type { CustomEmoji, Linkifier, Playground, ProfileField } from '../proto';
import {
  publicAllowedDomain,
  publicCustomEmoji,
  publicLinkifiers,
  publicPlaygrounds,
  publicProfileField,
} from '../wire';
import { type ClientView, declareEvent } from './declare-event';

// Lists that an organization's administrators maintain. Each event is for everybody in it.

export interface CustomEmojiChanged {
  /** All emoji that the organization ever had, deactivated ones included. */
  emoji: CustomEmoji[];
}

/** A custom emoji was added or deactivated. Public event `realm_emoji`, for everybody. */
export const customEmojiChanged = declareEvent<CustomEmojiChanged>()('custom-emoji.changed', [
  {
    type: 'realm_emoji',
    audience: () => ({ to: 'realm' }),
    variant: () => '',
    render: ({ emoji }) => ({ type: 'realm_emoji', op: 'update', realm_emoji: publicCustomEmoji(emoji) }),
  },
]);

export interface LinkifiersChanged {
  /** All of the organization's linkifiers, in the order in which they are applied. */
  linkifiers: Linkifier[];
}

/** An organization's linkifiers, or their order, changed. Public event `realm_linkifiers`, for everybody. */
export const linkifiersChanged = declareEvent<LinkifiersChanged>()('linkifiers.changed', [
  {
    type: 'realm_linkifiers',
    audience: () => ({ to: 'realm' }),
    variant: (view) => `${isUnderstood(view)}`,
    render: ({ linkifiers }, view) => ({
      type: 'realm_linkifiers',
      realm_linkifiers: isUnderstood(view) ? publicLinkifiers(linkifiers) : [],
    }),
  },
]);

function isUnderstood({ capabilities }: ClientView): boolean {
  return capabilities.includes('linkifier_url_template');
}

export interface PlaygroundsChanged {
  /** All of the organization's code playgrounds. */
  playgrounds: Playground[];
}

/** An organization's code playgrounds changed. Public event `realm_playgrounds`, for everybody. */
export const playgroundsChanged = declareEvent<PlaygroundsChanged>()('playgrounds.changed', [
  {
    type: 'realm_playgrounds',
    audience: () => ({ to: 'realm' }),
    variant: () => '',
    render: ({ playgrounds }) => ({ type: 'realm_playgrounds', realm_playgrounds: publicPlaygrounds(playgrounds) }),
  },
]);

export interface ProfileFieldsChanged {
  /** All of the organization's fields, in their order. */
  fields: ProfileField[];
}

/** An organization's custom profile fields, or their order, changed. Public event `custom_profile_fields`, for everybody. */
export const profileFieldsChanged = declareEvent<ProfileFieldsChanged>()('profile-fields.changed', [
  {
    type: 'custom_profile_fields',
    audience: () => ({ to: 'realm' }),
    variant: () => '',
    render: ({ fields }) => ({ type: 'custom_profile_fields', fields: fields.map(publicProfileField) }),
  },
]);

export interface AllowedDomainAdded {
  domain: string;
  allowsSubdomains: boolean;
}

/** A domain was allowed. Public event `realm_domains`, for everybody. */
export const allowedDomainAdded = declareEvent<AllowedDomainAdded>()('allowed-domain.added', [
  {
    type: 'realm_domains',
    audience: () => ({ to: 'realm' }),
    variant: () => '',
    render: (entry) => ({ type: 'realm_domains', op: 'add', realm_domain: publicAllowedDomain(entry) }),
  },
]);

export interface AllowedDomainChanged {
  domain: string;
  allowsSubdomains: boolean;
}

/** An allowed domain's rule for subdomains changed. Public event `realm_domains`, for everybody. */
export const allowedDomainChanged = declareEvent<AllowedDomainChanged>()('allowed-domain.changed', [
  {
    type: 'realm_domains',
    audience: () => ({ to: 'realm' }),
    variant: () => '',
    render: (entry) => ({ type: 'realm_domains', op: 'change', realm_domain: publicAllowedDomain(entry) }),
  },
]);

export interface AllowedDomainRemoved {
  domain: string;
}

/** A domain is no longer allowed. Public event `realm_domains`, for everybody. */
export const allowedDomainRemoved = declareEvent<AllowedDomainRemoved>()('allowed-domain.removed', [
  {
    type: 'realm_domains',
    audience: () => ({ to: 'realm' }),
    variant: () => '',
    render: ({ domain }) => ({ type: 'realm_domains', op: 'remove', domain }),
  },
]);
