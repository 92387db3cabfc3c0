import { REALM_PERMISSION_SETTINGS, type RealmPermissionName } from '@parley/shared/access';
import { UserDeactivatedError } from '@parley/shared/errors';
import type {
  Channel,
  ChannelEditFacts,
  EditFacts,
  GetEditFactsRequest,
  SendFacts,
  SendFactsQuery,
} from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { ROLES } from '@parley/shared/values';
import type { Actor } from '../actors/actor';
import { mayBy } from '../actors/permissions';
import { confirmBy, keyToConfirm } from '../api-keys/confirm-credential';
import { possibleIds } from '../base/possible-values';
import { viewerOf } from '../channel-access/access-channel';
import { completeChannel } from '../channel-access/complete-channel';
import type { Context } from '../context';
import { completeSettings } from '../group-settings/complete-settings';
import { type EditFactsRow, loadEditFacts } from './edit-facts.sql';
import { withRights } from './get-mark-facts';
import { getReadFacts, toKnown } from './get-read-facts';
import { getReadingSendFacts, getSendFacts } from './get-send-facts';

const REALM_PERMISSIONS = Object.keys(REALM_PERMISSION_SETTINGS) as RealmPermissionName[];

/** The facts for editing and deleting messages. */
export function getEditFacts(ctx: Context, caller: Caller, request: GetEditFactsRequest): Promise<EditFacts> {
  return request.contentOnly ? getContentEditFacts(ctx, caller, request) : getAllEditFacts(ctx, caller, request);
}

/** The facts for sending and the channels: one statement, unless groups of the caller matter for reading a private channel. */
async function getContentEditFacts(ctx: Context, caller: Caller, request: GetEditFactsRequest): Promise<EditFacts> {
  const channelIds = possibleIds(request.channelIds).slice(0, 1);
  const { send, readChannels, holder } = await getReadingSendFacts(ctx, sendQuery(caller, channelIds[0], request), {
    apiKeyId: keyToConfirm(caller),
    channelIds: possibleIds(request.readChannels?.ids ?? []),
  });
  confirmBy(holder, caller);
  if (!send.realm || !send.sender?.isActive) throw new UserDeactivatedError();
  const { realm, sender: reader, senderSettings: readerSettings, channel: place } = send;
  const channels = toKnown(await withRights(ctx, caller, { role: reader.role, channels: readChannels }), reader);
  const nothing = { mutedUserIds: [], alertWords: [], receiptCandidates: [] };
  return {
    read: { realm, reader, channels, readerSettings, ...nothing },
    permissions: [],
    channels: place ? [{ channel: place.channel, send: place, permissions: [], guestIds: [] }] : [],
    notificationBot: null,
    send,
    noticeChoices: null,
  };
}

/** The facts for sending and reading, and one more statement. */
async function getAllEditFacts(ctx: Context, caller: Caller, request: GetEditFactsRequest): Promise<EditFacts> {
  const channelIds = possibleIds(request.channelIds).slice(0, 2);
  const { realmId, userId: actorId } = caller;
  const { authorId, withNoticeChoices = false } = request;
  const [row, read, sends] = await Promise.all([
    loadEditFacts(ctx.db, { realmId, actorId, nowMs: ctx.clock.now(), channelIds, authorId, withNoticeChoices }),
    getReadFacts(ctx, caller, request.readChannels ? { channels: request.readChannels } : {}),
    request.withoutSend ? [] : loadSends(ctx, caller, channelIds, request),
  ]);
  if (!row?.actor.isActive) throw new UserDeactivatedError();
  return {
    read,
    permissions: realmPermissions(row),
    channels: channelIds.flatMap((channelId, index) => channelFacts(row, channelId, sends[index], index === 0)),
    notificationBot: row.notificationBot,
    send: sends[0] ?? null,
    ...(row.authorOwnerId !== null && { authorOwnerId: row.authorOwnerId }),
    noticeChoices: withNoticeChoices ? noticeChoices(row) : null,
  };
}

async function loadSends(
  ctx: Context,
  caller: Caller,
  [first, second]: readonly number[],
  request: GetEditFactsRequest,
): Promise<SendFacts[]> {
  const query = sendQuery(caller, first, request);
  const nothing = { mentionedNames: [], mentionedGroupNames: [], linkedChannelNames: [], emojiNames: [] };
  const queries = second === undefined ? [query] : [query, { ...query, ...nothing, channelId: second }];
  return (await getSendFacts(ctx, { queries })).facts;
}

function sendQuery(
  { realmId, userId: senderId }: Caller,
  channelId: number | undefined,
  { mentionedNames, mentionedGroupNames, linkedChannelNames, emojiNames }: GetEditFactsRequest,
): SendFactsQuery {
  const names = { mentionedNames, mentionedGroupNames, linkedChannelNames, emojiNames };
  const sender = { realmId, senderId, recipientIds: [], recipientEmails: [] };
  return {
    ...sender,
    ...names,
    mentionsMany: mentionedNames.length > 0,
    ...(channelId !== undefined && { channelId }),
  };
}

function realmPermissions(row: EditFactsRow): RealmPermissionName[] {
  const { storedSettings, systemGroupIds } = row;
  const settings = completeSettings(REALM_PERMISSION_SETTINGS, storedSettings, { creatorId: null, systemGroupIds });
  const actor = actorOf(row);
  return REALM_PERMISSIONS.filter((name) => mayBy(actor, settings[name], REALM_PERMISSION_SETTINGS[name]));
}

function actorOf({ actor: user, standing, groupIds }: EditFactsRow): Actor {
  return { user, isFullMember: standing <= ROLES.member, groupIds: new Set(groupIds) };
}

function channelFacts(
  row: EditFactsRow,
  channelId: number,
  facts: SendFacts | undefined,
  isFirst: boolean,
): ChannelEditFacts[] {
  const stored = row.channels.find(({ id }) => id === channelId);
  if (!stored) return [];
  const channel: Channel = completeChannel(stored, row.systemGroupIds);
  const viewer = viewerOf(actorOf(row), channel, row.subscribedIds.includes(channelId));
  return [
    {
      channel: { ...channel, groupSettings: {}, postPolicy: 0 },
      send: facts?.channel ?? null,
      permissions: [...viewer.holds],
      guestIds: isFirst ? row.guestIds : [],
    },
  ];
}

function noticeChoices({ noticeChoices: choices }: EditFactsRow) {
  const idsOf = (choice: string) => (choices ?? []).flatMap((one) => (one.choice === choice ? one.userId : []));
  return { alwaysReadIds: idsOf('always'), neverReadIds: idsOf('never') };
}
