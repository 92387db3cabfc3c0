/**
 * Who had read a message from the beginning, as one list: ids of users, or else EVERYBODY and, with a minus, those who are excepted.
 * A list of everybody would neither fit into the row nor into the index that holds it.
 */
export type ReadByIds = readonly number[];

const EVERYBODY = 0;

export function readByAllBut(userIds: readonly number[]): ReadByIds {
  return [EVERYBODY, ...userIds.map((id) => -id)];
}

/** Whether the user had. NOTE: beganReadBy() says the same in SQL. */
export function hadRead(readByIds: ReadByIds, userId: number): boolean {
  return readByIds.includes(userId) || (readByIds.includes(EVERYBODY) && !readByIds.includes(-userId));
}

/** SQL over a row of `message` called `m`. */
export function beganReadBy(userId: string): string {
  return `(${userId}::bigint = any(m.read_by_ids)
    or ${EVERYBODY} = any(m.read_by_ids) and -${userId}::bigint <> all(m.read_by_ids))`;
}
