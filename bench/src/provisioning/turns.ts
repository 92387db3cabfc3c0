/** The question to a service with this file loaded, over IPC. */
export const TURN_QUESTION = 'longest turn';

const PERIOD_MS = 5;

let longestMs = 0;
let cpu = process.cpuUsage();
let loop = performance.eventLoopUtilization();

function look(): void {
  const { user, system } = process.cpuUsage(cpu);
  const { active } = performance.eventLoopUtilization(loop);
  // Busy by both clocks: other processes slow down the first, and other threads of this one speed up the second.
  longestMs = Math.max(longestMs, Math.min(active, (user + system) / 1_000));
  cpu = process.cpuUsage();
  loop = performance.eventLoopUtilization();
}

setInterval(look, PERIOD_MS).unref();

/** Preloaded into a service: reports for how long its event loop was held at most since the last question. */
process.on('message', (message) => {
  if (message !== TURN_QUESTION) return;
  look();
  process.send?.({ longestMs });
  longestMs = 0;
});
// A listener keeps a process running.
process.channel?.unref();
