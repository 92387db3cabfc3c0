import { signal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { ApiError, NoAnswerError } from '../../api/call';
import { texts } from '../../texts/texts';

interface Notice {
  id: number;
  text: string;
  isError: boolean;
}

const SHOWN_MS = 6_000;
const notices = signal<readonly Notice[]>([]);
let lastId = 0;

/** Says something in passing; screen readers read it aloud. */
export function say(text: string, isError = false): void {
  lastId += 1;
  const id = lastId;
  notices.value = [...notices.value, { id, text, isError }];
  setTimeout(() => {
    notices.value = notices.value.filter((each) => each.id !== id);
  }, SHOWN_MS);
}

/** What is asked for needs the newer client that the server has. */
export class OutdatedError extends Error {}

/** An error in words for people: the server's own, where it answered. */
export function wordsOf(error: unknown): string {
  if (error instanceof ApiError) return error.message;
  if (error instanceof OutdatedError) return texts.value.newVersion;
  return error instanceof NoAnswerError ? texts.value.noAnswer : texts.value.failed;
}

/** Does what a person asked for with a click, and says so if it did not work. Resolves to undefined then. */
export async function attempt<Result>(action: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await action();
  } catch (error) {
    if (![ApiError, NoAnswerError, OutdatedError].some((kind) => error instanceof kind)) console.error(error);
    say(wordsOf(error), true);
    return undefined;
  }
}

/** Above everything, dialogs as well. */
export function Notices() {
  const box = useRef<HTMLDivElement>(null);
  const isShown = notices.value.length > 0;
  useLayoutEffect(() => {
    // The last one that is shown is the uppermost.
    box.current?.hidePopover();
    if (isShown) box.current?.showPopover();
  }, [notices.value]);
  return (
    <div ref={box} popover="manual" class="notices" role="status" aria-live="polite">
      {notices.value.map(({ id, text, isError }) => (
        <p key={id} class={isError ? 'error' : ''}>
          {text}
        </p>
      ))}
    </div>
  );
}
