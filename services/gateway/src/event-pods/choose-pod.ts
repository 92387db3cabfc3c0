/**
 * The pod for a queue, by rendezvous hashing: every gateway chooses the same, and when a pod disappears only its queues move.
 * This is for locality only; any pod can serve any queue.
 */
export function choosePod<P extends { readonly address: string }>(pods: readonly P[], queueId: string): P | undefined {
  let best: P | undefined;
  let bestScore = -1;
  for (const pod of pods) {
    const score = pods.length === 1 ? 0 : hash(`${pod.address} ${queueId}`);
    if (score > bestScore) {
      best = pod;
      bestScore = score;
    }
  }
  return best;
}

/** 32-bit FNV-1a with a final mix, without which addresses that differ in one digit would get unequal shares. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}
