import {
  addReaction,
  addSubmessage,
  deleteAttachment,
  deleteMessage,
  deleteTopic,
  editMessage,
  getAttachments,
  getMessages,
  markAllAsRead,
  markChannelAsRead,
  markTopicAsRead,
  muteUser,
  removeReaction,
  sendMessage,
  subscribe,
  unmuteUser,
  unsubscribe,
  updateChannel,
  updateFlags,
  updateFlagsInNarrow,
  updateMutedTopics,
  updateSubscriptionProperties,
  updateUser,
  updateUserSettings,
  updateUserTopic,
} from '@parley/gateway/endpoints';
import { type TestClient, TestNetwork } from '../../src';
import { uploadFile } from '../multipart';
import { expectFreshEqualsReplayed, type Followers, followEveryone, type MoreState, makeReady } from './harness';

let network: TestNetwork;
let followers: Followers;
const channelIds: Record<string, number> = {};

beforeAll(async () => {
  network = await TestNetwork.create();
  const { iris, dan, eve, faye, robo } = network;
  const principals = [iris, dan, eve, faye, robo].map(({ userId }) => userId);
  await iris.call(subscribe, { subscriptions: [{ name: 'kitchen' }, { name: 'hall' }], principals });
  followers = await followEveryone(network, {}, messagesAndFiles);
  const channels = followers[0]?.state['streams'] as { name: string; stream_id: number }[];
  for (const { name, stream_id } of channels) channelIds[name] = stream_id;
});
afterAll(() => network.stop());

/** Every message that the client's user has, as its events show them, and every file. */
const messagesAndFiles: MoreState = async (client, { capabilities }) => {
  const { messages } = await client.call(getMessages, {
    ...{
      anchor: 'newest',
      num_before: 1_000,
      narrow: [],
      apply_markdown: false,
      client_gravatar: capabilities.size > 0,
    },
    allow_empty_topic_name: capabilities.has('empty_topic_name'),
  });
  // No event reports others' uploads.
  const { attachments } = await client.call(getAttachments, {});
  return { messages, attachments };
};

function expectReplayed(produced: readonly string[], action: () => Promise<unknown>) {
  return expectFreshEqualsReplayed(network, followers, produced, action);
}

async function sendTo(client: TestClient, channel: string, topic: string, content = 'Hello'): Promise<number> {
  return (await client.call(sendMessage, { type: 'channel', to: channel, topic, content })).id;
}

async function writeTo(client: TestClient, others: readonly TestClient[], content = 'Hello'): Promise<number> {
  const to = others.map(({ userId }) => userId);
  return (await client.call(sendMessage, { type: 'direct', to, content })).id;
}

/** Messages from before the action, which everybody has already. */
function given<T>(make: () => Promise<T>): Promise<T> {
  return makeReady(network, followers, make);
}

describe('messages are sent', () => {
  test('to a channel, with and without a topic', async () => {
    await expectReplayed(['message'], async () => {
      await sendTo(network.dan, 'kitchen', 'lunch');
      await sendTo(network.dan, 'kitchen', 'Lunch');
      await sendTo(network.eve, 'kitchen', '');
      await sendTo(network.robo, 'kitchen', 'lunch', '/me waits');
    });
    await expectReplayed(['message'], () => sendTo(network.dan, 'kitchen', 'LUNCH'));
  });

  test('that mention a user, everybody, and the topic’s participants', async () => {
    await expectReplayed(['message'], async () => {
      await sendTo(network.dan, 'kitchen', 'lunch', '@**Eve Castillo** soup');
      await sendTo(network.iris, 'kitchen', 'lunch', '@**all** bread');
      await sendTo(network.eve, 'kitchen', 'lunch', '@**topic** beans');
    });
  });

  test('to one, to several, and to oneself', async () => {
    const { dan, eve, iris } = network;
    await expectReplayed(['message'], async () => {
      await writeTo(dan, [eve]);
      await writeTo(eve, [dan], '@**Dan Brooks** hi');
      await writeTo(dan, [eve, iris]);
      await writeTo(dan, [dan]);
    });
  });

  test('to topics that their senders follow from then on', async () => {
    await expectReplayed(['message', 'user_topic'], () => sendTo(network.dan, 'hall', 'Brand new'));
  });

  test('by a user who is muted, and unmuted again', async () => {
    const { dan, eve } = network;
    await expectReplayed(['muted_users', 'update_message_flags/add'], () =>
      dan.call(muteUser, { muted_user_id: eve.userId }),
    );
    await given(() => sendTo(eve, 'kitchen', 'lunch', '@**Dan Brooks** psst'));
    await expectReplayed(['muted_users'], () => dan.call(unmuteUser, { muted_user_id: eve.userId }));
  });
});

