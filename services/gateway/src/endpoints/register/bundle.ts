import type { KnownChannels, RegisterState, UserLists } from '@parley/shared/proto';
import type { AuthenticationMethod } from '@parley/shared/values';
import type { z } from 'zod';
import type { Members } from '../../http/endpoint';
import type { SerializedChannels } from '../../shared-state/serialized-channels';
import type { FirstMessageOf } from '../../wire/channels';

/** The client's choices in POST /register. */
export interface RegisterView {
  clientGravatar: boolean;
  /** Names of its capabilities. */
  capabilities: ReadonlySet<string>;
  /** Whether channels are listed with their subscribers. */
  includesSubscribers: boolean;
  /** Shared lists that replace users, groups and channels of the state; null: the state has them. */
  shared: SharedParts | null;
  /** The first messages of the listed channels; shared channels include them. */
  firstMessageOf: FirstMessageOf;
  /** Origin of the organization's address. */
  origin: string;
  /** The domain of its bots' addresses. */
  botDomain: string;
  /** The sign-in methods that the server offers. */
  authenticationMethods: readonly AuthenticationMethod[];
  /** Whether the server supports web-public channels. */
  areWebPublicChannelsEnabled: boolean;
  /** Limits of uploaded files; the organization's quota: null: none. */
  maxFileUploadMib: number;
  uploadQuotaMib: number | null;
  /** Whether a gateway for phones is set. */
  arePhonesNotified: boolean;
  /** When this server was started, UNIX milliseconds. */
  startedAtMs: number;
}

/** A part of the realm's state that clients fetch under one name. */
export interface Bundle<Shape extends z.ZodRawShape = z.ZodRawShape> {
  /** The name in `fetch_event_types`. */
  type: string;
  fields: Shape;
  present(state: RegisterState, view: RegisterView): Members<z.output<z.ZodObject<Shape>>>;
}

export function bundle<Shape extends z.ZodRawShape>(declaration: Bundle<Shape>): Bundle<Shape> {
  return declaration;
}

/** The parts of an answer to POST /register that many callers share. A part that was not requested is absent. */
export interface SharedParts {
  userLists?: UserLists;
  groups?: Uint8Array;
  channels?: SerializedChannels;
  /** The channels visible to the caller. */
  knownChannels: readonly KnownChannels[];
  /** Of the caller alone: the bots that they manage. */
  bots: Uint8Array;
}
