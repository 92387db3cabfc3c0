import type { AlertWordSince } from '../proto';
import { declareEvent } from './declare-event';

export interface AlertWordsChanged {
  userId: number;
  /** All of them, as they are now. */
  alertWords: AlertWordSince[];
}

/** A user's alert words are others than before. Public event `alert_words`, for that user. */
export const alertWordsChanged = declareEvent<AlertWordsChanged>()('alert-words.changed', [
  {
    type: 'alert_words',
    audience: ({ userId }) => ({ to: 'users', userIds: [userId] }),
    variant: () => '',
    render: ({ alertWords }) => ({ type: 'alert_words', alert_words: alertWords.map(({ word }) => word) }),
  },
]);