describe('messages are edited', () => {
  test('in their content', async () => {
    const { dan, eve } = network;
    const [inChannel, direct] = await given(async () => [
      await sendTo(dan, 'kitchen', 'edits'),
      await writeTo(dan, [eve]),
    ]);
    await expectReplayed(['update_message'], async () => {
      await dan.call(editMessage, { message_id: inChannel as number, content: '/me was here, @**Iris Abara**' });
      await dan.call(editMessage, { message_id: direct as number, content: '@**Eve Castillo** dear' });
    });
    await expectReplayed(['update_message'], () =>
      dan.call(editMessage, { message_id: inChannel as number, content: 'Nobody was here' }),
    );
  });

  test('in their topic, one, some or all of them', async () => {
    const { dan, iris } = network;
    const ids = await given(async () => [
      await sendTo(dan, 'kitchen', 'moves', '@**Eve Castillo**'),
      await sendTo(dan, 'kitchen', 'moves'),
      await sendTo(dan, 'kitchen', 'moves'),
    ]);
    const [first, second] = ids as [number, number];
    await expectReplayed(['update_message'], () => iris.call(editMessage, { message_id: first, topic: 'moved one' }));
    await expectReplayed(['update_message'], () =>
      iris.call(editMessage, { message_id: second, topic: 'moved later', propagate_mode: 'change_later' }),
    );
    await expectReplayed(['update_message'], () =>
      iris.call(editMessage, { message_id: second, topic: '', propagate_mode: 'change_all' }),
    );
  });

  test('when their topic is resolved, and when it is not after all', async () => {
    const { dan, iris } = network;
    const id = await given(() => sendTo(dan, 'kitchen', 'question'));
    const resolve = (topic: string) => iris.call(editMessage, { message_id: id, topic, propagate_mode: 'change_all' });
    await expectReplayed(['update_message', 'message'], () => resolve('✔ question'));
    // Messages about it may be deleted again.
    await expectReplayed(['update_message'], () => resolve('question'));
  });

  test('in their channel, and in content and topic at once', async () => {
    const { iris } = network;
    const id = await given(() => sendTo(iris, 'kitchen', 'wanderer'));
    await expectReplayed(['update_message', 'message'], () =>
      iris.call(editMessage, {
        ...{ message_id: id, stream_id: channelIds['hall'] as number, propagate_mode: 'change_all' },
        send_notification_to_old_thread: true,
      }),
    );
    await expectReplayed(['update_message'], () =>
      iris.call(editMessage, { message_id: id, topic: 'settler', content: 'At home', propagate_mode: 'change_all' }),
    );
  });

  test('out of the reach of some', async () => {
    const { iris, eve } = network;
    // By it clients know what messages there are grouped by.
    await given(() => sendTo(iris, 'leads', 'secrets'));
    const id = await given(() => sendTo(iris, 'kitchen', 'secrets'));
    await expectReplayed(['update_message_flags/add'], () =>
      eve.call(updateFlags, { messages: [id], op: 'add', flag: 'starred' }),
    );
    await expectReplayed(['update_message', 'delete_message'], () =>
      iris.call(editMessage, {
        ...{ message_id: id, stream_id: channelIds['leads'] as number, propagate_mode: 'change_all' },
        send_notification_to_new_thread: false,
      }),
    );
  });

  test('and take decisions about their topic along', async () => {
    const { dan, eve, iris } = network;
    const id = await given(() => sendTo(dan, 'kitchen', 'loud'));
    const topic = { stream_id: channelIds['kitchen'] as number, topic: 'loud' };
    await expectReplayed(['user_topic', 'muted_topics'], () =>
      eve.call(updateUserTopic, { ...topic, visibility_policy: 1 }),
    );
    await expectReplayed(['update_message', 'user_topic', 'muted_topics'], () =>
      iris.call(editMessage, { message_id: id, topic: 'louder', propagate_mode: 'change_all' }),
    );
  });

  test('and are found in their channel when it has another name', async () => {
    const { eve, iris } = network;
    const topic = { stream_id: channelIds['kitchen'] as number, topic: 'hidden' };
    await expectReplayed(['muted_topics'], () => eve.call(updateUserTopic, { ...topic, visibility_policy: 1 }));
    for (const new_name of ['galley', 'kitchen']) {
      await expectReplayed(['stream/update:name'], () =>
        iris.call(updateChannel, { stream_id: topic.stream_id, new_name }),
      );
    }
  });
});

