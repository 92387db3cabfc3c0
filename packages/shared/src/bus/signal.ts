export interface Signal {
  raise(): void;
  /** Until raised (since the last wait), or for `timeoutMs`. */
  wait(timeoutMs: number): Promise<void>;
}

/** A bell that one loop waits for. */
export function createSignal(): Signal {
  let isRaised = false;
  let release: (() => void) | undefined;
  return {
    raise() {
      isRaised = true;
      release?.();
    },
    async wait(timeoutMs) {
      if (!isRaised) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, timeoutMs);
          release = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      isRaised = false;
      release = undefined;
    },
  };
}
