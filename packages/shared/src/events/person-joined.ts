import { declareEvent } from './declare-event';

export interface PersonJoined {
  userId: number;
  /** Those that the account began with. */
  channelIds: readonly number[];
}

/** Somebody new is in the organization and in its channels; the messages service gives them what was written there lately. */
export const personJoined = declareEvent<PersonJoined>()('person.joined', []);
