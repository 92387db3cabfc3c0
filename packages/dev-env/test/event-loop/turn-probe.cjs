// Loaded into a service (node --require): prints how long the event loop was blocked.
const { performance } = require('node:perf_hooks');

const PERIOD_MS = 5;

let longestMs = 0;
let cpu = process.cpuUsage();
let loop = performance.eventLoopUtilization();

function look() {
  const { user, system } = process.cpuUsage(cpu);
  const { active } = performance.eventLoopUtilization(loop);
  // Busy by both clocks: other processes slow down the first, and other threads of this one speed up the second.
  longestMs = Math.max(longestMs, Math.min(active, (user + system) / 1_000));
  cpu = process.cpuUsage();
  loop = performance.eventLoopUtilization();
}

setInterval(look, PERIOD_MS).unref();

// Asked for the longest stretch since it was asked last.
process.on('SIGUSR2', () => {
  look();
  process.stdout.write(`${JSON.stringify({ longestMs })}\n`);
  longestMs = 0;
});
