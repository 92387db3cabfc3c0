import { channelRules } from './channel-rules';
import { deriveRights } from './derived-rights';
import { groupRules } from './group-rules';
import { listRules } from './list-rules';
import { messageRules } from './message-rules';
import { organizationRules } from './organization-rules';
import { personalRules } from './personal-rules';
import { type ClientKind, keyOf, type PublicEvent, type Rules } from './rules';
import { NotOneCut, type State } from './state';
import { countUnread } from './unread';
import { userRules } from './user-rules';
import { writingRules } from './writing-rules';

/** One rule for each type and `op` of events that clients know. */
const rules: Rules = {
  ...channelRules,
  ...userRules,
  ...groupRules,
  ...personalRules,
  ...messageRules,
  ...organizationRules,
  ...listRules,
  ...writingRules,
};

/**
 * Changes the state as these events tell, in their order. Throws for an event that no rule knows, and NotOneCut for one that tells
 * what the state has already.
 */
export function applyEvents(state: State, events: readonly PublicEvent[], client: ClientKind): void {
  for (const event of events) {
    const rule = rules[keyOf(event)];
    if (!rule) throw new Error(`no rule applies the event ${JSON.stringify(event)}`);
    try {
      rule(state, structuredClone(event), client);
    } catch (error) {
      if (error instanceof NotOneCut) throw new NotOneCut(`${error.message}: ${JSON.stringify(event)}`);
      throw error;
    }
  }
  countUnread(state);
  deriveRights(state);
}
