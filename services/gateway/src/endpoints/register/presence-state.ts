import type { ListPresencesRequest, PresenceList } from '@parley/shared/proto';
import { z } from 'zod';
import { presencesSchema, publicLegacyPresences, publicPresences } from '../../wire/presence';

/** Fields of POST /register. */
export const presenceFields = {
  presences: presencesSchema,
  presence_last_update_id: z.int().describe('-1: there is none.'),
  server_timestamp: z.number(),
};

/** The client's choices about presence. */
interface PresenceView {
  isSlim: boolean;
  historyLimitDays: number | undefined;
}

/** The request to realm; null: none. */
export function wantedPresences(
  isWanted: (type: string) => boolean,
  { isSlim, historyLimitDays }: PresenceView,
): ListPresencesRequest | null {
  if (!isWanted('presence')) return null;
  return { withEmails: !isSlim, ...(historyLimitDays !== undefined && { historyLimitDays }) };
}

export function publicPresenceState(list: PresenceList, { isSlim }: Pick<PresenceView, 'isSlim'>) {
  return {
    presences: isSlim ? publicPresences(list) : publicLegacyPresences(list),
    presence_last_update_id: list.lastUpdateId,
    server_timestamp: list.listedAtMs / 1000,
  };
}
