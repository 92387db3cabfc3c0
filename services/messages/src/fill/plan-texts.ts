import type { SeededRandom } from '@parley/shared/values';
import { ACTIONS, DAYS, EMOJI, PLACES, STATES, SUBJECTS } from './sample-words';

/** Markdown that messages are put together of: what can stand in a line with others, and what stands for itself. */
export interface PlannedTexts {
  paragraphs: string[];
  blocks: string[];
}

const PARAGRAPHS = 3_000;
const BLOCKS = 100;

type Sentence = (random: SeededRandom) => string;

const SENTENCES: readonly Sentence[] = [
  (random) => `The ${subject(random)} is ${state(random)}.`,
  (random) => `Can somebody ${action(random)} the ${subject(random)} before ${random.pick(DAYS)}?`,
  (random) =>
    `We will ${action(random)} the ${subject(random)} in ${random.pick(PLACES)}, ${random.pick(DAYS)} at noon.`,
  (random) => `Who knows why the ${subject(random)} of the ${subject(random)} is **${state(random)}**?`,
  (random) => `Ticket ${100_000 + random.below(900_000)} says that the ${subject(random)} is ${state(random)}.`,
  (random) => `I have ${random.below(90) + 2} questions about the ${subject(random)} :${random.pick(EMOJI)}:`,
  (random) => `See https://wiki.example.com/${subject(random)}/${random.below(1_000)} for the ${subject(random)}.`,
  (random) => `Please run \`${action(random)} --${subject(random)}\` once more.`,
  (random) => `It was *${state(random)}* in ${random.pick(PLACES)}, and it is ${state(random)} now.`,
];

/** Words, numbers and marks of a large organization's messages: some in many of them, some in few. */
export function planTexts(random: SeededRandom): PlannedTexts {
  return {
    paragraphs: Array.from({ length: PARAGRAPHS }, () => planParagraph(random)),
    blocks: Array.from({ length: BLOCKS }, (_, index) => planBlock(index, random)),
  };
}

function planParagraph(random: SeededRandom): string {
  return Array.from({ length: 1 + random.below(3) }, () => random.pick(SENTENCES)(random)).join(' ');
}

function planBlock(index: number, random: SeededRandom): string {
  const lines = Array.from({ length: 2 + random.below(3) }, () => `${action(random)} the ${subject(random)}`);
  if (index % 3 === 0) return lines.map((line) => `* ${line}`).join('\n');
  return ['```'.concat(index % 3 === 1 ? 'quote' : 'text'), ...lines, '```'].join('\n');
}

const subject = (random: SeededRandom) => random.pick(SUBJECTS);
const state = (random: SeededRandom) => random.pick(STATES);
const action = (random: SeededRandom) => random.pick(ACTIONS);
