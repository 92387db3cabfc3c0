import { promises as dns } from 'node:dns';
import { EventEmitter, once } from 'node:events';
import { BadRequestError, ServiceUnavailableError, StreamDoesNotExistError } from '../errors';
import { silentLogger } from '../observability';
import type { SendMessageRequest } from '../proto';
import { answerOnly } from '../testing';
import { byCaller, type Caller, type ConnectionTimes, connectRpc, type Implementation, newCall, serve } from './index';

const caller: Caller = { ...newCall('request-1'), realmId: 3, userId: 5 };

const refuse = () => Promise.reject(new Error('not part of this test'));

/** The two methods of this test; no other is called. */
function implementationOf(
  getMessage: Implementation<'messages'>['getMessage'],
  sendMessage: Implementation<'messages'>['sendMessage'],
): Implementation<'messages'> {
  return answerOnly<'messages'>({ getMessage, sendMessage });
}

async function serveMessages(
  getMessage: Implementation<'messages'>['getMessage'],
  sendMessage: Implementation<'messages'>['sendMessage'] = refuse,
  times: ConnectionTimes = {},
) {
  const server = await serve({
    service: 'messages',
    implementation: implementationOf(getMessage, sendMessage),
    address: '127.0.0.1:0',
    log: silentLogger,
  });
  const connection = connectRpc('messages', server.address, undefined, times);
  return {
    ...connection,
    server,
    async close() {
      connection.close();
      await server.stop(100);
    },
  };
}

describe('an internal call', () => {
  test('carries the caller, the request id and a shrunken deadline', async () => {
    let seen: unknown;
    let remainingMs = Number.NaN;
    const { client, close } = await serveMessages(
      byCaller(async (call) => {
        seen = call;
        remainingMs = call.deadlineAt - Date.now();
        throw new BadRequestError('enough');
      }),
    );
    const remainingAtFirstMs = caller.deadlineAt - Date.now();
    await expect(client.getMessage(caller, { messageId: 1 })).rejects.toThrow('enough');
    expect(seen).toMatchObject({ realmId: 3, userId: 5, requestId: 'request-1' });
    // Less the time reserved by the hop; the network's time is ignored.
    expect(remainingMs).toBeLessThan(remainingAtFirstMs - 20);
    await close();
  });

  test('rejects with the very error that was thrown', async () => {
    const { client, close } = await serveMessages(() => {
      throw new StreamDoesNotExistError({ stream: 'Käse ✔' });
    });
    const error = await client.getMessage(caller, { messageId: 1 }).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(StreamDoesNotExistError);
    expect(error).toMatchObject({ code: 'STREAM_DOES_NOT_EXIST', fields: { stream: 'Käse ✔' }, httpStatus: 400 });
    await close();
  });

  test('is not harmed by an error that repeats a long text, nor are those beside it', async () => {
    const { client, close } = await serveMessages(
      byCaller(async (_caller, { messageId }) => {
        throw new BadRequestError(messageId === 1 ? 'x'.repeat(200_000) : 'short');
      }),
    );
    // Calls alternate between two connections.
    const messageIds = [1, 2, 1, 2, 2, 2];
    const errors = messageIds.map((messageId) => client.getMessage(caller, { messageId }).catch((error) => error));
    for (const error of await Promise.all(errors)) expect(error).toBeInstanceOf(BadRequestError);
    await close();
  });

  test('does not reveal the message of a bug to the caller', async () => {
    const { client, close } = await serveMessages(async () => {
      throw new Error('select from secret_table failed');
    });
    const error = await client.getMessage(caller, { messageId: 1 }).catch((thrown) => thrown);
    expect(String(error)).not.toContain('secret_table');
    await close();
  });

  test('on behalf of a user is refused without one', async () => {
    const { client, close } = await serveMessages(byCaller(async () => Promise.reject(new Error('unreachable'))));
    await expect(client.getMessage(newCall(), { messageId: 1 })).rejects.toThrow(/INTERNAL/);
    await close();
  });

  test('waits for a service that is not there yet, until its deadline', async () => {
    const { client, close } = connectRpc('messages', '127.0.0.1:1') as never as {
      client: { getMessage(call: Caller, request: { messageId: number }): Promise<unknown> };
      close(): void;
    };
    const hurried = { ...caller, deadlineAt: Date.now() + 200 };
    await expect(client.getMessage(hurried, { messageId: 1 })).rejects.toBeInstanceOf(ServiceUnavailableError);
    close();
  });

  test('in flight is finished when the service stops', async () => {
    let release = () => {};
    const started = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { client, server, close } = await serveMessages(async () => {
      release();
      await new Promise(setImmediate);
      throw new BadRequestError('finished');
    });
    const answer = client.getMessage(caller, { messageId: 1 }).catch((error) => error.message);
    await started;
    await server.stop();
    expect(await answer).toBe('finished');
    await close();
  });
});

