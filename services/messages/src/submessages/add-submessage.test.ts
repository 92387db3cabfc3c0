import { messageSent, submessageAdded } from '@parley/shared/events';
import type { User } from '@parley/shared/proto';
import { announcedBy } from '../../test/announced';
import type { PeerChannel } from '../../test/realm-peer';
import { callerOf, type MessagesUnderTest, startMessages, toChannel } from '../../test/start-messages';
import { whileMoving } from '../../test/while-moving';

let network: MessagesUnderTest;
let ann: User;
let bob: User;
let lobby: PeerChannel;

beforeAll(async () => {
  network = await startMessages();
  const { realm } = network;
  [ann, bob] = [realm.addUser('Ann'), realm.addUser('Bob')];
  lobby = realm.addChannel('Lobby');
  realm.subscribe(lobby, ann, bob);
});

afterAll(() => network.stop());

const send = async (content: string, widgetContent?: string) => {
  const request = toChannel(lobby.id, 'x', content, widgetContent === undefined ? {} : { widgetContent });
  return (await network.client.sendMessage(callerOf(ann), request)).messageId;
};

const add = (user: User, messageId: number, data: unknown) =>
  network.client.addSubmessage(callerOf(user), {
    messageId,
    msgType: 'widget',
    content: typeof data === 'string' ? data : JSON.stringify(data),
  });

const submessagesOf = async (messageId: number) =>
  (await network.client.getMessage(callerOf(bob), { messageId })).submessages;

test('a poll is a submessage of the message, announced along with it; votes follow', async () => {
  const { db } = network.service;
  let messageId = 0;
  const [sent] = await announcedBy(db, messageSent, async () => {
    messageId = await send('/poll Lunch?\nsoup');
  });
  const [poll] = await submessagesOf(messageId);
  expect(poll).toMatchObject({ messageId, senderId: ann.id, msgType: 'widget' });
  expect(JSON.parse(poll?.content as string)).toEqual({
    widget_type: 'poll',
    extra_data: { question: 'Lunch?', options: ['soup'] },
  });
  expect(sent?.message.submessages).toEqual([poll]);

  const vote = { type: 'vote', key: 'canned,0', vote: 1 };
  const [added] = await announcedBy(db, submessageAdded, () => add(bob, messageId, vote));
  const submessages = await submessagesOf(messageId);
  expect(submessages.map(({ senderId }) => senderId)).toEqual([ann.id, bob.id]);
  expect(added?.submessage).toEqual(submessages[1]);
});

test('a poll that moves to a hidden channel at the same time takes no vote, and none is announced', async () => {
  const messageId = await send('/poll Lunch?\nsoup');
  const added = await announcedBy(network.service.db, submessageAdded, async () => {
    const vote = () => add(bob, messageId, { type: 'vote', key: 'canned,0', vote: 1 });
    expect(await whileMoving(network, { messageId, owner: ann }, vote)).toMatchObject({
      message: 'Invalid message(s)',
    });
  });
  expect(added).toEqual([]);
});

test('a form sent by the client takes precedence over the content', async () => {
  const zform = {
    widget_type: 'zform',
    extra_data: { type: 'choices', heading: 'Pick', choices: [{ short_name: 'A', long_name: 'Apple', reply: 'a' }] },
  };
  const [form] = await submessagesOf(await send('/poll x', JSON.stringify(zform)));
  expect(JSON.parse(form?.content as string)).toEqual(zform);
  await expect(send('hi', '{')).rejects.toThrow('Widgets: API programmer sent invalid JSON content');
  await expect(send('hi', '{"widget_type":"poll"}')).rejects.toThrow('Widgets: ');
  expect(await submessagesOf(await send('hi'))).toEqual([]);
});

test('a widget takes only its own operations', async () => {
  const [poll, todo, plain] = [await send('/poll x'), await send('/todo x'), await send('hi')];
  const question = { type: 'question', question: 'Dinner?' };
  const title = { type: 'new_task_list_title', title: 'Shop' };
  await add(ann, poll, question);
  await add(bob, poll, { type: 'new_option', option: 'soup', idx: 0 });
  await add(ann, todo, title);
  await add(bob, todo, { type: 'new_task', key: 2, task: 'milk', desc: '', completed: false });
  await add(bob, todo, { type: 'strike', key: '2,2' });
  const refusals: [() => Promise<unknown>, string][] = [
    [() => add(bob, poll, question), "You can't edit a question unless you are the author."],
    [() => add(bob, todo, title), "You can't edit the task list title unless you are the author."],
    [() => add(bob, poll, { type: 'vote', key: 'canned,0', vote: 2 }), 'Invalid poll data: vote'],
    [() => add(bob, poll, { type: 'new_option', option: 'soup', idx: 1001 }), 'Invalid poll data: idx'],
    [() => add(bob, poll, { type: 'question', question: '?', more: 1 }), 'Invalid poll data'],
    [() => add(bob, poll, { type: 'toString' }), 'Unknown type for poll data: toString'],
    [() => add(bob, todo, { type: 'vote' }), 'Unknown type for todo data: vote'],
    [() => add(bob, todo, '{'), 'Invalid json for submessage'],
    [() => add(bob, plain, {}), 'You cannot attach a submessage to this message.'],
    [() => add(bob, 999_999, {}), 'Invalid message(s)'],
  ];
  for (const [refused, message] of refusals) await expect(refused()).rejects.toThrow(message);
});

test('a message takes submessages until it could not be read with all of them', async () => {
  const messageId = await send('/poll Lunch?\nsoup');
  const { db } = network.service;
  await db.query(
    `insert into submessage (realm_id, message_id, sender_id, msg_type, content)
     select realm_id, message_id, sender_id, msg_type, repeat('x', 2100000) from submessage where message_id = $1`,
    [messageId],
  );
  const refusal = { code: 'BAD_REQUEST', message: 'There are too many submessages of this message.' };
  await expect(add(bob, messageId, { type: 'vote', key: 'canned,0', vote: 1 })).rejects.toMatchObject(refusal);
});
