import { declareEvent } from './declare-event';

export interface ApiKeyRevoked {
  userId: number;
  keyIds: number[];
}

/** Keys of an account open nothing any more. */
export const apiKeyRevoked = declareEvent<ApiKeyRevoked>()('api-key.revoked', []);
