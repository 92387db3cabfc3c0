import { BadRequestError, ServiceUnavailableError, StreamDoesNotExistError } from '../errors';
import { silentLogger } from '../service';
import { byCaller, type Caller, connectRpc, type Implementation, newCall, serve } from './index';

const caller: Caller = { ...newCall('request-1'), realmId: 3, userId: 5 };

async function serveMessages(getMessage: Implementation<'messages'>['getMessage']) {
  const refuse = () => Promise.reject(new Error('not part of this test'));
  const server = await serve({
    service: 'messages',
    implementation: { getMessage, sendMessage: refuse, getMessages: refuse, getMessageState: refuse },
    address: '127.0.0.1:0',
    log: silentLogger,
  });
  const connection = connectRpc('messages', server.address);
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
    // Less by what the hop keeps for itself; what the way takes is not counted.
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

  test('does not tell the caller what a bug says', async () => {
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
