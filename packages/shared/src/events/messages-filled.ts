import { declareEvent } from './declare-event';

/** The operator has filled an organization with messages, unannounced one by one: whoever knew it before knows too little. */
export const messagesFilled = declareEvent<Record<string, never>>()('messages.filled', []);
