import { batched } from '@parley/shared/batch';
import type { GetPushFactsRequest, GetPushFactsResponse } from '@parley/shared/proto';
import { REALM_SETTING_DEFAULTS, USER_SETTING_DEFAULTS } from '@parley/shared/values';
import type { Context } from '../context';
import { findPushFacts, type PushFactsRow } from './push-facts.sql';

/**
 * What notifications of a user's device depend on: settings, and whether the credential that registered it is still valid. Concurrent calls
 * share a statement: a message may notify thousands of devices.
 */
export function pushFactsReader({ db }: Pick<Context, 'db'>) {
  const find = batched((requests: GetPushFactsRequest[]) => findPushFacts(db, requests), {
    maxItems: 100,
    maxInFlight: 2,
  });
  return async (request: GetPushFactsRequest): Promise<GetPushFactsResponse> => {
    const row = await find(request);
    return row === null ? {} : { facts: factsOf(row) };
  };
}

function factsOf({ chosen, realmSettings, realmName, subdomain }: PushFactsRow) {
  const settings = { ...USER_SETTING_DEFAULTS, ...chosen };
  const { require_e2ee_push_notifications: requiresEncryption } = { ...REALM_SETTING_DEFAULTS, ...realmSettings };
  const language = String(settings.default_language);
  const showsDirectContent = settings.pm_content_in_desktop_notifications === true;
  return { realmName, subdomain, language, showsDirectContent, requiresEncryption };
}
