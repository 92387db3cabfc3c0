import type { PollRequest, SharedPollReply } from '@parley/shared/proto';
import { openStream, type RpcConnection } from '@parley/shared/rpc';

/** The polls of this gateway at one events pod. */
export interface PollStream {
  send(request: PollRequest): void;
  cancel(): void;
}

interface PollStreamOptions {
  onReply(reply: SharedPollReply): void;
  /** It broke or ended; may be called again. */
  onEnd(error?: Error): void;
}

/** Maximum number of requests in a frame. */
const MAX_FRAME_REQUESTS = 500;

/** Opens a stream. A pod of the version before does not know the usual one, and gets a message for each poll. */
export function openPollStream(
  connection: RpcConnection<'events'>,
  isOfEarlierVersion: boolean,
  options: PollStreamOptions,
): PollStream {
  return isOfEarlierVersion ? openSingly(connection, options) : openTogether(connection, options);
}

/** The requests of one turn of the event loop are sent together. */
function openTogether(connection: RpcConnection<'events'>, { onReply, onEnd }: PollStreamOptions): PollStream {
  const wire = openStream(connection, 'pollTogether');
  let waiting: PollRequest[] = [];
  let isOver = false;
  const end = (error?: Error) => {
    isOver = true;
    onEnd(error);
  };
  wire.on('data', ({ replies }) => {
    for (const reply of replies) onReply(reply);
  });
  // NOTE: the listener is never removed, because cancelling makes the stream report another error.
  wire.on('error', end);
  wire.on('end', () => end());

  function flush(): void {
    const requests = waiting;
    waiting = [];
    if (!isOver && requests.length > 0) wire.write({ requests });
  }

  return {
    send(request) {
      const count = waiting.push(request);
      if (count === 1) setImmediate(flush);
      else if (count === MAX_FRAME_REQUESTS) flush();
    },
    cancel() {
      isOver = true;
      wire.cancel();
    },
  };
}

function openSingly(connection: RpcConnection<'events'>, { onReply, onEnd }: PollStreamOptions): PollStream {
  const wire = openStream(connection, 'poll');
  wire.on('data', ({ pollId, eventsJson, error }) => onReply({ pollIds: [pollId], eventsJson, error }));
  wire.on('error', onEnd);
  wire.on('end', () => onEnd());
  return { send: (request) => void wire.write(request), cancel: () => wire.cancel() };
}
