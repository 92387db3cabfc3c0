import type { AllowedDomain, CustomEmoji, Linkifier, Playground, ProfileField } from '../proto';
import { isSafeUrlTemplate, isWebUrl, USERNAME_PLACEHOLDER } from '../values';

// Lists maintained by an organization's administrators.

/** The API's map of custom emoji by id. */
export function publicCustomEmoji(emoji: readonly CustomEmoji[]) {
  return Object.fromEntries(emoji.map((one) => [String(one.id), publicEmoji(one)]));
}

function publicEmoji(emoji: CustomEmoji) {
  return {
    id: String(emoji.id),
    name: emoji.name,
    source_url: customEmojiUrl(emoji.realmId, emoji.fileName),
    still_url: emoji.stillFileName === undefined ? null : customEmojiUrl(emoji.realmId, emoji.stillFileName),
    deactivated: emoji.isDeactivated,
    author_id: emoji.authorId ?? null,
  };
}

/** The address of a custom emoji's image at the gateway. */
export function customEmojiUrl(realmId: number, fileName: string): string {
  return `/user_avatars/${realmId}/emoji/images/${fileName}`;
}

/**
 * The API's linkifier objects; in GET /realm/linkifiers, POST /register and `realm_linkifiers` events. Clients expand the
 * templates, so stored ones without a safe address are omitted.
 */
export function publicLinkifiers(linkifiers: readonly Linkifier[]) {
  return linkifiers.filter(({ urlTemplate }) => isSafeUrlTemplate(urlTemplate)).map(publicLinkifier);
}

function publicLinkifier({ id, pattern, urlTemplate }: Linkifier) {
  return {
    id,
    pattern,
    url_template: urlTemplate,
    // Cannot be set yet.
    example_input: null,
    reverse_template: null,
    alternative_url_templates: [] as string[],
  };
}

/** The API's code playground objects; stored ones whose templates give no safe address are omitted. */
export function publicPlaygrounds(playgrounds: readonly Playground[]) {
  return playgrounds.filter(({ urlTemplate }) => isSafeUrlTemplate(urlTemplate)).map(publicPlayground);
}

function publicPlayground({ id, name, pygmentsLanguage, urlTemplate }: Playground) {
  return { id, name, pygments_language: pygmentsLanguage, url_template: urlTemplate };
}

/** The type of fields for external accounts. */
const EXTERNAL_ACCOUNT = 7;

/** The API's custom profile field object. */
export function publicProfileField(field: ProfileField) {
  return {
    id: field.id,
    type: field.type,
    order: field.order,
    name: field.name,
    hint: field.hint,
    field_data: safeFieldData(field),
    required: field.isRequired,
    editable_by_user: field.isEditableByUser,
    // Cannot be set yet.
    use_for_user_matching: false,
    // Present only when true.
    ...(field.isInSummary && { display_in_profile_summary: true as const }),
  };
}

/** For a field for external accounts: the pattern of their addresses, if it is a web address. */
function safeFieldData({ type, fieldData }: ProfileField): string {
  if (type !== EXTERNAL_ACCOUNT || !fieldData.includes('"url_pattern"')) return fieldData;
  const data = JSON.parse(fieldData) as { url_pattern?: unknown };
  const example = String(data.url_pattern).replace(USERNAME_PLACEHOLDER, 'username');
  return isWebUrl(example) ? fieldData : JSON.stringify({ ...data, url_pattern: '' });
}

/** The API's object for an allowed domain. */
export function publicAllowedDomain(entry: Omit<AllowedDomain, 'id'>) {
  return { domain: entry.domain, allow_subdomains: entry.allowsSubdomains };
}
