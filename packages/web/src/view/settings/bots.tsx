import { call, callWithFile } from '../../api/call';
import { personName } from '../../store/model';
import { isAmong } from '../../store/rights';
import { type Bot, readSettings } from '../../store/settings-state';
import { settingsTexts } from '../../texts/settings-texts';
import { confirm } from '../base/dialog';
import { attempt } from '../base/notices';
import { type FormField, type FormValues, refusal, showForm } from './form-dialog';
import { Action, Entry, Listing, Part } from './listing';
import { byName } from './names';
import { showSecret } from './secret';

const [GENERIC, INCOMING_WEBHOOK, OUTGOING_WEBHOOK] = [1, 2, 3];

/** The kinds of bots that one may make. */
function ownBotTypes(): number[] {
  const { realm_can_create_bots_group: makers, realm_can_create_write_only_bots_group: webhookMakers } = readSettings();
  if (isAmong(makers)) return [GENERIC, INCOMING_WEBHOOK, OUTGOING_WEBHOOK];
  return isAmong(webhookMakers) ? [INCOMING_WEBHOOK] : [];
}

/** One's own bots, which one makes here. */
export function OwnBots() {
  const state = readSettings('people');
  return <Bots bots={state.realm_bots.filter((bot) => bot.owner_id === state.user_id)} />;
}

/** The bots of everybody that one may manage. */
export function AllBots() {
  return <Bots bots={readSettings('people').realm_bots} />;
}

function Bots({ bots }: { bots: readonly Bot[] }) {
  const t = settingsTexts.value;
  const sorted = bots.toSorted((a, b) => Number(b.is_active) - Number(a.is_active) || byName(a.full_name, b.full_name));
  return (
    <Part note={t.botsNote}>
      {ownBotTypes().length > 0 && <Action isMain label={t.newBot} run={createBot} />}
      <Listing
        label={t.bots}
        items={sorted}
        textOf={(bot) => `${bot.full_name} ${bot.email}`}
        keyOf={({ user_id: id }) => id}
        draw={(bot) => <BotEntry bot={bot} />}
      />
    </Part>
  );
}

function BotEntry({ bot }: { bot: Bot }) {
  const t = settingsTexts.value;
  const { user_id: id, full_name: name } = bot;
  const owner = bot.owner_id === null ? '' : ` · ${personName(bot.owner_id)}`;
  const detail = `${t.botTypes[bot.bot_type ?? 0] ?? ''} · ${bot.email}${owner}`;
  const picture = <img src={bot.avatar_url} alt="" width="32" height="32" loading="lazy" />;
  if (!bot.is_active) {
    return (
      <Entry picture={picture} title={name} detail={`${t.deactivated} · ${detail}`}>
        <Action label={t.reactivate} of={name} run={() => attempt(() => call('POST', `/users/${id}/reactivate`))} />
      </Entry>
    );
  }
  return (
    <Entry picture={picture} title={name} detail={detail}>
      <Action label={t.showKey} of={name} run={() => showKey(bot)} />
      <Action label={t.newKey} of={name} run={() => replaceKey(bot)} />
      {bot.bot_type === OUTGOING_WEBHOOK && <Action label={t.secret} of={name} run={() => showSigningSecret(bot)} />}
      <Action label={t.edit} of={name} run={() => editBot(bot)} />
      <Action label={t.deactivate} of={name} run={() => deactivateBot(bot)} />
    </Entry>
  );
}

async function showKey({ user_id: id, full_name: name }: Bot): Promise<void> {
  const found = await attempt(() => call<{ api_key: string }>('GET', `/bots/${id}/api_key`));
  if (found) showSecret(name, found.api_key, settingsTexts.value.keyNote);
}

async function replaceKey({ user_id: id, full_name: name }: Bot): Promise<void> {
  const t = settingsTexts.value;
  if (!(await confirm(name, t.replaceKeyQuestion, t.newKey))) return;
  const made = await attempt(() => call<{ api_key: string }>('POST', `/bots/${id}/api_key/regenerate`));
  if (made) showSecret(name, made.api_key, t.keyNote);
}

async function showSigningSecret({ user_id: id, full_name: name }: Bot): Promise<void> {
  const found = await attempt(() => call<{ signing_secret: string }>('GET', `/bots/${id}/signing_secret`));
  if (found) showSecret(name, found.signing_secret, settingsTexts.value.secretNote);
}

async function deactivateBot({ user_id: id, full_name: name }: Bot): Promise<void> {
  const t = settingsTexts.value;
  if (await confirm(t.deactivate, t.deactivateQuestion(name), t.deactivate)) {
    await attempt(() => call('DELETE', `/bots/${id}`));
  }
}

function createBot(): void {
  const t = settingsTexts.value;
  const types = ownBotTypes();
  const [firstType] = types;
  const urlField = { kind: 'url', name: 'payload_url', label: t.payloadUrl, hint: t.payloadUrlHint } as const;
  showForm({
    title: t.newBot,
    action: t.create,
    fields: [
      { kind: 'text', name: 'full_name', label: t.name, isRequired: true, maxLength: 100 },
      { kind: 'text', name: 'short_name', label: t.shortName, hint: t.shortNameHint, isRequired: true, maxLength: 60 },
      {
        ...{ kind: 'choice', name: 'bot_type', label: t.botType, initial: firstType },
        choices: types.map((type) => [type, t.botTypes[type] ?? '']),
      },
      ...(types.includes(OUTGOING_WEBHOOK) ? [urlField] : []),
      { kind: 'file', name: 'file', label: t.picture, accept: 'image/*' },
    ],
    async submit({ file, payload_url: url, ...values }) {
      const isOutgoing = values['bot_type'] === OUTGOING_WEBHOOK;
      if (isOutgoing && url === '') throw refusal(t.payloadUrlNeeded);
      const sent = { ...values, ...(isOutgoing && { payload_url: JSON.stringify(url) }) };
      const made = await sendBot<{ api_key: string }>('POST', '/bots', sent, file);
      showSecret(String(values['full_name']), made.api_key, t.keyNote);
    },
  });
}

const sendBot = <Result = unknown>(method: string, path: string, values: FormValues, file: unknown) =>
  file instanceof File ? callWithFile<Result>(method, path, file, values) : call<Result>(method, path, values);

function editBot(bot: Bot): void {
  const t = settingsTexts.value;
  const [service] = bot.services;
  const url: FormField[] = service
    ? [{ kind: 'url', name: 'service_payload_url', label: t.payloadUrl, initial: service.base_url, isRequired: true }]
    : [];
  showForm({
    title: bot.full_name,
    action: t.save,
    fields: [
      { kind: 'text', name: 'full_name', label: t.name, initial: bot.full_name, isRequired: true, maxLength: 100 },
      { kind: 'people', name: 'owner', label: t.owner, initial: bot.owner_id === null ? [] : [bot.owner_id] },
      ...url,
      { kind: 'file', name: 'file', label: t.picture, accept: 'image/*' },
    ],
    submit({ file, owner, service_payload_url: payloadUrl, ...values }) {
      const ownerId = (owner as number[]).at(-1);
      const sent = {
        ...values,
        ...(ownerId !== undefined && ownerId !== bot.owner_id && { bot_owner_id: ownerId }),
        ...(payloadUrl !== undefined && { service_payload_url: JSON.stringify(payloadUrl) }),
      };
      return sendBot('PATCH', `/bots/${bot.user_id}`, sent, file);
    },
  });
}
