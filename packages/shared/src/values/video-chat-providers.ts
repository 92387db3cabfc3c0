/** Ways to hold a video call that need nothing but an address, by the names clients know them by. */
export const VIDEO_CHAT_PROVIDERS = {
  disabled: { id: 0, name: 'None' },
  jitsi_meet: { id: 1, name: 'Jitsi Meet' },
} as const;

/** Where calls are held when an organization has named no server of its own. */
export const JITSI_SERVER_URL = 'https://meet.jit.si';
