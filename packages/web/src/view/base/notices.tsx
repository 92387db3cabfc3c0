import { signal, useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { ApiError, NoAnswerError } from '../../api/call';
import { shownLanguage, texts } from '../../texts/texts';

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

/** An error in words for people: the server's, where it answered, in the person's language as far as there is a translation. */
export async function wordsOf(error: unknown): Promise<string> {
  if (error instanceof ApiError) {
    // Without a network there is no translation either.
    const refusals = await import('@parley/shared/texts/refusals').catch(() => null);
    return refusals?.refusalText(shownLanguage.value, error) ?? error.message;
  }
  if (error instanceof OutdatedError) return texts.value.newVersion;
  return error instanceof NoAnswerError ? texts.value.noAnswer : texts.value.failed;
}

/** Does what a person asked for with a click, and says so if it did not work. Resolves to undefined then. */
export async function attempt<Result>(action: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await action();
  } catch (error) {
    if (![ApiError, NoAnswerError, OutdatedError].some((kind) => error instanceof kind)) console.error(error);
    say(await wordsOf(error), true);
    return undefined;
  }
}

/** An error in words, once there are any. */
export function ErrorWords({ error }: { error: unknown }) {
  const words = useSignal('');
  useEffect(() => {
    void wordsOf(error).then((found) => {
      words.value = found;
    });
  }, [error]);
  return words.value;
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
