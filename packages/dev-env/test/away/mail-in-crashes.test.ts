import { getChannelEmailAddress, getMessage, sendMessage } from '@parley/gateway/endpoints';
import { freePort } from '@parley/shared/embedded';
import { eg, TestNetwork } from '../../src';
import { killAt, type Step } from '../kill-at';
import { deliverTo } from './deliver-mail';

let network: TestNetwork;
let lmtp: string;
let email: string;
beforeAll(async () => {
  lmtp = `127.0.0.1:${await freePort()}`;
  const settings = { LMTP_LISTEN: lmtp, MAIL_IN_DOMAIN: 'in.parley.test' };
  network = await TestNetwork.create({ settings, processes: ['gateway', 'messages'] });
  const { dan } = network;
  const { id } = await dan.call(sendMessage, { type: 'channel', to: eg.general, topic: 'x', content: 'x' });
  const { stream_id } = (await dan.call(getMessage, { message_id: id })).message as { stream_id: number };
  ({ email } = await dan.call(getChannelEmailAddress, { stream_id }));
});
afterAll(() => network.stop());

type Moment = Pick<Step, 'table' | 'on' | 'at'>;

const STORING: Moment = { table: 'message', on: 'insert', at: 'statement' };
const STORED: Moment = { table: 'message', on: 'insert', at: 'commit' };
const UPLOADING: Moment = { table: 'attachment', on: 'insert', at: 'commit' };

test.each<['gateway' | 'messages', string, Moment]>([
  ['gateway', 'a file of the mail is uploaded', UPLOADING],
  ['gateway', 'the message is stored', STORING],
  ['gateway', 'the message has been stored, without an answer', STORED],
  ['messages', 'the message is stored', STORING],
  ['messages', 'the message has been stored, without an answer', STORED],
])(
  'a mail is one message although %s is killed when %s, since the mail server delivers it again',
  async (victim, moment, step) => {
    const text = `${victim} killed when ${moment}`;
    const attachments = [{ filename: `${victim} ${moment}.txt`, content: 'a' }];
    const mail = { to: email, text, messageId: `<${text.replaceAll(' ', '-')}@example.org>`, attachments };
    const when = step.table === 'message' ? `new.content like '%${text}%'` : `new.name like '${victim} ${moment}%'`;
    const database = network.database('messages');
    await killAt(database, { ...step, when }, network.replicas[victim], () => deliverTo(lmtp, mail));
    await Promise.all(network.replicas[victim].map((replica) => replica.start()));
    expect(await deliverTo(lmtp, mail)).toMatchObject({ code: 250 });
    expect(await database.query('select 1 from message where content like $1', [`%${text}%`])).toHaveLength(1);
  },
);
