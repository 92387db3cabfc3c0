import {
  addAlertWords,
  addDefaultChannel,
  addLinkifier,
  addNavigationView,
  addReaction,
  archiveChannel,
  changeGroupMembers,
  changeSubgroups,
  createBot,
  createChannel,
  createChannelFolder,
  createDrafts,
  createGroup,
  createProfileField,
  createReminder,
  createSavedSnippet,
  createScheduledMessage,
  deactivateBot,
  deactivateGroup,
  deleteDraft,
  deleteMessage,
  deleteReminder,
  deleteSavedSnippet,
  deleteScheduledMessage,
  editMessage,
  muteUser,
  registerQueue,
  removeAlertWords,
  removeDefaultChannel,
  removeLinkifier,
  removeNavigationView,
  removeReaction,
  sendMessage,
  setProfileValues,
  subscribe,
  unmuteUser,
  unsubscribe,
  updateChannel,
  updateDraft,
  updateFlags,
  updateOwnStatus,
  updatePresence,
  updateRealm,
  updateSavedSnippet,
  updateScheduledMessage,
  updateSubscriptionProperties,
  updateUser,
  updateUserSettings,
  updateUserTopic,
} from '@parley/gateway/endpoints';
import type { TestClient, TestNetwork } from '../../../src';
import { AddedThings } from './added-things';
import { administration } from './administration';

/** Made by a test's own chance, so that a failure can be run again. */
export function chanceFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/**
 * Changes of access to a channel: one after the other, each once the former has arrived everywhere. A star or a topic policy that is stored
 * just after its owner's access ended stays until they register again: the state at the end would be newer than the events.
 */
const IN_TURN = new Set([
  ...['create', 'archive', 'unarchive', 'hide', 'open', 'admit', 'entrust', 'join', 'invite', 'leave', 'remove'],
  ...[
    'enter',
    'exit',
    'nest',
    'unnest',
    'disband',
    'star',
    'unstar',
    'decide',
    'move',
    'moveAway',
    'delete',
    'promote',
  ],
]);

/** Of what these add, one always stays: its removal needs two. */
const ADDING = new Set([
  ...['react', 'link', 'draft', 'snippet', 'schedule', 'remind', 'group', 'bot', 'view'],
  ...['hire', 'play', 'bundle', 'connect', 'poll'],
]);

/** With so many, one may be archived. */
const ENOUGH_CHANNELS = 4;

/** The daily changes of an organization, at random. Things added are removed again, so that nothing grows without end. */
export class Traffic {
  #count = 0;
  readonly #kept: AddedThings;
  readonly #messageIds: number[] = [];
  /** No event reports the newest message of a direct conversation after a deletion: only messages in channels are deleted. */
  readonly #inChannels: number[] = [];
  readonly #channels: { name: string; id: number }[] = [];
  readonly #archived: number[] = [];
  readonly #nested: { user_group_id: number; delete: number[] }[] = [];
  #turn: Promise<unknown> = Promise.resolve();
  /** How many were made, by kind. */
  readonly #made = new Map<string, number>();

  constructor(
    private readonly network: TestNetwork,
    private readonly pick: (below: number) => number,
  ) {
    this.#kept = new AddedThings(pick);
  }

