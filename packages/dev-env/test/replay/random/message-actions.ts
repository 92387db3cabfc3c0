import { listOf } from '@parley/client-model/state';
import {
  addReaction,
  addSubmessage,
  createDrafts,
  createSavedSnippet,
  createScheduledMessage,
  deleteDraft,
  deleteMessage,
  deleteSavedSnippet,
  deleteScheduledMessage,
  deleteTopic,
  editMessage,
  markAllAsRead,
  markChannelAsRead,
  markTopicAsRead,
  removeReaction,
  sendMessage,
  updateDraft,
  updateFlags,
  updateSavedSnippet,
  updateScheduledMessage,
  updateUserTopic,
} from '@parley/gateway/endpoints';
import { type Action, anyone, ask, channelIn, flip, idIn, leader, type Stage, userIn } from './actors';

type Actions = Readonly<Record<string, (stage: Stage) => Action>>;

const TOPICS = ['lunch', 'Lunch', 'tea', '✔ tea', ''];
const CONTENTS = ['Hello', 'soup @**all**', '/poll Lunch?\nsoup', '/me waits', 'tea @**topic**'];
/** Of these an action concerns one. */
const RECENT = 20;

const topicIn = ({ random }: Stage) => random.pick(TOPICS);

function contentIn(stage: Stage): string {
  if (stage.random.happens(0.4)) return stage.random.pick(CONTENTS);
  const id = userIn(stage);
  const user = [...listOf(stage.state, 'realm_users'), ...listOf(stage.state, 'realm_non_active_users')].find(
    ({ user_id: other }) => other === id,
  );
  return `@**${user?.['full_name']}** ${stage.name}`;
}

/** Messages of channels: no event reports the newest message of a direct conversation after a deletion. */
function messageIn(stage: Stage, who: string, isAny: boolean): number {
  const known = listOf(stage.stateOf(who), 'messages').filter(({ type }) => isAny || type === 'stream');
  const recent = known.map(({ id }) => id as number).sort((a, b) => b - a);
  return stage.random.pick(recent.slice(0, RECENT)) ?? 0;
}

/** Mostly a channel to which the sender is subscribed. */
function channelOf(stage: Stage, who: string): number {
  const state = stage.stateOf(who);
  const isAny = stage.random.happens(0.2) || listOf(state, 'subscriptions').length === 0;
  return isAny ? channelIn(stage) : idIn(stage, state, ['subscriptions'], 'stream_id');
}

function send(stage: Stage): Action {
  const who = anyone(stage);
  const place = { type: 'channel' as const, to: channelOf(stage, who), topic: topicIn(stage) };
  return ask(stage, who, sendMessage, { ...place, content: contentIn(stage) });
}

const ofMessages: Actions = {
  ...{ send, sendToo: send, sendAgain: send },
  sendDirectly: (stage) => {
    const to = flip(stage) ? [userIn(stage)] : [userIn(stage), userIn(stage)];
    return ask(stage, anyone(stage), sendMessage, { type: 'direct', to, content: contentIn(stage) });
  },
  edit: (stage) => {
    const who = anyone(stage);
    return ask(stage, who, editMessage, { message_id: messageIn(stage, who, true), content: contentIn(stage) });
  },
  move: (stage) => {
    const who = leader(stage);
    return ask(stage, who, editMessage, {
      ...{ message_id: messageIn(stage, who, false), topic: topicIn(stage) },
      propagate_mode: stage.random.pick(['change_one', 'change_later', 'change_all'] as const),
    });
  },
  moveAway: (stage) => {
    const who = leader(stage);
    return ask(stage, who, editMessage, {
      ...{ message_id: messageIn(stage, who, false), stream_id: channelIn(stage) },
      propagate_mode: stage.random.pick(['change_one', 'change_later', 'change_all'] as const),
      send_notification_to_old_thread: flip(stage),
    });
  },
  delete: (stage) => {
    const who = leader(stage);
    return ask(stage, who, deleteMessage, { message_id: messageIn(stage, who, false) });
  },
  deleteTopic: (stage) =>
    ask(stage, leader(stage), deleteTopic, { stream_id: channelIn(stage), topic_name: topicIn(stage) }),
};

