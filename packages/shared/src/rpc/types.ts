import type * as grpc from '@grpc/grpc-js';
import type { MethodDefinition } from '@grpc/proto-loader';
import type {
  EventsDefinition,
  EventsHandlers,
  InvitesDefinition,
  InvitesHandlers,
  MessagesDefinition,
  MessagesHandlers,
  RealmDefinition,
  RealmHandlers,
  SchedulerDefinition,
  SchedulerHandlers,
} from '../proto';
import type { Call, Caller } from './call';

export interface Services {
  realm: { definition: RealmDefinition; handlers: RealmHandlers };
  messages: { definition: MessagesDefinition; handlers: MessagesHandlers };
  invites: { definition: InvitesDefinition; handlers: InvitesHandlers };
  events: { definition: EventsDefinition; handlers: EventsHandlers };
  scheduler: { definition: SchedulerDefinition; handlers: SchedulerHandlers };
}

type Named<T> = { [K in keyof T as string extends K ? never : K]: T[K] };

type IsBidi<Handler> = Handler extends (call: infer C) => void
  ? C extends grpc.ServerDuplexStream<infer _Req, infer _Res>
    ? true
    : false
  : false;

// NOTE: requests and responses are the complete `__Output` types on both sides; the generated input types are
// all-optional, so a forgotten field would compile.
type Methods<S extends keyof Services> = {
  [M in keyof Named<Services[S]['definition']>]: Named<Services[S]['definition']>[M] extends MethodDefinition<
    infer _ReqIn,
    infer _ResIn,
    infer Req,
    infer Res
  >
    ? { request: Req; response: Res; isBidi: IsBidi<Services[S]['handlers'][M & keyof Services[S]['handlers']]> }
    : never;
};

/** The client of service S: one promise-returning function per unary method. */
export type RpcClient<S extends keyof Services> = {
  [M in keyof Methods<S> as Methods<S>[M] extends { isBidi: true } ? never : Uncapitalize<M & string>]: (
    call: Call | Caller,
    request: Methods<S>[M]['request'],
  ) => Promise<Methods<S>[M]['response']>;
};

/** The handlers that service S must provide: exactly one for each method of its proto. */
export type Implementation<S extends keyof Services> = {
  [M in keyof Methods<S> as Uncapitalize<M & string>]: Methods<S>[M] extends { isBidi: true }
    ? (stream: grpc.ServerDuplexStream<Methods<S>[M]['request'], Methods<S>[M]['response']>) => void
    : (call: Call | Caller, request: Methods<S>[M]['request']) => Promise<Methods<S>[M]['response']>;
};

/** The client's end of a two-way stream. */
export type RpcStream<Request, Reply> = grpc.ClientDuplexStream<Request, Reply>;

/** The two-way methods of service S, and the type of their streams. */
export type RpcStreams<S extends keyof Services> = {
  [M in keyof Methods<S> as Methods<S>[M] extends { isBidi: true } ? Uncapitalize<M & string> : never]: RpcStream<
    Methods<S>[M]['request'],
    Methods<S>[M]['response']
  >;
};
