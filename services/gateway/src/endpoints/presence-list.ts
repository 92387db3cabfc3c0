import type { ListPresencesRequest, PresenceList } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { PRESENCE } from '@parley/shared/values';
import { z } from 'zod';
import type { Context } from '../context';
import type { JsonPieces } from '../http/json-pieces';
import { KnownPresences } from '../shared-state/known-presences';
import { presencesSchema } from '../wire/presence';

export const presenceFields = {
  presences: presencesSchema,
  presence_last_update_id: z.int().describe('-1: there is none.'),
  server_timestamp: z.number(),
};

/** The client's choices. */
export interface PresenceView {
  isSlim: boolean;
  lastUpdateId?: number | undefined;
  historyLimitDays?: number | undefined;
}

interface PresenceState {
  presences: JsonPieces;
  presence_last_update_id: number;
  server_timestamp: number;
}

/** A question about everybody's presence. */
interface PresenceQuestion {
  /** To realm. */
  request: ListPresencesRequest;
  /** Its answer for the client. */
  show(list: PresenceList): Promise<PresenceState>;
}

const DAY_MS = 24 * 3600 * 1000;

/** The whole list of the usual time is made of what this gateway knows already and what has changed since. */
export function askPresences(
  { sharedState: { presences: memory } }: Pick<Context, 'sharedState'>,
  { realmId, deadlineAt }: Pick<Caller, 'realmId' | 'deadlineAt'>,
  { isSlim, lastUpdateId = -1, historyLimitDays: days = PRESENCE.historyDays }: PresenceView,
): PresenceQuestion {
  const isOfUsualTime = lastUpdateId <= 0 && days > 0 && days <= PRESENCE.historyDays;
  const base = isOfUsualTime ? memory.recall(realmId) : undefined;
  const known = isOfUsualTime
    ? { knownVersion: base?.version ?? '', lastUpdateId: base?.lastUpdateId ?? -1 }
    : { lastUpdateId };
  return {
    request: { withEmails: !isSlim, historyLimitDays: days, ...known },
    async show(list) {
      const isShared = list.version !== undefined;
      const presences = base && base.version === list.version ? base : new KnownPresences(list.version ?? '');
      await presences.add(list, deadlineAt);
      if (isShared) memory.keep(realmId, presences);
      const sinceMs = isShared ? list.listedAtMs - days * DAY_MS : 0;
      return {
        presences: await presences.write(sinceMs, isSlim, deadlineAt),
        presence_last_update_id: presences.lastUpdateId,
        server_timestamp: list.listedAtMs / 1000,
      };
    },
  };
}
