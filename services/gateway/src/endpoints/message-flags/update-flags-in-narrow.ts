import { LIMITS } from '@parley/shared/values';
import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { json, text } from '../../http/parameters';
import { decodeAnchor } from '../messages/decode-anchor';
import { decodeNarrow, narrowSchema } from '../messages/decode-narrow';
import { searchLimit } from '../messages/search-limit';
import { ignoredChannels } from './ignored-channels';

export const updateFlagsInNarrow = endpoint({
  method: 'POST',
  path: '/messages/flags/narrow',
  summary: "Set one of the caller's flags on the messages around an anchor, or take it off",
  auth: 'user',
  ownLimitOf: searchLimit,
  parameters: {
    anchor: text(z.string().describe('A message id, `newest`, `oldest` or `first_unread`.')),
    include_anchor: json(z.boolean().default(true)),
    num_before: json(z.int().nonnegative()),
    num_after: json(z.int().nonnegative()),
    narrow: json(narrowSchema.unwrap(), { read: decodeNarrow }),
    op: text(z.string().describe('`add` or `remove`.')),
    flag: text(z.string().describe('`read`, `starred` or `collapsed`.')),
  },
  result: z.strictObject({
    processed_count: z.int(),
    updated_count: z.int(),
    first_processed_id: z.int().nullable(),
    last_processed_id: z.int().nullable(),
    found_oldest: z.boolean(),
    found_newest: z.boolean(),
    ...ignoredChannels.field,
  }),
  errors: ['BAD_NARROW'],
  async handler({ services }, { call }, values) {
    const { op, flag } = values;
    const updated = await services.messages.updateFlagsInNarrow(call, {
      ...decodeAnchor(values.anchor, false),
      ...reduced(values.num_before, values.num_after),
      includeAnchor: values.include_anchor,
      narrow: values.narrow,
      op,
      flag,
    });
    return {
      processed_count: updated.processedCount,
      updated_count: updated.updatedCount,
      first_processed_id: updated.firstProcessedId ?? null,
      last_processed_id: updated.lastProcessedId ?? null,
      found_oldest: updated.foundOldest,
      found_newest: updated.foundNewest,
      ...ignoredChannels.present({ op, flag }, updated.ignoredChannelIds),
    };
  },
});

/** Whoever asks for too much gets as much as goes at once, and at least half of it from before the anchor. */
function reduced(wantedBefore: number, wantedAfter: number) {
  const max = LIMITS.messagesPerFetch;
  const numBefore = Math.min(wantedBefore, Math.max(max - wantedAfter, max / 2));
  return { numBefore, numAfter: Math.min(wantedAfter, max - numBefore) };
}
