import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { call } from '../../api/call';
import { texts } from '../../texts/texts';
import { wordsOf } from '../base/notices';
import { Content } from '../messages/content';

/** A text as it will look. */
export function Preview({ content }: { content: string }) {
  const rendered = useSignal<string | null>(null);
  const problem = useSignal('');
  useEffect(() => {
    call<{ rendered: string }>('POST', '/messages/render', { content })
      .then((answer) => {
        rendered.value = answer.rendered;
      })
      .catch(async (error) => {
        problem.value = await wordsOf(error);
      });
  }, [content]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrolled with the keyboard.
    <section class="preview" tabIndex={0} aria-label={texts.value.preview} dir="auto">
      {problem.value !== '' && <p role="alert">{problem.value}</p>}
      {rendered.value === null && problem.value === '' && <p class="quiet-text">{texts.value.loading}</p>}
      {rendered.value !== null && <Content html={rendered.value} />}
    </section>
  );
}