const ofReaders: Actions = {
  react: (stage) => {
    const who = anyone(stage);
    const emoji_name = stage.random.pick(['tada', 'smile']);
    return ask(stage, who, addReaction, { message_id: messageIn(stage, who, true), emoji_name });
  },
  unreact: (stage) => {
    const who = anyone(stage);
    const emoji_name = stage.random.pick(['tada', 'smile']);
    return ask(stage, who, removeReaction, { message_id: messageIn(stage, who, true), emoji_name });
  },
  flag: (stage) => {
    const who = anyone(stage);
    return ask(stage, who, updateFlags, {
      messages: [messageIn(stage, who, true), messageIn(stage, who, true)],
      op: stage.random.pick(['add', 'remove']),
      flag: stage.random.pick(['read', 'starred', 'starred', 'collapsed']),
    });
  },
  readTopic: (stage) =>
    ask(stage, anyone(stage), markTopicAsRead, { stream_id: channelIn(stage), topic_name: topicIn(stage) }),
  readChannel: (stage) => ask(stage, anyone(stage), markChannelAsRead, { stream_id: channelIn(stage) }),
  readAll: (stage) => ask(stage, anyone(stage), markAllAsRead, {}),
  vote: (stage) => {
    const who = anyone(stage);
    const vote = stage.random.pick([1, -1]);
    return ask(stage, who, addSubmessage, {
      ...{ message_id: messageIn(stage, who, true), msg_type: 'widget' },
      content: `{"type":"vote","key":"canned,0","vote":${vote}}`,
    });
  },
  decide: (stage) => {
    const who = anyone(stage);
    return ask(stage, who, updateUserTopic, {
      ...{ stream_id: channelOf(stage, who), topic: topicIn(stage) },
      visibility_policy: stage.random.below(4),
    });
  },
};

const draftOf = (stage: Stage, who: string) => ({
  ...{ type: 'stream' as const, to: [channelOf(stage, who)], topic: topicIn(stage), content: stage.name },
  timestamp: 1_700_000_000 + stage.random.below(1_000),
});

/** In the far future. */
const timeIn = ({ random }: Stage) => Math.floor(Date.now() / 1_000) + 100_000 + random.below(1_000);

type OwnAction = (stage: Stage, who: string, id: (list: string, idName: string) => number) => Action;

const ownActions: Readonly<Record<string, OwnAction>> = {
  draft: (stage, who) => ask(stage, who, createDrafts, { drafts: [draftOf(stage, who)] }),
  redraft: (stage, who, id) =>
    ask(stage, who, updateDraft, { draft_id: id('drafts', 'id'), draft: draftOf(stage, who) }),
  undraft: (stage, who, id) => ask(stage, who, deleteDraft, { draft_id: id('drafts', 'id') }),
  snippet: (stage, who) => ask(stage, who, createSavedSnippet, { title: stage.name, content: stage.name }),
  resnip: (stage, who, id) =>
    ask(stage, who, updateSavedSnippet, { saved_snippet_id: id('saved_snippets', 'id'), title: stage.name }),
  unsnip: (stage, who, id) => ask(stage, who, deleteSavedSnippet, { saved_snippet_id: id('saved_snippets', 'id') }),
  schedule: (stage, who) =>
    ask(stage, who, createScheduledMessage, {
      ...(flip(stage)
        ? { type: 'channel' as const, to: channelOf(stage, who), topic: topicIn(stage) }
        : { type: 'direct' as const, to: [userIn(stage)] }),
      ...{ content: contentIn(stage), scheduled_delivery_timestamp: timeIn(stage) },
    }),
  reschedule: (stage, who, id) =>
    ask(stage, who, updateScheduledMessage, {
      scheduled_message_id: id('scheduled_messages', 'scheduled_message_id'),
      scheduled_delivery_timestamp: timeIn(stage),
    }),
  unschedule: (stage, who, id) =>
    ask(stage, who, deleteScheduledMessage, {
      scheduled_message_id: id('scheduled_messages', 'scheduled_message_id'),
    }),
};

function ofWriters(action: OwnAction): (stage: Stage) => Action {
  return (stage) => {
    const who = anyone(stage);
    return action(stage, who, (list, idName) => idIn(stage, stage.stateOf(who), [list], idName));
  };
}

/** Messages, what their readers do with them, and what is being written. */
export const messageActions: Actions = {
  ...ofMessages,
  ...ofReaders,
  ...Object.fromEntries(Object.entries(ownActions).map(([name, action]) => [name, ofWriters(action)])),
};
