import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../../../..');
const LINK = /\]\((?![a-z]+:)([^)#\s]*)(?:#([^)\s]+))?\)/g;
const HEADING = /^#+ (.*)$/gm;

const documents = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.md'], { cwd: ROOT })
  .toString()
  .split('\n')
  .filter((file) => file !== '' && existsSync(path.join(ROOT, file)));

const textOf = (file: string) => readFileSync(path.join(ROOT, file), 'utf8').replace(/```[\s\S]*?```/g, '');

/** As code hosts make them. */
function anchorsOf(file: string): string[] {
  return [...textOf(file).matchAll(HEADING)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

function brokenLinks(file: string): string[] {
  return [...textOf(file).matchAll(LINK)].flatMap(([, target = '', anchor]) => {
    const linked = target === '' ? file : path.posix.join(path.posix.dirname(file), target);
    if (!existsSync(path.join(ROOT, linked))) return [`${file}: ${target}`];
    const isFound = anchor === undefined || !linked.endsWith('.md') || anchorsOf(linked).includes(anchor);
    return isFound ? [] : [`${file}: ${target}#${anchor}`];
  });
}

test('every link within the documents leads somewhere', () => {
  expect(documents.length).toBeGreaterThan(30);
  expect(documents.flatMap(brokenLinks)).toEqual([]);
});