describe('messages show their people', () => {
  test('with their present names and addresses', async () => {
    const { dan, eve, iris } = network;
    await given(async () => {
      await sendTo(eve, 'kitchen', 'names');
      await writeTo(dan, [eve, iris]);
    });
    for (const full_name of ['Eve Castle', 'Eve Castillo']) {
      await expectReplayed(['realm_user/update:full_name'], () =>
        iris.call(updateUser, { user_id: eve.userId, full_name }),
      );
    }
    for (const email_address_visibility of [5, 1]) {
      await expectReplayed(['realm_user/update:new_email'], () =>
        eve.call(updateUserSettings, { email_address_visibility }),
      );
    }
  });
});

describe('messages are deleted', () => {
  test('one by one', async () => {
    const { dan, eve, iris } = network;
    const [inChannel, direct] = await given(async () => [
      await sendTo(dan, 'kitchen', 'errors', '@**all**'),
      await writeTo(dan, [eve]),
      await writeTo(dan, [eve]),
      await sendTo(iris, 'kitchen', 'errors'),
    ]);
    await expectReplayed(['delete_message'], async () => {
      await iris.call(deleteMessage, { message_id: inChannel as number });
      await dan.call(deleteMessage, { message_id: direct as number });
    });
  });

  test('with their topic', async () => {
    const { dan, iris } = network;
    await given(async () => {
      await sendTo(dan, 'kitchen', 'rubbish');
      await sendTo(dan, 'kitchen', 'rubbish');
      await sendTo(dan, 'kitchen', 'treasure');
    });
    await expectReplayed(['delete_message'], () =>
      iris.call(deleteTopic, { stream_id: channelIds['kitchen'] as number, topic_name: 'rubbish' }),
    );
  });
});

test('reactions are added and removed', async () => {
  const { dan, eve, faye } = network;
  const id = await given(() => sendTo(dan, 'kitchen', 'jokes'));
  await expectReplayed(['reaction/add'], async () => {
    await eve.call(addReaction, { message_id: id, emoji_name: 'smile' });
    await faye.call(addReaction, { message_id: id, emoji_name: 'tada' });
  });
  await expectReplayed(['reaction/remove'], () => eve.call(removeReaction, { message_id: id, emoji_name: 'smile' }));
});

test('votes are cast', async () => {
  const { dan, eve } = network;
  const id = await given(() => sendTo(dan, 'kitchen', 'lunch', '/poll Lunch?\nsoup'));
  const vote = '{"type":"vote","key":"canned,0","vote":1}';
  await expectReplayed(['submessage'], () =>
    eve.call(addSubmessage, { message_id: id, msg_type: 'widget', content: vote }),
  );
});

