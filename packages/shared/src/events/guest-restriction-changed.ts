import { declareEvent } from './declare-event';

export interface GuestRestrictionChanged {
  /** All active guests: their queues end with this, as they were made for whom they knew before. */
  guestIds: number[];
}

/** Guests of an organization know nobody any more but bots and those whom they meet, or everybody again. */
export const guestRestrictionChanged = declareEvent<GuestRestrictionChanged>()('guest-restriction.changed', []);
