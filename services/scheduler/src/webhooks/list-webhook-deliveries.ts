import type { ListWebhookDeliveriesRequest, WebhookDeliveries } from '@parley/shared/proto';
import { newCall } from '@parley/shared/rpc';
import type { Context } from '../context';
import { selectDead } from './delivery.sql';

const MAX_LISTED = 1_000;

/** Deliveries of an organization's bots that failed within the last month. For the operator's command. */
export async function listWebhookDeliveries(
  { db, services }: Context,
  { subdomain }: ListWebhookDeliveriesRequest,
): Promise<WebhookDeliveries> {
  const { id: realmId } = await services.realm.getRealm(newCall(), { subdomain });
  return { deliveries: await selectDead(db, realmId, MAX_LISTED) };
}
