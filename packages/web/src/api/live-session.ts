import { applyEvents } from '@parley/client-model/apply-events';
import type { PublicEvent } from '@parley/client-model/rules';
import type { State } from '@parley/client-model/state';
import { ApiError, call, callForText, NoAnswerError } from './call';

/** Client capabilities; they decide the form of events. */
export const CAPABILITIES = [
  'notification_settings_null',
  'bulk_message_deletion',
  'user_avatar_url_field_optional',
  'stream_typing_notifications',
  'user_settings_object',
  'linkifier_url_template',
  'include_deactivated_groups',
  'archived_channels',
  'empty_topic_name',
  'simplified_presence_events',
] as const;

export const KIND = { capabilities: new Set<string>(CAPABILITIES), isAheadWithMessages: true };

/** Events that only tabs know how to take: they are not part of the state. */
const PASSING = new Set(['heartbeat', 'typing', 'typing_edit_message', 'restart', 'web_reload_client', 'realm_export']);

export type LiveNews =
  /** A registration: everything from before is out of date. */
  | { kind: 'state'; state: State }
  /** The same as the server wrote it: copying megabytes of text to a tab is much faster than copying the objects in it. */
  | { kind: 'registered'; json: string }
  | { kind: 'events'; events: PublicEvent[] }
  | { kind: 'link'; link: Link };

export type Link = 'connecting' | 'up' | 'down' | 'signed-out';

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
/** The server answers polls within a minute. A connection that broke without a word, e.g. in sleep, is given up after this time. */
const ANSWER_WITHIN_MS = 90_000;

/**
 * A queue of events, followed for all tabs of a browser: registers, polls, and registers again when the queue is lost. It keeps the
 * state up to date, so a tab that is opened later needs no request.
 */
export class LiveSession {
  #state: State | undefined;
  #hasQueue = false;
  #link: Link = 'connecting';
  #pauseMs = FIRST_PAUSE_MS;
  #endPause = () => {};

  constructor(private readonly tell: (news: LiveNews) => void) {}

  /** The first messages to a new tab. */
  present(): LiveNews[] {
    const link: LiveNews = { kind: 'link', link: this.#link };
    return this.#state ? [{ kind: 'state', state: this.#state }, link] : [link];
  }

  /** Tries again at once, because the network is back or somebody looks. */
  hurry(): void {
    this.#pauseMs = FIRST_PAUSE_MS;
    this.#endPause();
  }

  /** Runs until the user is signed out. */
  async run(): Promise<void> {
    while (this.#link !== 'signed-out') {
      try {
        if (!this.#hasQueue) await this.#register();
        for (;;) await this.#poll();
      } catch (error) {
        await this.#recover(error);
      }
    }
  }

  async #register(): Promise<void> {
    const parameters = {
      apply_markdown: true,
      client_gravatar: false,
      slim_presence: true,
      include_subscribers: 'partial',
      client_capabilities: Object.fromEntries(CAPABILITIES.map((name) => [name, true])),
    };
    const json = await callForText('/register', parameters);
    // Tabs parse it while it is parsed here.
    this.tell({ kind: 'registered', json });
    this.#state = stateOf(json);
    this.#hasQueue = true;
    this.#setLink('up');
  }

  async #poll(): Promise<void> {
    const state = this.#state as State;
    // The first poll after an interruption is answered at once, so people see that the network is back.
    const wait = this.#link === 'down' && { dont_block: true };
    const position = { queue_id: state['queue_id'], last_event_id: state['last_event_id'], ...wait };
    const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
    const { events } = await call<{ events: PublicEvent[] }>('GET', '/events', position, { signal });
    this.#setLink('up');
    const last = events.at(-1);
    if (!last) return;
    state['last_event_id'] = last.id;
    applyEvents(state, events.filter(isPartOfState), KIND);
    this.tell({ kind: 'events', events });
  }

  async #recover(error: unknown): Promise<void> {
    if (await isSignedOut(error)) return this.#setLink('signed-out');
    const isLost = error instanceof ApiError && error.code === 'BAD_EVENT_QUEUE_ID';
    const isPassing = error instanceof ApiError || error instanceof NoAnswerError;
    // The queue goes on after an interruption. A state that could not take an event is fetched anew.
    if (isLost || !isPassing) this.#hasQueue = false;
    if (isLost) return;
    this.#setLink('down');
    if (!(error instanceof NoAnswerError)) console.error(error);
    await this.#pause();
  }

  async #pause(): Promise<void> {
    const ms = this.#pauseMs * (0.5 + Math.random());
    this.#pauseMs = Math.min(this.#pauseMs * 2, LONGEST_PAUSE_MS);
    await new Promise<void>((goOn) => {
      const timer = setTimeout(goOn, ms);
      this.#endPause = () => {
        clearTimeout(timer);
        goOn();
      };
    });
  }

  #setLink(link: Link): void {
    if (link === 'up') this.#pauseMs = FIRST_PAUSE_MS;
    if (link === this.#link) return;
    this.#link = link;
    this.tell({ kind: 'link', link });
  }
}

/** Where visitors are admitted, their registration is refused for its parameters: another request tells. */
async function isSignedOut(error: unknown): Promise<boolean> {
  if (!(error instanceof ApiError)) return false;
  if (error.status !== 400 || error.code === 'BAD_EVENT_QUEUE_ID') return error.status === 401;
  return call('GET', '/users/me').then(
    () => false,
    (refusal) => refusal instanceof ApiError && refusal.status === 401,
  );
}

/** The state in the answer of a registration. */
export function stateOf(json: string): State {
  const { result: _, msg: __, ...state } = JSON.parse(json);
  return state;
}

/** Whether a rule of the client's model applies the event. */
export function isPartOfState({ type }: PublicEvent): boolean {
  return !PASSING.has(type);
}
