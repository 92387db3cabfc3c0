import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary as commonWords } from '@zxcvbn-ts/language-common';
import { dictionary as englishWords } from '@zxcvbn-ts/language-en';

/** Estimating takes longer with every character, a second for a hundred hostile ones: what begins strong is strong. */
const JUDGED_LENGTH = 32;

let estimator: ZxcvbnFactory | undefined;

/** How many guesses somebody needs who knows how people make up passwords. */
export function guessesFor(password: string): number {
  // Made when it is first needed: its dictionaries take a while and much room.
  estimator ??= new ZxcvbnFactory({
    dictionary: { ...commonWords, ...englishWords },
    graphs: adjacencyGraphs,
  });
  return estimator.check(password.slice(0, JUDGED_LENGTH)).guesses;
}
