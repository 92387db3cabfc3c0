import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type AddressedMail, createMailDelivery, createMailer, type MailJob } from '@parley/shared/mail';
import { DAY_MS, newCast, openContext, sending, type TestContext } from '../../test/examples';
import { listInvitations, revokeInvitation } from '../invitations/invitations';
import { sendInvitations } from '../invitations/send-invitations';
import { hashKey } from '../keys/invitation-keys';
import { composeInvitesMail } from './send-mails';

let ctx: TestContext;
let cast: ReturnType<typeof newCast>;

beforeAll(async () => {
  ctx = await openContext();
});
beforeEach(() => {
  cast = newCast();
});
afterAll(() => ctx.close());

/** The queued mails, in order. */
const waiting = () =>
  ctx.db.query<MailJob>(
    `select realm_id as "realmId", id, template, recipient, content, created_at as "createdAtMs", attempts
     from mail_job where realm_id = $1 order by id`,
    [cast.realmId],
  );
const composed = async () => Promise.all((await waiting()).map((job) => composeInvitesMail(ctx, job)));
const keyIn = ({ text }: AddressedMail) =>
  /^https:\/\/acme\.chat\.example\/accounts\/do_confirm\/(\S+)$/m.exec(text)?.[1];

test('an invitation names its sender, organization and end, and contains a link that opens it; so does a reminder', async () => {
  await sendInvitations(ctx, cast.hamlet, sending('eve@example.com', { validMinutes: 10 * 24 * 60 }));
  const [invitation, reminder] = (await composed()) as [AddressedMail, AddressedMail];
  expect(invitation.subject).toBe('Hamlet has invited you to join Acme');
  expect(reminder.subject).toBe('Reminder: Hamlet has invited you to join Acme');
  const keys = await ctx.db.query<{ hash: Buffer }>('select key_hash as hash from invitation_key where realm_id = $1', [
    cast.realmId,
  ]);
  for (const mail of [invitation, reminder]) {
    expect(mail.text).toContain('Acme (https://acme.chat.example)');
    expect(mail.text).toContain('The invitation ends on 11 January 2030 at 00:00 UTC.');
    expect(keys).toEqual([{ hash: hashKey(keyIn(mail) as string) }]);
    expect(mail.html).toContain(`/accounts/do_confirm/${keyIn(mail)}"`);
  }
});

test('one for ever does not end', async () => {
  await sendInvitations(ctx, cast.hamlet, sending('eve@example.com', { isValidForEver: true }));
  const [mail, ...others] = (await composed()) as AddressedMail[];
  expect(mail?.text).not.toContain('ends on');
  expect(others).toEqual([]);
});

test('of one that was revoked, or that has ended, nothing is sent', async () => {
  await sendInvitations(ctx, cast.hamlet, sending('eve@example.com, dan@example.com', { validMinutes: 60 }));
  const jobs = await waiting();
  const { invitations } = await listInvitations(ctx, cast.hamlet);
  await revokeInvitation(ctx, cast.hamlet, { invitationId: invitations[0]?.id as number });
  expect(await Promise.all(jobs.map((job) => composeInvitesMail(ctx, job)))).toMatchObject([
    null,
    { subject: /Hamlet/ },
  ]);
  ctx.clock.advance(DAY_MS);
  expect(await Promise.all(jobs.map((job) => composeInvitesMail(ctx, job)))).toEqual([null, null]);
});

test('a reminder has the name, address and language that the organization has by then', async () => {
  await sendInvitations(ctx, cast.hamlet, sending('eve@example.com', { validMinutes: 10 * 24 * 60 }));
  ctx.realmFacts = { organizationName: 'Acme Group', subdomain: 'acme-group', language: 'de' };
  const [, reminder] = (await composed()) as [AddressedMail, AddressedMail];
  ctx.realmFacts = {};
  expect(reminder.subject).toBe('Erinnerung: Einladung von Hamlet zu Acme Group');
  expect(reminder.text).toContain('Acme Group (https://acme-group.chat.example)');
  expect(reminder.text).toMatch(/^https:\/\/acme-group\.chat\.example\/accounts\/do_confirm\/\S+$/m);
});

test('nobody is reminded who has an account by now, or may have none any more', async () => {
  await sendInvitations(ctx, cast.hamlet, sending('dan@example.com, eve@example.com, iris@example.com'));
  ctx.realmFacts = {
    addresses: {
      'dan@example.com': { objection: '', holder: 'active' },
      'eve@example.com': { objection: 'domain', holder: '' },
    },
  };
  const mails = await composed();
  ctx.realmFacts = {};
  expect(mails.slice(0, 3)).toEqual([null, null, expect.objectContaining({ subject: expect.any(String) })]);
});

test('names are text', async () => {
  ctx.realmFacts = { actor: { fullName: '<b>Ham\nlet</b>' }, organizationName: 'A & B' };
  await sendInvitations(ctx, cast.hamlet, sending('eve@example.com'));
  const [mail] = (await composed()) as [AddressedMail];
  ctx.realmFacts = {};
  expect(mail.subject).toBe('<b>Ham let</b> has invited you to join A & B');
  expect(mail.html).toContain('&lt;b&gt;Ham let&lt;/b&gt;');
});

test('each address gets its own mail, and the reminders wait', async () => {
  const DATA_DIR = mkdtempSync(path.join(tmpdir(), 'parley-invites-'));
  await sendInvitations(ctx, cast.hamlet, sending('eve@example.com, dan@example.com', { validMinutes: 4 * 24 * 60 }));
  const mailer = createMailer({ DATA_DIR }, ctx.log);
  const delivery = createMailDelivery(ctx, {
    service: 'invites',
    mailer,
    compose: async (job) => (job.realmId === cast.realmId ? composeInvitesMail(ctx, job) : null),
  });
  await delivery.runOnce();
  await delivery.stop();
  const directory = path.join(DATA_DIR, 'mail');
  const mails = readdirSync(directory).map((file) => readFileSync(path.join(directory, file), 'utf8'));
  const recipients = mails.map((mail) => /^To: (.*)\r$/m.exec(mail)?.[1]);
  expect(recipients.sort()).toEqual(['dan@example.com', 'eve@example.com']);
  expect((await waiting()).map(({ template }) => template)).toEqual(['invitation-reminder', 'invitation-reminder']);
});
