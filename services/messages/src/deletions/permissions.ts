import { BadRequestError } from '@parley/shared/errors';
import { REFUSAL } from '@parley/shared/texts/refusals';

/** Input of the right to delete a message. */
interface DeletionFacts {
  actorId: number;
  senderId: number;
  /** Owner of the bot that sent it. */
  senderOwnerId: number | undefined;
  sentAtMs: number;
  /** Names of the permission settings, of the organization and of the message's channel, that include the actor. */
  realm: ReadonlySet<string>;
  channel: ReadonlySet<string>;
  limitSecs: number | null;
  nowMs: number;
}

/** Throws unless the actor may delete the message: any message, or a young one of their own or of their bot. */
export function checkDeletion(facts: DeletionFacts): void {
  const { actorId, senderId, senderOwnerId, realm, channel, sentAtMs, limitSecs, nowMs } = facts;
  if (realm.has('can_delete_any_message_group') || channel.has('can_delete_any_message_group')) return;
  const isOwn = senderId === actorId || senderOwnerId === actorId;
  const mayDeleteOwn = realm.has('can_delete_own_message_group') || channel.has('can_delete_own_message_group');
  if (!isOwn || !mayDeleteOwn) throw new BadRequestError(REFUSAL.messages.mayNotDelete);
  if (limitSecs !== null && nowMs - sentAtMs > limitSecs * 1000) {
    throw new BadRequestError(REFUSAL.messages.tooLateToDelete);
  }
}
