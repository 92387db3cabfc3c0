import type { GetPushFactsRequest, GetPushFactsResponse } from '@parley/shared/proto';
import { REALM_SETTING_DEFAULTS, USER_SETTING_DEFAULTS } from '@parley/shared/values';
import type { Context } from '../context';
import { findPushFacts } from './push-facts.sql';

/** What notifications of a user's device depend on: settings, and whether the credential that registered it is still valid. */
export async function getPushFacts(ctx: Context, request: GetPushFactsRequest): Promise<GetPushFactsResponse> {
  const row = await findPushFacts(ctx.db, request);
  if (row === null) return {};
  const { chosen, realmSettings, realmName, subdomain } = row;
  const settings = { ...USER_SETTING_DEFAULTS, ...chosen };
  const { require_e2ee_push_notifications: requiresEncryption } = { ...REALM_SETTING_DEFAULTS, ...realmSettings };
  const language = String(settings.default_language);
  const showsDirectContent = settings.pm_content_in_desktop_notifications === true;
  return { facts: { realmName, subdomain, language, showsDirectContent, requiresEncryption } };
}
