// Lists whose members clients identify by name or number.

// SPEC-GAP: not documented; these are the ones that existing clients know.
/** Hints that clients show to new users once, by name, in the order of display. */
export const ONBOARDING_STEPS = [
  'visibility_policy_banner',
  'intro_inbox_view_modal',
  'intro_recent_view_modal',
  'first_stream_created_banner',
  'jump_to_conversation_banner',
  'non_interleaved_view_messages_fading',
  'interleaved_view_messages_fading',
  'intro_resolve_topic',
] as const;

/** Reasons to report a message, by key, with their labels; in the order of the menu. */
export const REPORT_TYPES = {
  spam: 'Spam',
  harassment: 'Harassment',
  inappropriate: 'Inappropriate content',
  norms: 'Violates community norms',
  other: 'Other reason',
} as const;

export type ReportType = keyof typeof REPORT_TYPES;

export const REPORT_TYPE_KEYS = Object.keys(REPORT_TYPES) as ReportType[];

interface ExternalAccountKind {
  /** The service's name. */
  text: string;
  /** The label of a profile field for such accounts. */
  name: string;
  hint: string;
  /** The URL of an account. */
  urlPattern: string;
}

/** The placeholder of the account in a URL pattern, where it occurs once. */
export const USERNAME_PLACEHOLDER = '%(username)s';

/** Known kinds of external accounts, whose profile fields need no definition, by subtype; announced in POST /register. */
export const EXTERNAL_ACCOUNT_KINDS: Readonly<Record<string, ExternalAccountKind>> = {
  twitter: {
    text: 'Twitter',
    name: 'Twitter username',
    hint: '',
    urlPattern: `https://twitter.com/${USERNAME_PLACEHOLDER}`,
  },
  github: {
    text: 'GitHub',
    name: 'GitHub username',
    hint: '',
    urlPattern: `https://github.com/${USERNAME_PLACEHOLDER}`,
  },
};

/** The strictest ratings of GIFs that clients offer, by the names known to clients. */
export const GIF_RATINGS = {
  disabled: { id: 0, name: 'GIPHY integration disabled' },
  y: { id: 1, name: 'Allow GIFs rated Y (Very young audience)' },
  g: { id: 2, name: 'Allow GIFs rated G (General audience)' },
  pg: { id: 3, name: 'Allow GIFs rated PG (Parental guidance)' },
  'pg-13': { id: 4, name: 'Allow GIFs rated PG-13 (Parental guidance - under 13)' },
  r: { id: 5, name: 'Allow GIFs rated R (Restricted)' },
} as const;

/** Video call providers that need only an address, by the names known to clients. */
export const VIDEO_CHAT_PROVIDERS = {
  disabled: { id: 0, name: 'None' },
  jitsi_meet: { id: 1, name: 'Jitsi Meet' },
} as const;

/** The server for video calls unless an organization has set another. */
export const JITSI_SERVER_URL = 'https://meet.jit.si';

const NEUTRAL_BRAND = 'service';

/** The names of a branded field, given its neutral name; `brands` are those of API_BRANDS. */
export function brandedNames(name: string, brands: readonly string[]): string[] {
  return brands.map((brand) => name.replace(NEUTRAL_BRAND, brand));
}
