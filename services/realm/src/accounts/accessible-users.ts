import { announce } from '@parley/shared/bus';
import type { Sql, Transaction } from '@parley/shared/db';
import { type Audience, type DomainEvent, userLost, userMet } from '@parley/shared/events';
import type { ProfileValue, User, UserStatus } from '@parley/shared/proto';
import { EMAIL_VISIBLE_TO } from '@parley/shared/values';
import { holdersOnlyIn, type ListsByHolder } from '../base/compare-lists';
import { holdGuestVisibility, listMeetings, listStrangers, shareGuestVisibility } from './accessible-users.sql';
import { listProfiles } from './profiles.sql';
import { renderProfiles } from './shown-profile';
import { findShownStatuses } from './statuses.sql';
import { findUsersByIds } from './users.sql';

/** The users who may see the user: the audience of events about them. One statement. */
export async function userAudience(sql: Sql, realmId: number, userId: number): Promise<Audience> {
  return audienceWithout(await listStrangerIds(sql, realmId, userId));
}

/** Everybody sees bots. */
type Changed = Pick<User, 'realmId' | 'id' | 'isBot'>;

/**
 * The audience of a change of what guests are told of users whom they meet. A guest who meets the user at this moment has done so before,
 * and is in the audience, or is told of the changed user. Called after locking the account; channels and further accounts are not locked later.
 */
export async function changeAudience(tx: Transaction, user: Changed): Promise<Audience> {
  return audienceWithout(await listStrangersToChange(tx, user));
}

/** The guests who are not in it. */
export async function listStrangersToChange(tx: Transaction, { realmId, id, isBot }: Changed): Promise<number[]> {
  return !isBot && (await shareGuestVisibility(tx, realmId)) ? listStrangerIds(tx, realmId, id) : [];
}

/** The audience of each existing user, by user. */
export async function userAudiences(
  sql: Sql,
  realmId: number,
  userIds: readonly number[],
): Promise<(userId: number) => Audience> {
  const strangersOf = await loadStrangers(sql, realmId, userIds);
  return (userId) => audienceWithout(strangersOf(userId));
}

/** Guests who may not see each of the users, by user. */
export async function loadStrangers(
  sql: Sql,
  realmId: number,
  userIds: readonly number[],
): Promise<(userId: number) => number[]> {
  const found = await listStrangers(sql, realmId, userIds);
  const strangers = new Map(found.map(({ userId, guestIds }) => [userId, guestIds]));
  return (userId) => strangers.get(userId) ?? [];
}

/** Guests who may not see the user. */
export async function listStrangerIds(sql: Sql, realmId: number, userId: number): Promise<number[]> {
  const [found] = await listStrangers(sql, realmId, [userId]);
  return found?.guestIds ?? [];
}

export const NOBODY: Audience = { to: 'users', userIds: [] };

/** The audience of everybody except these users. */
export function audienceWithout(exceptIds: readonly number[]): Audience {
  return exceptIds.length === 0 ? { to: 'realm' } : { to: 'realm', exceptIds };
}

/** Whom guests may see. */
interface GuestVisibility {
  /** Empty if guests are not restricted: then they see everybody. */
  userIds: readonly number[];
  /** Only guests in these channels, and the users themselves, are compared; null: all guests. */
  channelIds: readonly number[] | null;
  /** Users by guest. */
  meetings: ListsByHolder;
}

type GuestsByUser = ReadonlyMap<number, number[]>;

interface GuestVisibilityChange {
  gained: GuestsByUser;
  lost: GuestsByUser;
}

/**
 * Loads which restricted guests see the users and, if these are such guests themselves, whom they see. Called before changes of it, e.g.
 * before users are subscribed or unsubscribed, and after locking the channels that the transaction changes: other changes of whom guests
 * see wait until it ends, or both would announce the difference of the two. `channelIds`: those whose subscribers change, if nothing else does.
 */
export async function loadGuestVisibility(
  tx: Transaction,
  realmId: number,
  userIds: readonly number[],
  channelIds: readonly number[] | null = null,
): Promise<GuestVisibility> {
  if (userIds.length === 0 || !(await holdGuestVisibility(tx, realmId)))
    return { userIds: [], channelIds, meetings: new Map() };
  return { userIds, channelIds, meetings: await listMeetings(tx, realmId, userIds, channelIds) };
}

/**
 * Notifies guests of users who became visible or invisible to them since the visibility was loaded. New guests, `newIds`, have no clients
 * yet and are skipped.
 */
export async function announceGuestVisibilityChange(
  tx: Transaction,
  realmId: number,
  before: GuestVisibility,
  newIds: readonly number[] = [],
): Promise<void> {
  const change = await compareGuestVisibility(tx, realmId, before);
  const [gained, lost] = [withoutGuests(change.gained, newIds), withoutGuests(change.lost, newIds)];
  if (gained.size + lost.size === 0) return;
  const metIds = [...gained.keys()];
  const users = metIds.length === 0 ? [] : await findUsersByIds(tx, realmId, metIds);
  const statuses = metIds.length === 0 ? new Map() : await findShownStatuses(tx, realmId, metIds);
  const profiles = metIds.length === 0 ? [] : await renderProfiles(await listProfiles(tx, realmId, metIds));
  const shown = { statuses, profiles: new Map(profiles.map(({ userId, values }) => [userId, values])) };
  await announce(tx, ...meetingEvents(realmId, users, gained, shown), ...partingEvents(realmId, lost));
}

/** Compares with the visibility loaded before a change. */
export async function compareGuestVisibility(
  sql: Sql,
  realmId: number,
  before: GuestVisibility,
): Promise<GuestVisibilityChange> {
  const { userIds, channelIds } = before;
  const meetings = userIds.length === 0 ? new Map() : await listMeetings(sql, realmId, userIds, channelIds);
  return {
    gained: await holdersOnlyIn(meetings, before.meetings),
    lost: await holdersOnlyIn(before.meetings, meetings),
  };
}

function withoutGuests(guestsOf: GuestsByUser, excludedIds: readonly number[]): GuestsByUser {
  if (excludedIds.length === 0) return guestsOf;
  const others = [...guestsOf].map(([userId, guestIds]) => {
    return [userId, guestIds.filter((id) => !excludedIds.includes(id))] as const;
  });
  return new Map(others.filter(([, guestIds]) => guestIds.length > 0));
}

/** By user. */
interface Shown {
  statuses: ReadonlyMap<number, UserStatus>;
  profiles: ReadonlyMap<number, ProfileValue[]>;
}

function meetingEvents(
  realmId: number,
  users: readonly User[],
  guests: GuestsByUser,
  { statuses, profiles }: Shown,
): DomainEvent[] {
  return users.map((user) => {
    const guestIds = guests.get(user.id) ?? [];
    const isShown = user.emailAddressVisibility === EMAIL_VISIBLE_TO.everyone;
    const [seerIds, otherIds] = isShown ? [guestIds, []] : [[], guestIds];
    const profile = profiles.get(user.id) ?? [];
    return userMet(realmId, { user, seerIds, otherIds, status: statuses.get(user.id), profile });
  });
}

function partingEvents(realmId: number, lost: GuestsByUser): DomainEvent[] {
  return [...lost].map(([userId, guestIds]) => userLost(realmId, { userId, guestIds }));
}
