import { VersionedMemory } from '@parley/shared/batch';
import type { User } from '@parley/shared/proto';
import type { Caller, RpcClient } from '@parley/shared/rpc';
import type { Clock } from '@parley/shared/values';

const MAX_BYTES = 64 * 1024 * 1024;
/** Approximate size of an account with its name and addresses. */
const CARD_BYTES = 1024;

/**
 * The accounts shown in messages, cached by the version of the organization's accounts, which realm sends with the facts about
 * each reader. A changed name or picture raises it, so no reader gets an account older than their request.
 */
export class UserCards {
  readonly #memory: VersionedMemory<User>;

  constructor(
    private readonly realm: Pick<RpcClient<'realm'>, 'getUsers'>,
    clock: Clock,
  ) {
    this.#memory = new VersionedMemory(clock, MAX_BYTES);
  }

  /** The existing users among the ids. Without a version (readers who may not see all users) they are always loaded. */
  async load(caller: Caller, userIds: readonly number[], version: string | undefined): Promise<Map<number, User>> {
    const cards = version === undefined ? new Map<number, User>() : this.#recall(caller, userIds, version);
    const missing = userIds.filter((id) => !cards.has(id));
    if (missing.length === 0) return cards;
    const { users, usersVersion } = await this.realm.getUsers(caller, { userIds: missing });
    for (const user of users) {
      cards.set(user.id, user);
      if (usersVersion !== undefined) this.#memory.keep(keyOf(caller, user.id), usersVersion, user, CARD_BYTES);
    }
    return cards;
  }

  #recall(caller: Caller, userIds: readonly number[], version: string): Map<number, User> {
    const cards = new Map<number, User>();
    for (const id of userIds) {
      const known = this.#memory.recall(keyOf(caller, id));
      if (known?.version === version) cards.set(id, known.value);
    }
    return cards;
  }
}

function keyOf({ realmId }: Caller, userId: number): string {
  return `${realmId}/${userId}`;
}
