import { ConfigError } from '@parley/shared/errors';
import { createOutsideHttp, type OutsideHttp } from '@parley/shared/outside-http';
import { type Clock, realmUrl } from '@parley/shared/values';
import type { Config } from '../config';
import type { PushCarriers } from './carriers';
import { phoneCarrier } from './push-gateway';
import { vapidPublicKey, webPushCarrier } from './web-push';

type PushConfig = Pick<
  Config,
  'EXTERNAL_HOST' | 'VAPID_PRIVATE_KEY' | 'VAPID_SUBJECT' | 'PUSH_GATEWAY_URL' | 'PUSH_GATEWAY_KEY'
>;

/** Those who carry notifications, as far as the settings switch them on: without settings nothing leaves this server. */
export function createPushCarriers(
  config: PushConfig,
  { outside, clock }: { outside: OutsideHttp; clock: Clock },
): PushCarriers {
  const { VAPID_PRIVATE_KEY: privateKey, VAPID_SUBJECT, EXTERNAL_HOST } = config;
  const gateway = gatewayOf(config);
  const phones = gateway && phoneCarrier({ outside: toHostOf(gateway.url), clock }, gateway);
  if (privateKey === undefined) return { web: null, apns: phones, fcm: phones };
  // The standard knows no addresses of http.
  const subject = VAPID_SUBJECT ?? realmUrl('', EXTERNAL_HOST).replace(/^http:/, 'https:');
  const web = webPushCarrier(outside, { privateKey, publicKey: publicKeyOf(privateKey), subject });
  return { web, apns: phones, fcm: phones };
}

function publicKeyOf(privateKey: string): string {
  try {
    return vapidPublicKey(privateKey);
  } catch {
    throw new ConfigError('VAPID_PRIVATE_KEY must be a key that `push keys` made');
  }
}

function gatewayOf({ PUSH_GATEWAY_URL: url, PUSH_GATEWAY_KEY: secret }: PushConfig) {
  if (url === undefined) return null;
  if (secret === undefined) throw new ConfigError('PUSH_GATEWAY_URL needs PUSH_GATEWAY_KEY');
  return { url, secret };
}

/** The operator has named the gateway, so it may be in the own network. */
function toHostOf(url: string): OutsideHttp {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
  const isGateway = (name: string) => name.toLowerCase() === host;
  return createOutsideHttp({ allow: { allowsHost: isGateway, allowsAddress: isGateway } });
}
