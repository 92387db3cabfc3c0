import { BadRequestError } from '../src/errors';
import exampleFacts from '../src/markdown/corpus/example-facts.json';
import { renderMarkdown } from '../src/markdown/render-markdown';

/** CPU time, which other work on the machine does not affect. */
const maxDurationMs = 200;
/** Tolerance for slower machines, and for code that is compiled while it runs. */
const slack = 3;
const maxAttempts = 5;

/** Number of attempts; the shortest counts. */
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

/** The HTML; empty if the content is refused with the documented error. */
export function renderOrRefuse(content: string): string {
  try {
    return renderMarkdown(content, { ...exampleFacts, translateEmoticons: true, showsPreviews: true }).html;
  } catch (error) {
    expect(error).toEqual(new BadRequestError('Unable to render message'));
    return '';
  }
}
