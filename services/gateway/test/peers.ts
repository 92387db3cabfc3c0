import { createHash } from 'node:crypto';
import { encodeError, type PublicError, UnauthorizedError } from '@parley/shared/errors';
import {
  type Authentication,
  type Credential,
  loadService,
  type PollReply,
  type PollRequest,
} from '@parley/shared/proto';
import {
  acceptAll,
  type Call,
  type Caller,
  type Confirmation,
  type Implementation,
  type RpcServer,
  serve,
} from '@parley/shared/rpc';
import { silentLogger } from '@parley/shared/service';
import { eg } from './eg';
import { stateInParts } from './events/state-in-parts';

const unexpected = () => Promise.reject(new Error('not part of this test'));

type Peer = 'realm' | 'messages' | 'invites' | 'scheduler' | 'events';
/** gRPC's status. */
const UNIMPLEMENTED = 12;

type ServedPolls = Parameters<Implementation<'events'>['pollTogether']>[0];
type ServedPoll = Parameters<Implementation<'events'>['poll']>[0];

export interface SeenCall {
  method: string;
  call: Call | Caller;
  request: never;
}

/** A substitute for an internal service, whose answers a test may replace at any time. */
export interface PeerServer<S extends Peer> {
  readonly address: string;
  readonly answers: Implementation<S>;
  readonly seen: SeenCall[];
  /** The last request that a method got. */
  last<R = Record<string, unknown>>(method: string): R;
  stop(graceMs?: number): Promise<void>;
}

/** A substitute with the given answers; tests do not use its other methods. */
async function startPeer<S extends Peer>(
  service: S,
  given: Partial<Implementation<S>>,
  port: number,
  confirmation: Confirmation<S> = acceptAll,
): Promise<PeerServer<S>> {
  const seen: SeenCall[] = [];
  const names = Object.keys(loadService(service)).map((name) => name.charAt(0).toLowerCase() + name.slice(1));
  const table: Record<string, (...parts: unknown[]) => unknown> = {
    ...Object.fromEntries(names.map((name) => [name, unexpected])),
    ...given,
  };
  const answers = table as unknown as Implementation<S>;
  const recorded = Object.keys(table).map((method) => [
    method,
    (call: Call, request: unknown) => {
      // A stream is not a request; its content is recorded separately.
      if (!['poll', 'pollTogether'].includes(method)) seen.push({ method, call, request: request as never });
      return table[method]?.(call, request);
    },
  ]);
  const server: RpcServer = await serve({
    service,
    implementation: Object.fromEntries(recorded) as Implementation<S>,
    confirmation,
    address: `127.0.0.1:${port}`,
    log: silentLogger,
  });
  return {
    address: server.address,
    answers,
    seen,
    last<R>(method: string) {
      const found = seen.filter((entry) => entry.method === method).at(-1);
      if (!found) throw new Error(`${method} was not called`);
      return found.request as R;
    },
    stop: (graceMs = 50) => server.stop(graceMs),
  };
}

export interface RealmPeer extends PeerServer<'realm'> {
  /** Creates an account that signs in with `email` and the key. */
  addAccount(email: string, key: string, authentication: Authentication): void;
  /** Resolves when a started gateway has reported its release. */
  readonly releaseReported: Promise<void>;
}

export async function startRealm(port = 0): Promise<RealmPeer> {
  const accounts = new Map<string, Authentication>();
  const idOf = (email: string, hash: Uint8Array) => `${email} ${Buffer.from(hash).toString('hex')}`;
  const identify = ({ email, apiKeyHash }: Credential) =>
    accounts.get(idOf(email, apiKeyHash)) ?? eg.authentication({ outcome: 'unknown' });
  let reported = () => {};
  const releaseReported = new Promise<void>((resolve) => {
    reported = resolve;
  });
  const peer: PeerServer<'realm'> = await startPeer(
    'realm',
    {
      authenticate: async (_call, { credentials }) => ({ results: credentials.map(identify) }),
      admitVisitor: async () => {
        throw new UnauthorizedError('Not logged in: API authentication or user session required');
      },
      getRealm: async () => eg.organization(),
      listOidcProviders: async () => ({ providers: [] }),
      getOwnUser: async () => eg.user(),
      getOwnAccount: async (call) => {
        const { profiles } = await peer.answers.getUserProfiles(call, { userIds: [] });
        return { user: await peer.answers.getOwnUser(call, {}), profile: profiles[0]?.values ?? [], received: [] };
      },
      getUserProfiles: async () => ({ profiles: [] }),
      subscribe: async () => eg.subscribed(),
      getSnapshot: async () => ({ snapshot: '10:10:' }),
      getRegisterState: async (call, { presences }) => ({
        ...eg.registerState(),
        ...(presences && { presences: await peer.answers.listPresences(call, presences) }),
      }),
      noteRelease: async () => {
        reported();
        return {};
      },
      listPresences: async () => ({ presences: [], lastUpdateId: -1, listedAtMs: 0 }),
      ...stateInParts((call, request) => peer.answers.getRegisterState(call, request)),
    },
    port,
    {
      async confirm({ credential: { email, apiKeyId } }) {
        const isGood = ([id, account]: [string, Authentication]) =>
          id.startsWith(`${email} `) && account.apiKeyId === apiKeyId && account.outcome === 'ok';
        if (![...accounts].some(isGood)) throw new UnauthorizedError('Invalid API key');
      },
    },
  );
  return Object.assign(peer, {
    releaseReported,
    addAccount(email: string, key: string, authentication: Authentication) {
      accounts.set(idOf(email, createHash('sha256').update(key).digest()), authentication);
    },
  });
}

