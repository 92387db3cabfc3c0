import { REALM_PERMISSION_SETTINGS } from '@parley/shared/access';
import { BOT_TYPES } from '@parley/shared/values';
import type { Actor } from '../actors/actor';
import { mayBy } from '../actors/permissions';
import type { RealmGroupSettings } from '../group-settings/complete-settings';

type BotRights = Pick<RealmGroupSettings, 'can_create_bots_group' | 'can_create_write_only_bots_group'>;

/** Whether the actor may create bots of that type; those that only receive webhook calls need a smaller right. */
export function mayCreateBot(actor: Actor, rights: BotRights, botType: number): boolean {
  const isIn = (name: keyof BotRights) => mayBy(actor, rights[name], REALM_PERMISSION_SETTINGS[name]);
  if (isIn('can_create_bots_group')) return true;
  return botType === BOT_TYPES.incomingWebhook && isIn('can_create_write_only_bots_group');
}