const toNobody: SendMessageRequest = {
  recipientIds: [],
  recipientEmails: [],
  isDirect: false,
  content: '',
  isReadBySender: false,
  clientName: '',
};

describe('channels are renewed', () => {
  const HURRIED = { channelAgeMs: 20, keepaliveMs: 10 };
  const RENEWING_MS = 500;
  const serveAt = (address: string, implementation: Implementation<'messages'>) =>
    serve({ service: 'messages', implementation, address, log: silentLogger });
  const named = (messageId: number) => answerOnly<'messages'>({ sendMessage: async () => ({ messageId }) });

  test('without any effect on calls, short or long, alone or with others', async () => {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const answered = async (isLong: boolean) => {
      if (isLong) await released;
      throw new BadRequestError('answered');
    };
    const implementation = implementationOf(
      (_call, { messageId }) => answered(messageId === 2),
      (_call, { content }) => answered(content === 'long'),
    );
    const server = await serveAt('127.0.0.1:0', implementation);
    const { client, close } = connectRpc('messages', server.address, undefined, HURRIED);
    const outcomes: string[] = [];
    const note = (call: Promise<unknown>) => call.catch((error) => outcomes.push(error.message));
    const callBoth = (isLong: boolean) => [
      note(client.getMessage(caller, { messageId: isLong ? 2 : 1 })),
      note(client.sendMessage(caller, { ...toNobody, content: isLong ? 'long' : 'short' })),
    ];
    const long = Array.from({ length: 5 }, () => callBoth(true)).flat();
    for (const until = Date.now() + RENEWING_MS; Date.now() < until; ) {
      long.push(...callBoth(true));
      await Promise.all(callBoth(false));
    }
    release();
    await Promise.all(long);
    expect(new Set(outcomes)).toEqual(new Set(['answered']));
    close();
    await server.stop(100);
  });

  test('so that later replicas are called, and those with a removed address are not', async () => {
    const [first, second] = ['127.0.0.1', '127.0.0.2'];
    const earlier = await serveAt(`${first}:0`, named(1));
    const port = earlier.address.split(':')[1];
    let addresses = [first];
    const lookup = jest
      .spyOn(dns, 'lookup')
      .mockImplementation((async () => addresses.map((address) => ({ address, family: 4 }))) as never);
    const { client, close } = connectRpc('messages', `messages.test:${port}`, undefined, HURRIED);
    const callOne = async () => (await client.sendMessage(caller, toNobody)).messageId;
    expect(await callOne()).toBe(1);

    const later = await serveAt(`${second}:${port}`, named(2));
    addresses = [first, second];
    while ((await callOne()) !== 2);
    addresses = [second];
    const answers = [0];
    while (answers.slice(-100).some((answer) => answer !== 2)) answers.push(await callOne());
    expect(answers).toContain(2);
    lookup.mockRestore();
    close();
    await Promise.all([earlier.stop(100), later.stop(100)]);
  });

  test('but not while the service is unreachable: a connection is kept until there is another', async () => {
    const { client, server, close } = await serveMessages(refuse, async () => ({ messageId: 1 }), HURRIED);
    await client.sendMessage(caller, toNobody);
    await server.stop(0);
    const second = client.sendMessage(caller, toNobody);
    const successor = await serveAt(server.address, named(2));
    expect(await second).toEqual({ messageId: 2 });
    await close();
    await successor.stop(100);
  });
});

