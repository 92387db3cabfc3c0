import { declareEvent } from './declare-event';

/** The operator has filled an organization, unannounced one by one: whoever knew it before knows too little. */
export const realmFilled = declareEvent<Record<string, never>>()('realm.filled', []);
