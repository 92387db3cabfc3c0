import { announce } from '@parley/shared/bus';
import type { Sql, Transaction } from '@parley/shared/db';
import { type BotProperty, botChanged } from '@parley/shared/events';
import type { UpdateBotRequest, UpdatedBot, User } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { publicBot } from '@parley/shared/wire';
import { loadActor } from '../actors/load-actor';
import { changeAvatar } from '../avatars/change-avatar';
import type { Context } from '../context';
import { requireMember } from '../guards';
import { changeFullName } from '../users/change-full-name';
import { changeRole } from '../users/change-role';
import { findUser } from '../users/users.sql';
import { accessBot } from './access-bot';
import { managerIdsOf } from './bot-manager-ids';
import { type BotUpdate, readBotUpdate } from './bot-update';
import { type BotRow, findBot, storeBotChange, storeWebhookTarget } from './bots.sql';
import { changeBot } from './change-bot';
import { changeBotOwner } from './change-bot-owner';
import { pictureOf } from './picture-of';

const PROPERTIES: readonly BotProperty[] = [
  'full_name',
  'default_sending_stream',
  'default_events_register_stream',
  'default_all_public_streams',
  'services',
];

/** Changes what the request names of a bot; all of it or nothing. */
export async function updateBot(ctx: Context, caller: Caller, request: UpdateBotRequest): Promise<UpdatedBot> {
  const picture = await pictureOf(request.files, () => checkRequest(ctx, caller, request));
  return changeBot(ctx, caller, request.botId, async (tx, _actor, former) => {
    const update = await readRequest(ctx, tx, caller, former, request);
    await store(ctx, tx, former, update);
    if (picture) await announce(tx, ...(await changeAvatar(tx, former.bot.user, picture)).events);
    const row = (await findBot(tx, caller.realmId, request.botId)) as BotRow;
    await announceChanges(tx, former, row);
    const owner = (await findUser(tx, caller.realmId, row.bot.user.botOwnerId as number)) as User;
    return { bot: row.bot, ownerEmail: owner.email };
  });
}

/** Told before a picture is looked at, which takes its time. */
async function checkRequest(ctx: Context, caller: Caller, request: UpdateBotRequest): Promise<void> {
  const { user } = await loadActor(ctx.db, caller, ctx.clock.now());
  requireMember(user);
  await readRequest(ctx, ctx.db, caller, await accessBot(ctx.db, user, request.botId), request);
}

async function readRequest(
  ctx: Context,
  sql: Sql,
  caller: Caller,
  row: BotRow,
  request: UpdateBotRequest,
): Promise<BotUpdate> {
  return readBotUpdate(sql, await loadActor(sql, caller, ctx.clock.now()), row, request);
}

async function store(
  ctx: Context,
  tx: Transaction,
  { bot: { user } }: BotRow,
  { fullName, role, owner, rest, target }: BotUpdate,
): Promise<void> {
  const { realmId, id } = user;
  if (fullName !== null) await announce(tx, ...(await changeFullName(tx, user, fullName)));
  if (role !== null) await changeRole(tx, user, role, ctx.clock.now());
  if (Object.keys(rest).length > 0) await storeBotChange(tx, realmId, id, rest);
  if (target !== null) await storeWebhookTarget(tx, realmId, id, target);
  if (owner !== null) await changeBotOwner(ctx, tx, user, owner);
}

async function announceChanges(tx: Transaction, former: BotRow, row: BotRow): Promise<void> {
  const [before, after] = [publicBot(former.bot), publicBot(row.bot)];
  const changed = PROPERTIES.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  const managerIds = changed.length > 0 ? await managerIdsOf(tx, row) : [];
  const { realmId } = row.bot.user;
  await announce(tx, ...changed.map((property) => botChanged(realmId, { bot: row.bot, property, managerIds })));
}
