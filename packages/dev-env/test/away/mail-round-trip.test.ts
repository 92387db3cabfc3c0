import { sendMessage } from '@parley/gateway/endpoints';
import { freePort } from '@parley/shared/embedded';
import type { EventQueue } from '../../src';
import { type AwayNetwork, BATCHING_MS, type MissedMail, startAway } from './away';
import { deliverTo } from './deliver-mail';

let away: AwayNetwork;
let lmtp: string;
beforeAll(async () => {
  lmtp = `127.0.0.1:${await freePort()}`;
  away = await startAway({ LMTP_LISTEN: lmtp, MAIL_IN_DOMAIN: 'in.parley.test' });
});
afterAll(() => away.stop());

/** As Gmail answers a mail. */
const answered = (text: string, { text: quoted }: MissedMail) =>
  `${text}\n\nOn Mon, Nov 3, 2025 at 10:00 AM Parley <\nnoreply@parley.test> wrote:\n\n${quoted.replace(/^/gm, '> ')}\n`;

async function reply(mail: MissedMail, text: string): Promise<void> {
  const to = /<?(reply\.r[a-z2-7]{26}@in\.parley\.test)>?$/.exec(mail.headers['reply-to'] as string)?.[1] as string;
  const answer = { to, subject: `Re: ${mail.subject}`, inReplyTo: mail.headers['message-id'] as string };
  expect(await deliverTo(lmtp, { ...answer, text: answered(text, mail) })).toMatchObject({ code: 250 });
}

async function messagesIn(queue: EventQueue) {
  await away.network.settle();
  const events = (await queue.rest()).filter(({ type }) => type === 'message');
  return events.map(({ message }) => message as Record<string, unknown>);
}

test('two people who are away talk by mail alone, in a direct conversation', async () => {
  const { dan, eve } = away.network;
  const queue = await dan.events({ event_types: ['message'], apply_markdown: false });
  await dan.call(sendMessage, { type: 'direct', to: [eve.userId], content: 'Soup at noon?' });
  const [toEve] = (await away.mailsAfter(BATCHING_MS)) as [MissedMail];
  expect(toEve.to).toBe(eve.email);
  await reply(toEve, 'At one, please.');
  const [toDan] = (await away.mailsAfter(BATCHING_MS)) as [MissedMail];
  expect([toDan.to, toDan.text]).toEqual([dan.email, expect.stringContaining('> At one, please.')]);
  await reply(toDan, 'Fine!');
  const [again] = (await away.mailsAfter(BATCHING_MS)) as [MissedMail];
  expect(again.text).toContain('> Fine!');
  expect(again.headers['reply-to']).toBe(toEve.headers['reply-to']);
  expect((await messagesIn(queue)).map(({ sender_id, content }) => [sender_id, content])).toEqual([
    [dan.userId, 'Soup at noon?'],
    [eve.userId, 'At one, please.'],
    [dan.userId, 'Fine!'],
  ]);
});

test('a mail about a mention is answered in its topic, and is not answered by our own mails', async () => {
  const { dan, eve, iris } = away.network;
  const queue = await iris.events({ event_types: ['message'], apply_markdown: false });
  await dan.call(sendMessage, { type: 'channel', to: 'general', topic: 'Lunch', content: '@**Eve Castillo** soup?' });
  const mails = await away.mailsAfter(BATCHING_MS);
  const [toEve] = mails.filter(({ to }) => to === eve.email) as [MissedMail];
  await reply(toEve, '@**Dan Brooks** yes');
  const [toDan] = (await away.mailsAfter(BATCHING_MS)) as [MissedMail];
  expect([toDan.to, toDan.text]).toEqual([dan.email, expect.stringContaining('yes')]);
  const { 'auto-submitted': automatic, 'message-id': messageId } = toDan.headers as Record<string, string>;
  const looped = {
    headers: { 'Auto-Submitted': automatic as string },
    messageId: messageId as string,
    text: toDan.text,
  };
  const to = /reply\.r[a-z2-7]{26}@in\.parley\.test/.exec(toDan.headers['reply-to'] as string)?.[0] as string;
  expect(await deliverTo(lmtp, { to, ...looped })).toMatchObject({ code: 250 });
  expect((await messagesIn(queue)).map(({ subject, content }) => [subject, content])).toEqual([
    ['Lunch', '@**Eve Castillo** soup?'],
    ['Lunch', '@**Dan Brooks** yes'],
  ]);
});
