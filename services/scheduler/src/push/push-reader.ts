import { newCall } from '@parley/shared/rpc';
import { realmUrl } from '@parley/shared/values';
import type { Context } from '../context';
import type { PushReader } from './compose-note';
import type { PushDevice } from './push-devices.sql';

/** The user of a device; null: the account, or the session that registered the device, has ended. */
export async function findPushReader(
  { services, config }: Pick<Context, 'services' | 'config'>,
  { realmId, userId, kind, apiKeyId }: Pick<PushDevice, 'realmId' | 'userId' | 'kind' | 'apiKeyId'>,
): Promise<PushReader | null> {
  const { facts } = await services.realm.getPushFacts(newCall(), { realmId, userId, apiKeyId });
  if (!facts) return null;
  const { language, realmName, subdomain, showsDirectContent, requiresEncryption } = facts;
  return {
    ...{ userId, language, realmName, showsDirectContent },
    realmUrl: realmUrl(subdomain, config.EXTERNAL_HOST),
    // Browsers get everything encrypted; phones through a gateway, Apple or Google, who could read it.
    tellsNothing: requiresEncryption && kind !== 'web',
  };
}
