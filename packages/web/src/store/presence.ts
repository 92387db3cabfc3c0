import { effect, untracked } from '@preact/signals';
import { call } from '../api/call';
import { changed, isReady, link, read } from './model';

export type Presence = 'active' | 'idle' | 'away';

/** Whether somebody is there, by when they were seen. */
export function presenceOf(userId: number): Presence {
  const state = read('presence');
  if (userId === state.user_id) return 'active';
  const { active_timestamp = 0, idle_timestamp = 0 } = state.presences?.[userId] ?? {};
  const threshold = Date.now() / 1_000 - (state.server_presence_offline_threshold_seconds ?? 200);
  if (active_timestamp > threshold) return 'active';
  return idle_timestamp > threshold ? 'idle' : 'away';
}

/** In seconds since 1970; undefined: long ago. */
export function lastSeenAt(userId: number): number | undefined {
  const { active_timestamp = 0, idle_timestamp = 0 } = read('presence').presences?.[userId] ?? {};
  return Math.max(active_timestamp, idle_timestamp) || undefined;
}

const IDLE_AFTER_MS = 5 * 60_000;
let lastInputAt = Date.now();
let isNewInput = true;

for (const event of ['keydown', 'pointerdown', 'pointermove', 'wheel'])
  addEventListener(
    event,
    () => {
      lastInputAt = Date.now();
      isNewInput = true;
    },
    { passive: true },
  );

/** Says that the person is there, or that the client is open but nobody uses it. */
async function report(): Promise<void> {
  const isIdle = document.hidden || Date.now() - lastInputAt > IDLE_AFTER_MS;
  const parameters = { status: isIdle ? 'idle' : 'active', new_user_input: isNewInput, ping_only: true };
  isNewInput = false;
  // The next report says it again.
  await call('POST', '/users/me/presence', parameters).catch(() => {});
}

effect(() => {
  if (!isReady.value || link.value !== 'up') return;
  untracked(() => void report());
  const tick = () => {
    // People become offline by the clock, without an event.
    changed('presence');
    void report();
  };
  const timer = setInterval(tick, (read().server_presence_ping_interval_seconds ?? 60) * 1_000);
  return () => clearInterval(timer);
});
