import { byCaller, type Implementation } from '@parley/shared/rpc';
import type { Context } from '../context';
import {
  addAllowedDomain,
  listAllowedDomains,
  removeAllowedDomain,
  updateAllowedDomain,
} from '../organization-lists/allowed-domains';
import {
  addCustomEmoji,
  deactivateCustomEmoji,
  getCustomEmojiImage,
  listCustomEmoji,
} from '../organization-lists/custom-emoji';
import {
  addLinkifier,
  listLinkifiers,
  removeLinkifier,
  reorderLinkifiers,
  updateLinkifier,
} from '../organization-lists/linkifiers';
import { addPlayground, removePlayground } from '../organization-lists/playgrounds';
import {
  createProfileField,
  listProfileFields,
  removeProfileField,
  reorderProfileFields,
  updateProfileField,
} from '../profiles/profile-fields';

/** The organization's lists: linkifiers, playgrounds, allowed domains, profile fields, custom emoji. */
export function organizationListMethods(ctx: Context) {
  return {
    listLinkifiers: byCaller((caller) => listLinkifiers(ctx, caller)),
    addLinkifier: byCaller((caller, request) => addLinkifier(ctx, caller, request)),
    updateLinkifier: byCaller((caller, request) => updateLinkifier(ctx, caller, request)),
    removeLinkifier: byCaller((caller, request) => removeLinkifier(ctx, caller, request)),
    reorderLinkifiers: byCaller((caller, request) => reorderLinkifiers(ctx, caller, request)),
    addPlayground: byCaller((caller, request) => addPlayground(ctx, caller, request)),
    removePlayground: byCaller((caller, request) => removePlayground(ctx, caller, request)),
    listAllowedDomains: byCaller((caller) => listAllowedDomains(ctx, caller)),
    addAllowedDomain: byCaller((caller, request) => addAllowedDomain(ctx, caller, request)),
    updateAllowedDomain: byCaller((caller, request) => updateAllowedDomain(ctx, caller, request)),
    removeAllowedDomain: byCaller((caller, request) => removeAllowedDomain(ctx, caller, request)),
    listProfileFields: byCaller((caller) => listProfileFields(ctx, caller)),
    createProfileField: byCaller((caller, request) => createProfileField(ctx, caller, request)),
    updateProfileField: byCaller((caller, request) => updateProfileField(ctx, caller, request)),
    removeProfileField: byCaller((caller, request) => removeProfileField(ctx, caller, request)),
    reorderProfileFields: byCaller((caller, request) => reorderProfileFields(ctx, caller, request)),
    listCustomEmoji: byCaller((caller) => listCustomEmoji(ctx, caller)),
    addCustomEmoji: byCaller((caller, request) => addCustomEmoji(ctx, caller, request)),
    deactivateCustomEmoji: byCaller((caller, request) => deactivateCustomEmoji(ctx, caller, request)),
    getCustomEmojiImage: (_call, request) => getCustomEmojiImage(ctx, request),
  } satisfies Partial<Implementation<'realm'>>;
}
