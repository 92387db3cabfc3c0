import type { OrganizationLists, RegisterState } from '@parley/shared/proto';
import {
  publicAllowedDomain,
  publicChannelFolder,
  publicCustomEmoji,
  publicLinkifiers,
  publicPlaygrounds,
  publicProfileField,
} from '@parley/shared/wire';
import { z } from 'zod';
import { channelFolderSchema } from '../../wire/channels';
import {
  allowedDomainSchema,
  customEmojiSchema,
  linkifierSchema,
  playgroundSchema,
  profileFieldSchema,
} from '../../wire/organization';
import { bundle } from './bundle';

const listsOf = (state: RegisterState) => state.lists as OrganizationLists;

const PROFILE_FIELD_TYPES = {
  SHORT_TEXT: { id: 1, name: 'Text (short)' },
  LONG_TEXT: { id: 2, name: 'Text (long)' },
  SELECT: { id: 3, name: 'List of options' },
  DATE: { id: 4, name: 'Date picker' },
  URL: { id: 5, name: 'Link' },
  USER: { id: 6, name: 'Users' },
  EXTERNAL_ACCOUNT: { id: 7, name: 'External account' },
  PRONOUNS: { id: 8, name: 'Pronouns' },
};

const profileFieldsBundle = bundle({
  type: 'custom_profile_fields',
  fields: {
    custom_profile_fields: z.array(profileFieldSchema),
    custom_profile_field_types: z.record(z.string(), z.strictObject({ id: z.int(), name: z.string() })),
  },
  present: (state) => ({
    custom_profile_fields: listsOf(state).profileFields.map(publicProfileField),
    custom_profile_field_types: PROFILE_FIELD_TYPES,
  }),
});

const domainsBundle = bundle({
  type: 'realm_domains',
  fields: { realm_domains: z.array(allowedDomainSchema) },
  present: (state) => ({ realm_domains: listsOf(state).domains.map(publicAllowedDomain) }),
});

const emojiBundle = bundle({
  type: 'realm_emoji',
  fields: { realm_emoji: customEmojiSchema },
  present: (state) => ({ realm_emoji: publicCustomEmoji(listsOf(state).customEmoji) }),
});

const linkifiersBundle = bundle({
  type: 'realm_linkifiers',
  fields: { realm_linkifiers: z.array(linkifierSchema) },
  present: (state, { capabilities }) => ({
    realm_linkifiers: capabilities.has('linkifier_url_template') ? publicLinkifiers(listsOf(state).linkifiers) : [],
  }),
});

/** COMPAT(level 176): linkifiers without templates. */
const filtersBundle = bundle({
  type: 'realm_filters',
  fields: { realm_filters: z.array(z.never()).describe('Deprecated: always empty.') },
  present: () => ({ realm_filters: [] }),
});

const playgroundsBundle = bundle({
  type: 'realm_playgrounds',
  fields: { realm_playgrounds: z.array(playgroundSchema) },
  present: (state) => ({ realm_playgrounds: publicPlaygrounds(listsOf(state).playgrounds) }),
});

const channelFoldersBundle = bundle({
  type: 'channel_folders',
  fields: { channel_folders: z.array(channelFolderSchema).describe('Archived ones included, in their order.') },
  present: (state) => ({ channel_folders: listsOf(state).channelFolders.map(publicChannelFolder) }),
});

/** The organization's lists for all members. */
export const listBundles = [
  profileFieldsBundle,
  domainsBundle,
  emojiBundle,
  linkifiersBundle,
  filtersBundle,
  playgroundsBundle,
  channelFoldersBundle,
];

/** All of their fields. */
export const listFields = {
  ...profileFieldsBundle.fields,
  ...domainsBundle.fields,
  ...emojiBundle.fields,
  ...linkifiersBundle.fields,
  ...filtersBundle.fields,
  ...playgroundsBundle.fields,
  ...channelFoldersBundle.fields,
};

const key = z.literal('').describe('Always empty: no search for moving pictures is configured.');

/** Keys of services where clients search for GIFs. */
export const gifBundle = bundle({
  type: 'giphy',
  fields: { giphy_api_key: key, tenor_api_key: key },
  present: () => ({ giphy_api_key: '' as const, tenor_api_key: '' as const }),
});

/** The stop words of PostgreSQL's dictionary `english`, which is used for searches. */
const STOP_WORDS = `
  i me my myself we our ours ourselves you your yours yourself yourselves he him his himself she her hers
  herself it its itself they them their theirs themselves what which who whom this that these those am is are
  was were be been being have has had having do does did doing a an the and but if or because as until while of
  at by for with about against between into through during before after above below to from up down in out on
  off over under again further then once here there when where why how all any both each few more most other
  some such no nor not only own same so than too very s t can will just don should now
`
  .trim()
  .split(/\s+/);

export const stopWordsBundle = bundle({
  type: 'stop_words',
  fields: { stop_words: z.array(z.string()).describe('Words that a search for messages passes over.') },
  present: () => ({ stop_words: STOP_WORDS }),
});
