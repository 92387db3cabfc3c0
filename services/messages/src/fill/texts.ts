import { renderMarkdown } from '@parley/shared/markdown';
import type { FillPerson } from '@parley/shared/proto';
import type { SeededRandom } from '@parley/shared/values';

/** The text of a message as it is stored. */
export interface Text {
  content: string;
  html: string;
  mentionedId: number | null;
  mentionsChannel: boolean;
}

type Piece = Pick<Text, 'content' | 'html'>;

const PARAGRAPH = '<p>';
const IN_PARAGRAPH = /^<p>(.*)<\/p>$/;
const EVERYBODY = '@**all**';

/**
 * Texts of messages. Rendering millions of them one by one would take minutes, so parts are rendered once each and combined. The
 * result equals that of the renderer.
 */
export class Texts {
  readonly #paragraphs: Piece[];
  readonly #blocks: Piece[];
  readonly #mentions = new Map<number, Piece | null>();

  constructor(
    private readonly realmUrl: string,
    private readonly random: SeededRandom,
  ) {
    const { paragraphs, blocks }: PlannedTexts = planTexts(random);
    this.#paragraphs = paragraphs.map((content) => this.#render(content));
    this.#blocks = blocks.map((content) => this.#render(content));
  }

  /** Up to three paragraphs, sometimes a list, a quotation or code; some begin with a mention. */
  next(mentioned: FillPerson | undefined): Text {
    const { random } = this;
    const pieces = [random.pick(this.#paragraphs)];
    while (pieces.length < 3 && random.happens(0.2)) pieces.push(random.pick(this.#paragraphs));
    if (random.happens(0.03)) pieces.push(random.pick(this.#blocks));
    const text = joined(pieces);
    const mention = mentioned && this.#mentionOf(mentioned);
    return mention
      ? { ...behind(mention, text), mentionedId: mentioned.id, mentionsChannel: false }
      : { ...text, mentionedId: null, mentionsChannel: false };
  }

  nextForAll(): Text {
    const text = behind({ content: EVERYBODY, html: inner(this.#render(EVERYBODY).html) }, this.next(undefined));
    return { ...text, mentionedId: null, mentionsChannel: true };
  }

  /** Null for a name that Markdown does not support in mentions. */
  #mentionOf({ id, fullName }: FillPerson): Piece | null {
    const known = this.#mentions.get(id);
    if (known !== undefined) return known;
    const content = `@**${fullName}|${id}**`;
    const rendered = renderMarkdown(content, this.#facts([{ id, fullName, isActive: true }]));
    const html = inner(rendered.html);
    const mention = rendered.mentionedUserIds.includes(id) && html !== '' ? { content, html } : null;
    this.#mentions.set(id, mention);
    return mention;
  }

  #render(content: string): Piece {
    return { content, html: renderMarkdown(content, this.#facts([])).html };
  }

  #facts(users: { id: number; fullName: string; isActive: boolean }[]) {
    return { users, groups: [], channels: [], linkifiers: [], realmUrl: this.realmUrl };
  }
}

function joined(pieces: readonly Piece[]): Piece {
  return {
    content: pieces.map(({ content }) => content).join('\n\n'),
    html: pieces.map(({ html }) => html).join('\n'),
  };
}

function inner(html: string): string {
  return IN_PARAGRAPH.exec(html)?.[1] ?? '';
}

/** In the first paragraph of the text. */
function behind(mention: Piece, { content, html }: Piece): Piece {
  return {
    content: `${mention.content} ${content}`,
    html: `${PARAGRAPH}${mention.html} ${html.slice(PARAGRAPH.length)}`,
  };
}

/** Parts of messages in Markdown: inline parts, and separate blocks. */
interface PlannedTexts {
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

/** Words, numbers and marks of a large organization's messages, some frequent, some rare. */
function planTexts(random: SeededRandom): PlannedTexts {
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

/** Subjects of the texts. */

const words = (text: string) => text.split(' ');

export const SUBJECTS = words(
  'release invoice dashboard migration contract survey roadmap keynote backup budget prototype handbook newsletter pipeline ' +
    'calendar checklist translation warehouse campaign interview proposal firewall logo license forecast workshop ' +
    'onboarding firmware sandbox payroll podcast sitemap glossary playbook inventory webinar shipment badge coupon mural',
);

const STATES = words(
  'ready late approved blocked broken finished signed merged delayed reviewed missing complete postponed fixed outdated ' +
    'promising confusing cheaper stable slower tested cancelled shared printed archived',
);

export const ACTIONS = words(
  'review sign update check restart rename publish test translate measure simplify approve archive rewrite print deliver ' +
    'schedule compare export rebuild',
);

export const PLACES = words(
  'Berlin Istanbul Lisbon Boston Recife Pune Osaka Lagos Oslo Quito Turin Cork Bern Riga Tartu Accra Perth Lima Hanoi Izmir',
);

const DAYS = words('Monday Tuesday Wednesday Thursday Friday today tomorrow yesterday');

const EMOJI = words('tada +1 eyes heart rocket thinking coffee smile');

export const CLIENT_NAMES = words('website website website mobile desktop integration');
