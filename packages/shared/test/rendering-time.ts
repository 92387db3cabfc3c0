import { BadRequestError } from '../src/errors';
import exampleFacts from '../src/markdown/corpus/example-facts.json';
import { renderMarkdown } from '../src/markdown/render-markdown';

/** Of the processor's time, which other work on the machine does not count towards. */
const maxDurationMs = 200;
/** Room for a slower machine, and for code that is compiled while it runs. */
const slack = 3;
const maxAttempts = 5;

/** The shortest of some attempts counts. */
export function expectInTime(render: () => void): void {
  let shortestMs = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < maxAttempts && shortestMs > maxDurationMs; attempt++) {
    const start = process.cpuUsage();
    render();
    const { user, system } = process.cpuUsage(start);
    shortestMs = Math.min(shortestMs, (user + system) / 1_000);
  }
  expect(shortestMs).toBeLessThan(maxDurationMs * slack);
}

/** The HTML, or nothing where the content is refused with the documented error. */
export function renderOrRefuse(content: string): string {
  try {
    return renderMarkdown(content, { ...exampleFacts, translateEmoticons: true, showsPreviews: true }).html;
  } catch (error) {
    expect(error).toEqual(new BadRequestError('Unable to render message'));
    return '';
  }
}
