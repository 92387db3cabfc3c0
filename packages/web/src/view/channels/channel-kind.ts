/** The kinds of channels, by who sees them and their history. */
export const KINDS = ['public', 'private', 'privateFromNow', 'webPublic'] as const;
export type Kind = (typeof KINDS)[number];

interface Flags {
  invite_only: boolean;
  history_public_to_subscribers: boolean;
  is_web_public: boolean;
}

export function kindOf({ is_web_public, invite_only, history_public_to_subscribers }: Flags): Kind {
  if (is_web_public) return 'webPublic';
  if (!invite_only) return 'public';
  return history_public_to_subscribers ? 'private' : 'privateFromNow';
}

/** As the API takes it for a new channel. */
export function flagsOf(kind: Kind): Flags {
  return {
    invite_only: kind === 'private' || kind === 'privateFromNow',
    history_public_to_subscribers: kind !== 'privateFromNow',
    is_web_public: kind === 'webPublic',
  };
}

/** As the API takes it for a channel that there is. */
export function changeTo(kind: Kind) {
  const { invite_only: is_private, ...others } = flagsOf(kind);
  return { is_private, ...others };
}