describe('calls that travel together', () => {
  test('are each answered like a separate call', async () => {
    const { client, close } = await serveMessages(
      refuse,
      byCaller(async ({ userId, requestId }, { content }) => {
        if (content === 'forbidden') throw new StreamDoesNotExistError({ stream: requestId });
        if (content === 'bug') throw new Error('select from secret_table failed');
        return { messageId: userId };
      }),
    );
    const send = (userId: number, content: string) =>
      client.sendMessage({ ...caller, userId, requestId: `request-${userId}` }, { ...toNobody, content });
    const outcomes = await Promise.allSettled([send(1, 'a'), send(2, 'forbidden'), send(3, 'bug'), send(4, 'b')]);
    expect(outcomes).toMatchObject([
      { value: { messageId: 1 } },
      { reason: { code: 'STREAM_DOES_NOT_EXIST', fields: { stream: 'request-2' } } },
      { status: 'rejected' },
      { value: { messageId: 4 } },
    ]);
    expect(String((outcomes[2] as PromiseRejectedResult).reason)).not.toContain('secret_table');
    await close();
  });

  test('have their own deadlines, and fail together when the service is unreachable', async () => {
    const remaining: number[] = [];
    const { client, close, server } = await serveMessages(refuse, async (call) => {
      remaining.push(call.deadlineAt - Date.now());
      return { messageId: 1 };
    });
    const send = (deadlineAt: number) => client.sendMessage({ ...caller, deadlineAt }, toNobody);
    await Promise.all([send(Date.now() + 5_000), send(Date.now() + 2_000), send(Date.now() + 3_000)]);
    expect(remaining.map((ms) => Math.ceil(ms / 1_000))).toEqual([5, 2, 3]);
    await server.stop(0);
    const failures = await Promise.allSettled([1, 2].map(() => send(Date.now() + 200)));
    for (const failure of failures) expect(failure).toMatchObject({ reason: { code: 'SERVER_NOT_READY' } });
    await close();
  });

  test('are finished when the service stops, and the next ones wait for its successor', async () => {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let isStarted = () => {};
    const started = new Promise<void>((resolve) => {
      isStarted = resolve;
    });
    const { client, close, server } = await serveMessages(refuse, async () => {
      isStarted();
      await released;
      return { messageId: 1 };
    });
    const first = client.sendMessage(caller, toNobody);
    await started;
    const stopped = server.stop();
    release();
    expect(await first).toEqual({ messageId: 1 });
    await stopped;

    const second = client.sendMessage(caller, toNobody);
    const successor = await serve({
      service: 'messages',
      implementation: implementationOf(refuse, async () => ({ messageId: 2 })),
      address: server.address,
      log: silentLogger,
    });
    expect(await second).toEqual({ messageId: 2 });
    await close();
    await successor.stop(100);
  });

  test('more than fit into a frame are all answered, each with its own', async () => {
    const { client, close } = await serveMessages(
      refuse,
      byCaller(async ({ userId }) => ({ messageId: userId })),
    );
    const users = Array.from({ length: 200 }, (_, index) => index + 1);
    const replies = await Promise.all(users.map((userId) => client.sendMessage({ ...caller, userId }, toNobody)));
    expect(replies.map(({ messageId }) => messageId)).toEqual(users);
    await close();
  });

  test('are answered in parts where the answer is long, and hold up no others', async () => {
    const { client, close } = await serveMessages(
      byCaller(async (_caller, { messageId }) => ({ content: 'x'.repeat(messageId) }) as never),
    );
    const lengths = [3_000_000, 1, 65_537, 65_536, 0, 2_000_000, 7];
    const finished: number[] = [];
    const get = async (messageId: number) => {
      const { content } = (await client.getMessage(caller, { messageId })) as unknown as { content: string };
      finished.push(content.length);
    };
    await Promise.all(lengths.map(get));
    expect(finished).toHaveLength(lengths.length);
    expect(new Set(finished)).toEqual(new Set(lengths));
    expect(finished.slice(-2).sort()).toEqual([2_000_000, 3_000_000]);
    await close();
  });

  test('go by themselves where they are long', async () => {
    const { client, close } = await serveMessages(refuse, async (_call, { content }) => ({
      messageId: content.length,
    }));
    const lengths = [1_000_000, 1, 65_536, 0];
    const sent = lengths.map((length) => client.sendMessage(caller, { ...toNobody, content: 'x'.repeat(length) }));
    expect((await Promise.all(sent)).map(({ messageId }) => messageId)).toEqual(lengths);
    await close();
  });

  test('say where the request came from', async () => {
    let seen: unknown;
    const { client, close } = await serveMessages(async (call) => {
      seen = call;
      throw new BadRequestError('enough');
    });
    const call = { ...newCall('request-2'), clientAddress: '192.0.2.7' };
    await expect(client.getMessage(call as never, { messageId: 1 })).rejects.toThrow('enough');
    expect(seen).toMatchObject({ requestId: 'request-2', clientAddress: '192.0.2.7' });
    expect(seen).not.toHaveProperty('userId');
    await close();
  });

  test('fail when the connection is closed, also those that come later', async () => {
    const { client, close } = await serveMessages(refuse, async () => ({ messageId: 1 }));
    const send = () => client.sendMessage(caller, toNobody);
    await send();
    const early = send();
    const closing = close();
    await expect(early).rejects.toThrow(ServiceUnavailableError);
    await expect(send()).rejects.toThrow(ServiceUnavailableError);
    await closing;
  });

  test('that cannot be encoded fail alone', async () => {
    const { client, close } = await serveMessages(refuse, async () => ({ messageId: 1 }));
    const broken = client.sendMessage(caller, { ...toNobody, recipientIds: [null as never] });
    const whole = client.sendMessage(caller, toNobody);
    await expect(broken).rejects.toThrow();
    expect(await whole).toEqual({ messageId: 1 });
    await close();
  });
});

