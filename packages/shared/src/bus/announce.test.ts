import { typingReported } from '../events';
import { type Logger, silentLogger } from '../observability';
import { testPrefix, testServers } from '../testing';
import { announceEphemeral } from './announce';
import { connectBus } from './bus';

const report = typingReported(7, {
  isTyping: true,
  sender: { id: 1, email: 'a@example.com' },
  to: { channelId: 2, topic: 'x' },
  audience: { to: 'users', userIds: [] },
});

test('an ephemeral event is in the log once it is announced; without a broker it is lost, and a warning is logged', async () => {
  const prefix = testPrefix();
  const bus = await connectBus({ url: testServers().natsUrl, prefix, name: 'test', log: silentLogger });
  await bus.ensureStream();
  const warnings: string[] = [];
  const log = { warn: (_fields: object, message: string) => warnings.push(message) } as unknown as Logger;

  await announceEphemeral({ bus, log }, 'messages', report);
  const record = await bus.jsm.streams.getMessage(bus.stream, { last_by_subj: bus.subject(7, 'typing.reported') });
  const { kind, payload } = report;
  expect(record.json()).toEqual({ service: 'messages', kind, realmId: 7, ids: [], payloads: [payload] });
  expect(warnings).toEqual([]);

  await bus.jsm.streams.delete(bus.stream);
  await announceEphemeral({ bus, log }, 'messages', report);
  await bus.connection.close();
  await announceEphemeral({ bus, log }, 'messages', report);
  expect(warnings).toEqual(['an ephemeral event was lost', 'an ephemeral event was lost']);
});
