import type { GetUsersResponse, User } from '@parley/shared/proto';
import { type Caller, newCall } from '@parley/shared/rpc';
import { createFakeClock } from '@parley/shared/testing';
import { unknownUser } from '@parley/shared/values';
import { UserCards } from './user-cards';

const caller: Caller = { ...newCall(), realmId: 1, userId: 5 };

/** A realm at a version, and the ids that it was asked for. */
function realmAt(version: () => string | undefined) {
  const asked: number[][] = [];
  const getUsers = async (_caller: unknown, { userIds }: { userIds: number[] }): Promise<GetUsersResponse> => {
    asked.push(userIds);
    const usersVersion = version();
    const users = userIds.map((id): User => ({ ...unknownUser(1, id), fullName: `Name at ${usersVersion}` }));
    return { users, ...(usersVersion !== undefined && { usersVersion }) };
  };
  return { asked, cards: new UserCards({ getUsers } as never, createFakeClock()) };
}

test('users are loaded once per version', async () => {
  let version = '1';
  const { asked, cards } = realmAt(() => version);
  await cards.load(caller, [7, 8], '1');
  await cards.load(caller, [8, 9], '1');
  const known = await cards.load(caller, [7, 8, 9], '1');
  expect([...known.keys()].sort()).toEqual([7, 8, 9]);
  expect(asked).toEqual([[7, 8], [9]]);
  version = '2';
  expect((await cards.load(caller, [7], '2')).get(7)?.fullName).toBe('Name at 2');
  expect(asked).toHaveLength(3);
});

test('users that are newer than the reader knows serve the next reader', async () => {
  const { asked, cards } = realmAt(() => '2');
  expect((await cards.load(caller, [7], '1')).get(7)?.fullName).toBe('Name at 2');
  await cards.load(caller, [7], '2');
  expect(asked).toEqual([[7]]);
});

test('for readers who may not see all users, users are always loaded, and not cached', async () => {
  let version: string | undefined;
  const { asked, cards } = realmAt(() => version);
  await cards.load(caller, [7], undefined);
  await cards.load(caller, [7], undefined);
  version = '1';
  await cards.load(caller, [7], '1');
  await cards.load(caller, [7], undefined);
  expect(asked).toHaveLength(4);
});

test('organizations do not share users, though their ids are the same', async () => {
  const { asked, cards } = realmAt(() => '1');
  await cards.load(caller, [7], '1');
  await cards.load({ ...caller, realmId: 2 }, [7], '1');
  expect(asked).toHaveLength(2);
});