export async function startMessages(port = 0): Promise<PeerServer<'messages'>> {
  const peer: PeerServer<'messages'> = await startPeer(
    'messages',
    {
      sendMessage: async () => ({ messageId: 501 }),
      getMessage: async () => eg.message(),
      getMessages: async () => ({
        messages: [eg.message()],
        messagesJson: [],
        anchor: 501,
        foundAnchor: true,
        foundOldest: false,
        foundNewest: true,
      }),
      findNewestReceived: async () => ({ messageId: 501 }),
      getMessageState: async () => ({ maxMessageId: 501, starredIds: [], recentDirects: [] }),
      getChannelActivity: async () => ({ activities: [] }),
      listTopicPolicies: async () => ({ topicPolicies: [] }),
      getWritings: async () => ({ drafts: [], savedSnippets: [] }),
      getClientState: async (call, { messages, writings, topicPolicies }) => ({
        snapshot: '20:20:',
        ...(messages && { messages: await peer.answers.getMessageState(call, messages) }),
        ...(writings && { writings: await peer.answers.getWritings(call, writings) }),
        ...(topicPolicies && { topicPolicies: await peer.answers.listTopicPolicies(call, topicPolicies) }),
      }),
    },
    port,
  );
  return peer;
}

export function startInvites(port = 0): Promise<PeerServer<'invites'>> {
  return startPeer('invites', { getSnapshot: async () => ({ snapshot: '40:40:' }) }, port);
}

export function startScheduler(port = 0): Promise<PeerServer<'scheduler'>> {
  return startPeer(
    'scheduler',
    { getSchedule: async () => ({ scheduledMessages: [], reminders: [], snapshot: '30:30:' }) },
    port,
  );
}

/** A poll that an events pod has received and not answered. */
export interface WaitingPoll {
  /** The pod that received it. */
  port: number;
  request: PollRequest;
  reply(events: unknown[]): void;
  refuse(error: PublicError): void;
}

export interface EventsPeer extends PeerServer<'events'> {
  readonly port: number;
  /** The number of requests in each message of the polls' stream. */
  readonly frameLengths: readonly number[];
  /** Resolves with the next poll of `queueId`; each poll is returned once. */
  nextPoll(queueId: string): Promise<WaitingPoll>;
  nextWithdrawal(queueId: string): Promise<PollRequest>;
  /** Ends the gateway's streams, like a pod that stops. */
  endStreams(): void;
}

/** Pods that share `polls` return one another's. A pod of the version before knows only the older stream. */
export async function startEvents(
  port = 0,
  polls = createMailbox<WaitingPoll>(),
  isOfEarlierVersion = false,
): Promise<EventsPeer> {
  const streams = new Set<ServedPoll | ServedPolls>();
  const frameLengths: number[] = [];
  const withdrawals = createMailbox<PollRequest>();
  const endStreams = () => {
    for (const stream of streams) stream.end();
    streams.clear();
  };

  function hold(stream: ServedPoll | ServedPolls): void {
    streams.add(stream);
    stream.on('error', () => streams.delete(stream));
    stream.on('end', () => streams.delete(stream));
  }

  function take(request: PollRequest, write: (reply: Omit<PollReply, 'pollId'>) => void): void {
    if (request.isWithdrawn) {
      withdrawals.put(request.queueId, request);
      return;
    }
    const answer = (reply: Partial<PollReply>) =>
      write({ eventsJson: Buffer.alloc(0), error: Buffer.alloc(0), ...reply });
    polls.put(request.queueId, {
      port: portOf(peer.address),
      request,
      reply: (events) => answer({ eventsJson: Buffer.from(JSON.stringify(events)) }),
      refuse: (error) => answer({ error: encodeError(error) }),
    });
  }

  function pollTogether(stream: ServedPolls): void {
    if (isOfEarlierVersion) {
      stream.emit('error', { code: UNIMPLEMENTED });
      return;
    }
    hold(stream);
    stream.on('data', ({ requests }) => {
      frameLengths.push(requests.length);
      for (const request of requests)
        take(request, (reply) => void stream.write({ replies: [{ pollIds: [request.pollId], ...reply }] }));
    });
  }

  function poll(stream: ServedPoll): void {
    hold(stream);
    stream.on('data', (request: PollRequest) =>
      take(request, (reply) => void stream.write({ pollId: request.pollId, ...reply })),
    );
  }

  const peer = await startPeer(
    'events',
    {
      getQueueBeginning: async () => ({ epoch: 'e1', beginsAt: 7 }),
      createQueue: async () => ({ queueId: 'q1', lastEventId: -1 }),
      deleteQueue: async () => ({}),
      pollTogether,
      poll,
    },
    port,
  );
  return {
    ...peer,
    port: portOf(peer.address),
    frameLengths,
    nextPoll: polls.take,
    nextWithdrawal: withdrawals.take,
    endStreams,
    async stop(graceMs) {
      endStreams();
      await peer.stop(graceMs);
    },
  };
}

function portOf(address: string): number {
  return Number(address.split(':')[1]);
}

/** Items by name, each passed to one waiting or later caller. */
export function createMailbox<T>() {
  const items = new Map<string, T[]>();
  const waiting = new Map<string, ((item: T) => void)[]>();
  return {
    put(name: string, item: T) {
      const taker = waiting.get(name)?.shift();
      if (taker) taker(item);
      else items.set(name, [...(items.get(name) ?? []), item]);
    },
    take(name: string): Promise<T> {
      const item = items.get(name)?.shift();
      if (item) return Promise.resolve(item);
      return new Promise((resolve) => waiting.set(name, [...(waiting.get(name) ?? []), resolve]));
    },
  };
}
