import { renderMarkdown } from '@parley/shared/markdown';
import type { FillPerson } from '@parley/shared/proto';
import type { SeededRandom } from '@parley/shared/values';
import { type PlannedTexts, planTexts } from './plan-texts';

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
 * Texts of messages. Rendering millions of them one by one would take minutes: their parts are rendered, once each. The HTML of a
 * message is that of its parts, as the renderer would have it.
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

  /** Up to three paragraphs, now and then a list, a quotation or code; some begin with somebody's name. */
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

  /** Null for a name that Markdown does not take. */
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
