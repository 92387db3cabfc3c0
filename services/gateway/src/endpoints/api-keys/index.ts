export { devFetchApiKey } from './dev-fetch-api-key';
export { fetchApiKey } from './fetch-api-key';
export { getApiKeys } from './get-api-keys';
export { regenerateApiKey } from './regenerate-api-key';
export { revokeApiKey } from './revoke-api-key';
