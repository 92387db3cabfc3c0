import { useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { call } from '../../api/call';
import { trusted } from '../../api/trusted';
import { texts } from '../../texts/texts';
import { wordsOf } from '../base/notices';

/** A text as it will look. */
export function Preview({ content }: { content: string }) {
  const rendered = useSignal<string | null>(null);
  const problem = useSignal('');
  useEffect(() => {
    call<{ rendered: string }>('POST', '/messages/render', { content })
      .then((answer) => {
        rendered.value = answer.rendered;
      })
      .catch((error) => {
        problem.value = wordsOf(error);
      });
  }, [content]);
  const safe = useMemo(() => trusted.createHTML(rendered.value ?? ''), [rendered.value]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrolled with the keyboard.
    <section class="preview" tabIndex={0} aria-label={texts.value.preview} dir="auto">
      {problem.value !== '' && <p role="alert">{problem.value}</p>}
      {rendered.value === null && problem.value === '' && <p class="quiet-text">{texts.value.loading}</p>}
      <div class="content" dangerouslySetInnerHTML={{ __html: safe }} />
    </section>
  );
}
