import { element } from '../html-node';
import { parseTime } from '../times/parse-time';
import type { InlineRule } from './inline-scope';
import { replaceMatches } from './replace-matches';

/** `<time:2017-06-05T22:30:00Z>`: each reader sees it in their own zone. What is no time stays as typed. */
export const timeRule: InlineRule = {
  name: 'time',
  needs: ['<time:'],
  apply(text, scope) {
    return replaceMatches(text, /<time:([^>\n]{1,100})>/g, scope, ([, written = '']) => {
      const timeMs = parseTime(written);
      if (timeMs === null) return null;
      const datetime = `${new Date(timeMs).toISOString().slice(0, 19)}Z`;
      return [element('time', { datetime }, [written])];
    });
  },
};
