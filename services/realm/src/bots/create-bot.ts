import { announce } from '@parley/shared/bus';
import type { Sql, Transaction } from '@parley/shared/db';
import { botCreated } from '@parley/shared/events';
import type { CreateBotRequest, NewBot, User } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { ROLES } from '@parley/shared/values';
import { loadActor } from '../actors/load-actor';
import { changeAvatar } from '../avatars/change-avatar';
import type { Context } from '../context';
import { requireMember } from '../guards';
import { isUniqueViolation } from '../unique-violation';
import { changeAccounts } from '../users/change-accounts';
import { openAccount } from '../users/open-account';
import { EMAIL_IS_UNIQUE, findUser } from '../users/users.sql';
import { managerIdsOf } from './bot-manager-ids';
import { type BotRow, findBot, storeBotChange } from './bots.sql';
import { readNewBot, usernameTaken, type WantedBot } from './new-bot';
import { pictureOf } from './picture-of';

/** Makes a bot that belongs to the caller: it has no channels, and its key is shown. */
export async function createBot(ctx: Context, caller: Caller, request: CreateBotRequest): Promise<NewBot> {
  const { realmId } = caller;
  const picture = await pictureOf(request.files, () => readRequest(ctx, ctx.db, caller, request));
  try {
    return await changeAccounts(ctx, caller, async (tx) => {
      const wanted = await readRequest(ctx, tx, caller, request);
      const { botId, apiKey } = await store(ctx, tx, caller, wanted);
      const user = (await findUser(tx, realmId, botId)) as User;
      const pictureEvents = picture ? (await changeAvatar(tx, user, picture)).events : [];
      const row = (await findBot(tx, realmId, botId)) as BotRow;
      const created = botCreated(realmId, { bot: row.bot, managerIds: await managerIdsOf(tx, row) });
      await announce(tx, created, ...pictureEvents);
      return { bot: row.bot, apiKey };
    });
  } catch (error) {
    throw EMAIL_IS_UNIQUE.some((index) => isUniqueViolation(error, index)) ? usernameTaken() : error;
  }
}

async function readRequest(ctx: Context, sql: Sql, caller: Caller, request: CreateBotRequest): Promise<WantedBot> {
  const actor = await loadActor(sql, caller, ctx.clock.now());
  requireMember(actor.user);
  return readNewBot(sql, actor, request);
}

async function store(
  ctx: Context,
  tx: Transaction,
  { realmId, userId: ownerId }: Caller,
  { fullName, email, type, service, rest }: WantedBot,
): Promise<{ botId: number; apiKey: string }> {
  const { newAccount, events } = await openAccount(tx, {
    realmId,
    email,
    fullName,
    role: ROLES.member,
    bot: { type, ownerId, service, keySecret: ctx.config.BOT_KEY_SECRET },
    passwordHash: null,
    createdAtMs: ctx.clock.now(),
  });
  await announce(tx, ...events);
  const { userId: botId, apiKey } = newAccount;
  await storeBotChange(tx, realmId, botId, rest);
  return { botId, apiKey };
}
