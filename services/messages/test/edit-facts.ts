import { REALM_PERMISSION_SETTINGS, type SystemGroupName } from '@parley/shared/access';
import type {
  ChannelEditFacts,
  EditFacts,
  GetEditFactsRequest,
  NoticeChoices,
  ReadFacts,
  RetentionList,
  SendFacts,
  SendFactsQuery,
  User,
} from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { ROLES } from '@parley/shared/values';
import type { PeerChannel, RealmPeer } from './realm-peer';

/** Rights that differ from those of the role. */
export interface PeerRights {
  /** Names of permission settings of the organization, by user. */
  denied: Map<number, string[]>;
  granted: Map<number, string[]>;
  /** Names of permission settings of channels, by user. */
  grantedInChannels: Map<number, string[]>;
  retentionDays: number;
}

export function noSpecialRights(): PeerRights {
  return { denied: new Map(), granted: new Map(), grantedInChannels: new Map(), retentionDays: -1 };
}

type EditedPeer = Pick<RealmPeer, 'realm' | 'users' | 'channels' | 'rights' | 'settings'>;

interface Askable {
  read(caller: Caller): ReadFacts;
  send(query: SendFactsQuery): SendFacts;
}

export function editFactsOf(facts: EditedPeer, ask: Askable, caller: Caller, request: GetEditFactsRequest): EditFacts {
  const { channelIds, mentionedNames, mentionedGroupNames, linkedChannelNames, emojiNames } = request;
  const names = { mentionedNames, mentionedGroupNames, linkedChannelNames, emojiNames };
  const { realmId, userId: senderId } = caller;
  const nobody = { realmId, senderId, recipientIds: [], recipientEmails: [] };
  const [from, to] = channelIds;
  const sends = channelIds.length === 0 ? [ask.send({ ...nobody, ...names })] : [];
  for (const channelId of channelIds) sends.push(ask.send({ ...nobody, ...names, channelId }));
  const channel = (id: number | undefined) => facts.channels.find((candidate) => candidate.id === id);
  const guestIds = guestsOnlyIn(facts.users, channel(from), channel(to));
  const actor = facts.users.find(({ id }) => id === senderId) as User;
  return {
    read: ask.read(caller),
    permissions: permissionsOf(facts, actor),
    channels: sends.flatMap(({ channel: send }, index): ChannelEditFacts[] =>
      send
        ? [
            {
              channel: send.channel,
              send: request.withoutSend ? null : send,
              permissions: facts.rights.grantedInChannels.get(senderId) ?? [],
              guestIds: index === 0 && to !== undefined ? guestIds : [],
            },
          ]
        : [],
    ),
    notificationBot: facts.users.find(({ isSystemBot }) => isSystemBot) ?? null,
    send: request.withoutSend ? null : (sends[0] as SendFacts),
    ...ownerOf(facts.users, request.authorId),
    noticeChoices: request.withNoticeChoices ? noticeChoicesOf(facts) : null,
  };
}

function ownerOf(users: readonly User[], authorId: number | undefined) {
  const ownerId = users.find(({ id }) => id === authorId)?.botOwnerId;
  return ownerId === undefined ? {} : { authorOwnerId: ownerId };
}

function noticeChoicesOf({ users, settings }: EditedPeer): NoticeChoices {
  const idsOf = (choice: string) =>
    users.map(({ id }) => id).filter((id) => settings.get(id)?.resolved_topic_notice_auto_read_policy === choice);
  return { alwaysReadIds: idsOf('always'), neverReadIds: idsOf('never') };
}

function permissionsOf({ rights }: EditedPeer, { id, role }: User): string[] {
  const denied = rights.denied.get(id) ?? [];
  const byRole = Object.entries(REALM_PERMISSION_SETTINGS).flatMap(([name, setting]) =>
    role <= widestRole(setting.default as SystemGroupName) ? [name] : [],
  );
  return [...byRole, ...(rights.granted.get(id) ?? [])].filter((name) => !denied.includes(name));
}

function widestRole(group: SystemGroupName): number {
  const roles: Partial<Record<SystemGroupName, number>> = {
    'role:everyone': ROLES.guest,
    'role:members': ROLES.member,
    'role:moderators': ROLES.moderator,
    'role:administrators': ROLES.administrator,
    'role:owners': ROLES.owner,
  };
  return roles[group] ?? 0;
}

function guestsOnlyIn(users: readonly User[], from?: PeerChannel, to?: PeerChannel): number[] {
  const isIn = (channel: PeerChannel | undefined, id: number) => {
    const last = channel?.intervals.get(id)?.at(-1);
    return last !== undefined && last.toVersion === undefined;
  };
  return users.filter(({ id, role }) => role === ROLES.guest && isIn(from, id) && !isIn(to, id)).map(({ id }) => id);
}

export function retentionOf({ realm, channels, rights }: EditedPeer): RetentionList {
  return {
    realms: [
      {
        realmId: realm.id,
        days: rights.retentionDays,
        channels: channels.map(
          ({ id, name, messageRetentionDays, subscriptionVersion, isPrivate, isWebPublic, isHistoryPublic }) => ({
            channelId: id,
            name,
            subscriptionVersion,
            isPrivate,
            isWebPublic,
            isHistoryPublic,
            ...(messageRetentionDays !== undefined && { days: messageRetentionDays }),
          }),
        ),
      },
    ],
  };
}
