const FIRST_DELAY_MS = 500;
const GROWTH = 3;

/** Until a bot is called again that did not answer, longer after each call; never the same, so that bots of one server are not called in step. */
export function retryDelayMs(calls: number, chance = Math.random()): number {
  return Math.round(FIRST_DELAY_MS * GROWTH ** (calls - 1) * (0.75 + chance / 2));
}
