import { z } from 'zod';

/** What an answer tells of messages that were to become unread in channels that the caller is not in. */
export const ignoredChannels = {
  field: {
    ignored_because_not_subscribed_channels: z
      .array(z.int())
      .optional()
      .describe('Only when messages are marked as unread.'),
  },
  present({ op, flag }: { op: string; flag: string }, channelIds: number[]) {
    return op === 'remove' && flag === 'read' ? { ignored_because_not_subscribed_channels: channelIds } : {};
  },
};
