/** The search ends when this share of the answer is uncertain, or this number of users. */
const EXACT_SHARE = 0.1;
const EXACT_USERS = 10;

/**
 * The highest number of users that passes: `first` is doubled until one fails, or `most` passes; then a binary search. 0 when even the
 * lowest fails. A number that passes once counts for all below.
 */
export async function findLimit(
  holds: (users: number) => Promise<boolean>,
  first: number,
  most: number,
): Promise<number> {
  let good = 0;
  let bad = most + 1;
  for (let users = Math.min(first, most); good < most; users = Math.min(users * 2, most)) {
    if (!(await holds(users))) {
      bad = users;
      break;
    }
    good = users;
  }
  while (bad - good > Math.max(EXACT_USERS, bad * EXACT_SHARE)) {
    const users = Math.floor((good + bad) / 2);
    if (await holds(users)) good = users;
    else bad = users;
  }
  return good;
}
