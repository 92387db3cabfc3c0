/** Only these begin a list right below other text, however deep: "2024. A year" does not. */
const item = /^( *)([*+-]|\d\.) +/;

interface Level {
  indentation: number;
  /** A blank line stands before its first item: what follows it at a level above needs one too. */
  isSeparated: boolean;
}

/** Says, line by line, where a blank line is missing for a line to begin a list, or to go on with one that encloses it. */
export class ListSeparator {
  private readonly levels: Level[] = [];

  /** Whether a blank line belongs between two lines. `previous` is undefined where none stands before the line. */
  isMissing(previous: string | undefined, line: string): boolean {
    const [, spaces = '', marker] = item.exec(line) ?? [];
    if (marker === undefined) return false;
    const isBack = this.leaveDeeper(spaces.length);
    const isBelowBlank = previous === '';
    const isMissing = previous !== undefined && !isBelowBlank && (isBack || isOtherThan(previous, marker));
    if (this.levels.at(-1)?.indentation !== spaces.length) {
      this.levels.push({ indentation: spaces.length, isSeparated: isMissing || isBelowBlank });
    }
    return isMissing;
  }

  /** Whether one of the levels that end here is separated from what encloses it. */
  private leaveDeeper(indentation: number): boolean {
    let isSeparated = false;
    while ((this.levels.at(-1)?.indentation ?? 0) > indentation)
      isSeparated = this.levels.pop()?.isSeparated || isSeparated;
    return isSeparated;
  }
}

/** Text, or an item of a list of the other kind. */
function isOtherThan(previous: string, marker: string): boolean {
  return item.exec(previous)?.[2]?.length !== marker.length;
}