  /** Kinds of changes of which none was made. */
  get missing(): string[] {
    return Object.keys(this.#changes()).filter((name) => !this.#made.has(name));
  }

  /** Any change. False: it was refused, because another was faster, and changes nothing. */
  async change(): Promise<boolean> {
    const changes = this.#changes();
    const name = this.#nextKind(Object.keys(changes));
    const change = changes[name] as () => Promise<unknown>;
    const making = IN_TURN.has(name) ? this.#inTurn(change) : change();
    const isMade = await making.then(
      () => true,
      () => false,
    );
    if (isMade) this.#made.set(name, (this.#made.get(name) ?? 0) + 1);
    return isMade;
  }

  /** Each kind in its turn, users and objects at random; every other change is of a kind that is wanted. */
  #nextKind(kinds: readonly string[]): string {
    const wanted = kinds.filter((name) => this.#isWanted(name));
    if (wanted.length === 0) return kinds[this.#count % kinds.length] as string;
    const candidates = this.#count % 2 === 0 ? kinds : wanted;
    return candidates[Math.floor(this.#count / 2) % candidates.length] as string;
  }

  #isWanted(name: string): boolean {
    const enough = ADDING.has(name) ? 2 : 1;
    return (this.#made.get(name) ?? 0) < enough || (name === 'create' && this.#kept.count('channel') < ENOUGH_CHANNELS);
  }

  #inTurn(change: () => Promise<unknown>): Promise<unknown> {
    const made = this.#turn.then(() => change().finally(() => this.network.settle()));
    this.#turn = made.catch(() => {});
    return made;
  }

  #changes(): Record<string, () => Promise<unknown>> {
    this.#count += 1;
    const { iris } = this.network;
    const someone = this.#someone();
    const name = `n${this.#count}`;
    return {
      ...this.#ofMessages(someone, name),
      ...this.#ofChannels(someone, name),
      ...this.#ofWriters(someone, name),
      ...this.#ofPeople(someone, name),
      link: () =>
        this.#kept.keep('link', iris, async () => {
          const linkifier = { pattern: `${name}-(?P<id>[0-9]+)`, url_template: 'https://x.example/{id}' };
          return (await iris.call(addLinkifier, linkifier)).id;
        }),
      unlink: () => this.#kept.remove('link', (who, filter_id) => who.call(removeLinkifier, { filter_id })),
      rename: () => iris.call(updateRealm, { description: name }),
      ...administration({
        network: this.network,
        pick: this.pick,
        kept: this.#kept,
        someone,
        name,
        channel: this.#channel(),
      }),
    };
  }

