import { signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { NoAnswerError } from '../../api/call';
import { texts } from '../../texts/texts';
import { attempt, OutdatedError } from './notices';

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;

/** A component whose code is loaded when it is shown for the first time; without a network, as soon as there is one. */
export function lazily<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const loaded = signal<{ Component: ComponentType<Props> } | 'failed' | null>(null);
  let isBegun = false;
  const begin = async (pauseMs = FIRST_PAUSE_MS): Promise<void> => {
    try {
      loaded.value = { Component: await loadPart(load()) };
    } catch {
      loaded.value = 'failed';
      if (isOutdated.peek()) return;
      await pause(pauseMs);
      await begin(Math.min(pauseMs * 2, LONGEST_PAUSE_MS));
    }
  };
  return (props: Props) => {
    if (!isBegun) {
      isBegun = true;
      void begin();
    }
    const now = loaded.value;
    if (now === 'failed')
      return <p class="notice">{isOutdated.value ? texts.value.newVersion : texts.value.offline}</p>;
    return now && <now.Component {...props} />;
  };
}

/** The server has a newer client: the code of this one may be gone. */
export const isOutdated = signal(false);

/** The script with which this page began: another release begins with another. */
const entry = new URL(document.querySelector<HTMLScriptElement>('script[type="module"]')?.src ?? '', location.href);

async function isNewerServed(): Promise<boolean> {
  try {
    const response = await fetch(location.pathname, { cache: 'no-store' });
    return response.ok && !(await response.text()).includes(entry.pathname);
  } catch {
    return false;
  }
}

/** Does what a person asked for with code that is loaded for it, or says that the server does not answer. */
export function withPart<Part>(loading: Promise<Part>, use: (part: Part) => void): void {
  void attempt(async () => use(await loadPart(loading)));
}

/** Loads code that is not needed at first. Throws OutdatedError if there is a newer release, and NoAnswerError: it can be asked for again. */
export async function loadPart<Part>(loading: Promise<Part>): Promise<Part> {
  try {
    return await loading;
  } catch (error) {
    if (!(await isNewerServed())) throw new NoAnswerError((error as Error).message);
    isOutdated.value = true;
    throw new OutdatedError((error as Error).message);
  }
}

/** Until there is a network again, but not longer. */
function pause(ms: number): Promise<unknown> {
  return new Promise((resolve) => {
    addEventListener('online', resolve, { once: true });
    setTimeout(resolve, ms);
  });
}