describe('a call that a replica of an earlier version does not know', () => {
  test('is refused as if there was none, and the reason is known', async () => {
    // A server that knows only another service's methods.
    const at = { address: '127.0.0.1:0', log: silentLogger };
    const server = await serve({ ...at, service: 'scheduler', implementation: answerOnly<'scheduler'>({}) });
    const { client, close } = connectRpc('messages', server.address);
    await expect(client.getMessage(caller, { messageId: 1 })).rejects.toMatchObject({
      code: 'SERVER_NOT_READY',
      cause: { message: expect.stringContaining('UNIMPLEMENTED') },
    });
    await expect(client.sendMessage(caller, toNobody)).rejects.toMatchObject({ code: 'SERVER_NOT_READY' });
    close();
    await server.stop(0);
  });
});

describe('when a stream breaks', () => {
  const silent = () => {
    let isCalled = () => {};
    const called = new Promise<void>((resolve) => {
      isCalled = resolve;
    });
    const handler = () => {
      isCalled();
      return new Promise<never>(() => {});
    };
    return { called, handler };
  };
  const serveRealm = (authenticate: () => Promise<unknown>, address = '127.0.0.1:0') =>
    serve({
      service: 'realm',
      // Every method is this one; no other is called.
      implementation: new Proxy({}, { get: () => authenticate }) as Implementation<'realm'>,
      address,
      log: silentLogger,
    });

  test('a read is repeated', async () => {
    const { called, handler } = silent();
    const server = await serveRealm(handler);
    const { client, close } = connectRpc('realm', server.address);
    const answer = client.authenticate(newCall(), { credentials: [] });
    await called;
    await server.stop(0);
    const successor = await serveRealm(async () => ({ results: [] }), server.address);
    expect(await answer).toEqual({ results: [] });
    close();
    await successor.stop(100);
  });

  test('a change is not repeated', async () => {
    const { called, handler } = silent();
    const { client, server, close } = await serveMessages(refuse, handler);
    const failure = client.sendMessage(caller, toNobody).catch((error) => error);
    await called;
    await server.stop(0);
    expect(await failure).toMatchObject({ code: 'SERVER_NOT_READY' });
    await close();
  });
});

describe('when a service stops, its calls', () => {
  test.each([
    ['small', 1],
    ['large', 100_000],
  ])('of an unreachable service fail at once: a %s one', async (_size, length) => {
    const { client, stopWaiting, close } = connectRpc('realm', '127.0.0.1:1');
    const ask = () => {
      const credentials = [{ email: 'a'.repeat(length), apiKey: '', subdomain: '' }];
      return client.authenticate(newCall(), { credentials } as never).catch((error) => error);
    };
    const beganAtMs = performance.now();
    const waiting = ask();
    await new Promise(setImmediate);
    stopWaiting();
    expect(await waiting).toMatchObject({ code: 'SERVER_NOT_READY' });
    expect(await ask()).toMatchObject({ code: 'SERVER_NOT_READY' });
    expect(performance.now() - beganAtMs).toBeLessThan(5_000);
    close();
  });

  test('of a reachable one are answered, until that is unreachable', async () => {
    const calls = new EventEmitter();
    const [asked, answered] = [once(calls, 'asked'), once(calls, 'answered')];
    const { client, stopWaiting, server, close } = await serveMessages(async () => {
      calls.emit('asked');
      await answered;
      throw new BadRequestError('enough');
    });
    const ask = () => client.getMessage(caller, { messageId: 1 });
    const running = expect(ask()).rejects.toThrow('enough');
    await asked;
    stopWaiting();
    calls.emit('answered');
    await running;
    await expect(ask()).rejects.toThrow('enough');
    await server.stop(0);
    await expect(ask()).rejects.toThrow(ServiceUnavailableError);
    await close();
  });
});