  #ofMessages(someone: TestClient, name: string): Record<string, () => Promise<unknown>> {
    const { pick } = this;
    const { dan, eve, iris } = this.network;
    const channel = this.#channel();
    const message_id = this.#recentMessage();
    const messages = [message_id];
    const mine = this.#inChannels[pick(this.#inChannels.length)] ?? 1;
    const send = async () => {
      const content = `@**Eve Castillo** ${name}`;
      const { id } = await someone.call(sendMessage, {
        type: 'channel',
        to: channel.name,
        topic: `t${pick(3)}`,
        content,
      });
      this.#messageIds.push(id);
      this.#inChannels.push(id);
    };
    return {
      ...{ send, sendToo: send, sendAgain: send },
      direct: async () => {
        const to = [eve.userId, dan.userId];
        this.#messageIds.push((await someone.call(sendMessage, { type: 'direct', to, content: name })).id);
      },
      read: () => someone.call(updateFlags, { messages, op: 'add', flag: 'read' }),
      unread: () => someone.call(updateFlags, { messages, op: 'remove', flag: 'read' }),
      star: () => someone.call(updateFlags, { messages, op: 'add', flag: 'starred' }),
      unstar: () => someone.call(updateFlags, { messages, op: 'remove', flag: 'starred' }),
      move: () => iris.call(editMessage, { message_id: mine, topic: `t${pick(3)}`, propagate_mode: 'change_all' }),
      moveAway: () => iris.call(editMessage, { message_id: mine, stream_id: channel.id, propagate_mode: 'change_one' }),
      delete: async () => {
        await iris.call(deleteMessage, { message_id: mine });
        this.#inChannels.splice(0, this.#inChannels.length, ...this.#inChannels.filter((id) => id !== mine));
      },
      // Messages of iris, who may read most channels.
      react: () =>
        this.#kept.keep('reaction', iris, async () => {
          await iris.call(addReaction, { message_id: mine, emoji_name: 'tada' });
          return mine;
        }),
      unreact: () =>
        this.#kept.remove('reaction', (who, id) => who.call(removeReaction, { message_id: id, emoji_name: 'tada' })),
      decide: () =>
        someone.call(updateUserTopic, { stream_id: channel.id, topic: `t${pick(3)}`, visibility_policy: pick(4) }),
    };
  }

  #ofChannels(someone: TestClient, name: string): Record<string, () => Promise<unknown>> {
    const { pick } = this;
    const { dan, eve, iris, faye } = this.network;
    const channel = this.#channel();
    const stream_id = channel.id;
    return {
      create: async () => {
        const subscribers = [iris, dan, eve, faye].map(({ userId }) => userId).slice(0, 1 + pick(4));
        const isPrivate = pick(3) === 0;
        const privacy = { invite_only: isPrivate, history_public_to_subscribers: !isPrivate || pick(2) === 0 };
        const { id } = await iris.call(createChannel, { name, subscribers, ...privacy });
        this.#channels.push({ name, id });
        await this.#kept.keep('channel', iris, async () => id);
      },
      archive: async () => {
        if (this.#kept.count('channel') < ENOUGH_CHANNELS) throw new Error('too few channels');
        await this.#kept.remove('channel', async (who, id) => {
          await who.call(archiveChannel, { stream_id: id });
          this.#channels.splice(0, this.#channels.length, ...this.#channels.filter((other) => other.id !== id));
          this.#archived.push(id);
        });
      },
      unarchive: () => iris.call(updateChannel, { stream_id: this.#archived.shift() ?? 0, is_archived: false }),
      ...this.#ofPrivacy(stream_id),
      describe: () => iris.call(updateChannel, { stream_id, description: name }),
      join: () => someone.call(subscribe, { subscriptions: [{ name: channel.name }] }),
      invite: () =>
        iris.call(subscribe, {
          subscriptions: [{ name: channel.name }],
          principals: [someone.userId, [faye, eve][pick(2)]?.userId as number],
        }),
      leave: () => someone.call(unsubscribe, { subscriptions: [channel.name] }),
      remove: () =>
        iris.call(unsubscribe, { subscriptions: [channel.name], principals: [someone.userId, faye.userId] }),
      mute: () =>
        someone.call(updateSubscriptionProperties, {
          subscription_data: [{ stream_id, property: 'is_muted', value: pick(2) === 0 }],
        }),
      suggest: () => iris.call(addDefaultChannel, { stream_id }),
      unsuggest: () => iris.call(removeDefaultChannel, { stream_id }),
      folder: async () => {
        if (this.#kept.count('folder') > 10) throw new Error('enough folders');
        await this.#kept.keep(
          'folder',
          iris,
          async () => (await iris.call(createChannelFolder, { name })).channel_folder_id,
        );
      },
      file: () => iris.call(updateChannel, { stream_id, folder_id: this.#kept.newest('folder') ?? null }),
    };
  }

  #ofPrivacy(stream_id: number): Record<string, () => Promise<unknown>> {
    const { pick } = this;
    const { dan, eve, iris } = this.network;
    const whom = () => ({
      direct_members: [iris, dan, eve].slice(0, 1 + pick(3)).map(({ userId }) => userId),
      direct_subgroups: [],
    });
    return {
      hide: () =>
        iris.call(updateChannel, { stream_id, is_private: true, history_public_to_subscribers: pick(2) === 0 }),
      open: () => iris.call(updateChannel, { stream_id, is_private: false }),
      admit: () => iris.call(updateChannel, { stream_id, can_subscribe_group: { new: whom() } }),
      entrust: () => iris.call(updateChannel, { stream_id, can_administer_channel_group: { new: whom() } }),
    };
  }

  #ofWriters(someone: TestClient, name: string): Record<string, () => Promise<unknown>> {
    const { pick } = this;
    const later = Math.floor(Date.now() / 1000) + 100_000 + pick(1_000);
    const draft = { type: '', to: [] as number[], topic: '', content: name, timestamp: 1_000 + pick(1_000) } as const;
    const to = [this.network.dan.userId];
    return {
      draft: () =>
        this.#kept.keep(
          'draft',
          someone,
          async () => (await someone.call(createDrafts, { drafts: [draft] })).ids[0] as number,
        ),
      redraft: () => this.#kept.change('draft', (who, draft_id) => who.call(updateDraft, { draft_id, draft })),
      undraft: () => this.#kept.remove('draft', (who, draft_id) => who.call(deleteDraft, { draft_id })),
      snippet: () =>
        this.#kept.keep('snippet', someone, async () => {
          return (await someone.call(createSavedSnippet, { title: name, content: name })).saved_snippet_id;
        }),
      resnip: () =>
        this.#kept.change('snippet', (who, saved_snippet_id) =>
          who.call(updateSavedSnippet, { saved_snippet_id, title: name }),
        ),
      unsnip: () =>
        this.#kept.remove('snippet', (who, saved_snippet_id) => who.call(deleteSavedSnippet, { saved_snippet_id })),
      schedule: () =>
        this.#kept.keep('scheduled', someone, async () => {
          const message = { type: 'direct', to, content: name, scheduled_delivery_timestamp: later } as const;
          return (await someone.call(createScheduledMessage, message)).scheduled_message_id;
        }),
      reschedule: () =>
        this.#kept.change('scheduled', (who, scheduled_message_id) =>
          who.call(updateScheduledMessage, { scheduled_message_id, scheduled_delivery_timestamp: later }),
        ),
      unschedule: () =>
        this.#kept.remove('scheduled', (who, scheduled_message_id) =>
          who.call(deleteScheduledMessage, { scheduled_message_id }),
        ),
      remind: () =>
        this.#kept.keep('reminder', someone, async () => {
          const message_id = this.#recentMessage();
          return (await someone.call(createReminder, { message_id, scheduled_delivery_timestamp: later })).reminder_id;
        }),
      unremind: () => this.#kept.remove('reminder', (who, reminder_id) => who.call(deleteReminder, { reminder_id })),
    };
  }

  #ofPeople(someone: TestClient, name: string): Record<string, () => Promise<unknown>> {
    const { pick } = this;
    const { iris, faye } = this.network;
    const other = this.#someone();
    const fragment = (view: number) => `narrow/topic/${view}`;
    const word = `word${pick(4)}`;
    return {
      group: () =>
        this.#kept.keep('group', iris, async () => {
          return (await iris.call(createGroup, { name, description: '', members: [someone.userId] })).group_id;
        }),
      enter: () =>
        this.#kept.change('group', (who, user_group_id) =>
          who.call(changeGroupMembers, { user_group_id, add: [[someone, faye][pick(2)]?.userId as number] }),
        ),
      exit: async () => {
        const { realm_user_groups } = await iris.call(registerQueue, { fetch_event_types: ['realm_user_groups'] });
        const groups = realm_user_groups as { id: number; members: number[] }[];
        await this.#kept.change('group', (who, user_group_id) => {
          const members = groups.find(({ id }) => id === user_group_id)?.members ?? [];
          return who.call(changeGroupMembers, { user_group_id, delete: [members[pick(members.length)] ?? 0] });
        });
      },
      nest: () =>
        this.#kept.change('group', async (who, user_group_id) => {
          const subgroup = this.#kept.oldest('group') ?? 0;
          await who.call(changeSubgroups, { user_group_id, add: [subgroup] });
          this.#nested.push({ user_group_id, delete: [subgroup] });
        }),
      unnest: () => iris.call(changeSubgroups, this.#nested.pop() ?? { user_group_id: 0 }),
      disband: () => this.#kept.remove('group', (who, user_group_id) => who.call(deactivateGroup, { user_group_id })),
      bot: () =>
        this.#kept.keep('bot', someone, async () => {
          return (await someone.call(createBot, { full_name: name, short_name: name })).user_id;
        }),
      retire: () => this.#kept.remove('bot', (who, bot_id) => who.call(deactivateBot, { bot_id })),
      call: () =>
        iris.call(updateUser, {
          user_id: other.userId,
          full_name: `${other === this.network.eve ? 'Eve Castillo' : name}`,
        }),
      field: async () => {
        if (this.#kept.count('field') > 3) throw new Error('enough fields');
        await this.#kept.keep(
          'field',
          iris,
          async () => (await iris.call(createProfileField, { name, field_type: 1 })).id,
        );
      },
      tell: () =>
        this.#kept.change('field', (_, id) =>
          someone.call(setProfileValues, { data: [{ id, value: pick(2) ? name : '' }] }),
        ),
      shun: () => someone.call(muteUser, { muted_user_id: faye.userId }),
      unshun: () => someone.call(unmuteUser, { muted_user_id: faye.userId }),
      heed: () => someone.call(addAlertWords, { alert_words: [word] }),
      unheed: () => someone.call(removeAlertWords, { alert_words: [word] }),
      view: () =>
        this.#kept.keep('view', someone, async () => {
          const view = this.#count;
          await someone.call(addNavigationView, { fragment: fragment(view), is_pinned: pick(2) === 0, name });
          return view;
        }),
      unview: () =>
        this.#kept.remove('view', (who, view) => who.call(removeNavigationView, { fragment: fragment(view) })),
      status: () => someone.call(updateOwnStatus, { status_text: pick(2) ? name : '' }),
      present: () => someone.call(updatePresence, { status: 'active' }),
      setting: () => someone.call(updateUserSettings, { web_font_size_px: 12 + pick(8) }),
    };
  }

  #recentMessage(): number {
    return this.#messageIds.at(-1 - this.pick(Math.min(40, this.#messageIds.length))) ?? 1;
  }

  #someone(): TestClient {
    const { dan, eve, iris } = this.network;
    return [dan, eve, iris][this.pick(3)] as TestClient;
  }

  #channel(): { name: string; id: number } {
    return this.#channels[this.pick(this.#channels.length)] ?? { name: 'general', id: 0 };
  }
}