describe('flags', () => {
  test.each(['starred', 'collapsed', 'read'])('%s is set and taken off', async (flag) => {
    const { dan, eve, iris } = network;
    const messages = await given(async () => [
      await sendTo(dan, 'kitchen', 'flags', '@**Eve Castillo**'),
      await writeTo(dan, [eve]),
      await writeTo(dan, [eve, iris]),
      await sendTo(dan, 'hall', ''),
    ]);
    const change = (op: string) => () => eve.call(updateFlags, { messages, op, flag });
    await expectReplayed(['update_message_flags/add'], change('add'));
    await expectReplayed(['update_message_flags/remove'], change('remove'));
  });

  test('are set within a narrow', async () => {
    await given(() => sendTo(network.dan, 'kitchen', 'narrow'));
    const narrow = [{ operator: 'topic', operand: 'narrow' }];
    await expectReplayed(['update_message_flags/add'], () =>
      network.eve.call(updateFlagsInNarrow, {
        ...{ anchor: 'newest', num_before: 10, num_after: 0, narrow, op: 'add', flag: 'read' },
      }),
    );
  });

  test('are set for a topic, for a channel, and for everything', async () => {
    const { dan, eve, faye } = network;
    const stream_id = channelIds['kitchen'] as number;
    await given(async () => {
      await sendTo(dan, 'kitchen', 'reading');
      await sendTo(dan, 'kitchen', 'more reading');
      await sendTo(dan, 'hall', 'much more');
    });
    await expectReplayed(['update_message_flags/add'], () =>
      eve.call(markTopicAsRead, { stream_id, topic_name: 'reading' }),
    );
    await expectReplayed(['update_message_flags/add'], () => eve.call(markChannelAsRead, { stream_id }));
    await expectReplayed(['update_message_flags/add'], async () => {
      await eve.call(markAllAsRead, {});
      await faye.call(markAllAsRead, {});
    });
  });

  test('are set for a user who leaves a channel', async () => {
    const { dan, eve } = network;
    await given(() => sendTo(dan, 'hall', 'farewell'));
    await expectReplayed(['subscription/remove', 'update_message_flags/add'], () =>
      eve.call(unsubscribe, { subscriptions: ['hall'] }),
    );
    await expectReplayed(['subscription/add'], () => eve.call(subscribe, { subscriptions: [{ name: 'hall' }] }));
  });
});

describe('muted messages are not counted', () => {
  test('in a channel', async () => {
    const { dan, eve } = network;
    await given(() => sendTo(dan, 'hall', 'noise'));
    for (const value of [true, false]) {
      await expectReplayed(['subscription/update:is_muted'], () =>
        eve.call(updateSubscriptionProperties, {
          subscription_data: [{ stream_id: channelIds['hall'] as number, property: 'is_muted', value }],
        }),
      );
    }
  });

  test('in a channel, though they mention everybody', async () => {
    const { eve, iris } = network;
    const mute = (value: boolean) =>
      eve.call(updateSubscriptionProperties, {
        subscription_data: [{ stream_id: channelIds['hall'] as number, property: 'is_muted', value }],
      });
    await given(() => mute(true));
    await expectReplayed(['message'], () => sendTo(iris, 'hall', 'noise', '@**all** hear'));
    await given(async () => {
      await eve.call(markAllAsRead, {});
      await mute(false);
    });
  });

  test('in a topic, under every policy', async () => {
    const { dan, eve } = network;
    const topic = { stream_id: channelIds['hall'] as number, topic: 'noise' };
    await given(() => sendTo(dan, 'hall', 'noise'));
    for (const visibility_policy of [1, 2, 3, 0]) {
      await expectReplayed(['user_topic'], () => eve.call(updateUserTopic, { ...topic, visibility_policy }));
    }
    for (const op of ['add', 'remove'] as const) {
      await expectReplayed(['user_topic', 'muted_topics'], () =>
        eve.call(updateMutedTopics, { stream: 'hall', topic: 'noise', op }),
      );
    }
  });
});

test('files are uploaded, sent, and deleted', async () => {
  const { dan } = network;
  let url = '';
  await expectReplayed(['attachment/add'], async () => {
    url = await uploadFile(dan, { name: 'n.txt', bytes: 'A note' });
  });
  await expectReplayed(['message', 'attachment/update'], () => sendTo(dan, 'kitchen', 'files', `[notes](${url})`));
  const { attachments } = await dan.call(getAttachments, {});
  await expectReplayed(['attachment/remove'], () =>
    dan.call(deleteAttachment, { attachment_id: attachments[0]?.id as number }),
  );
});
