import { BadRequestError } from '@parley/shared/errors';

const HEX_COLOR = /^#([0-9a-f]{3}|[0-9a-f]{6})$/;

// In the order in which a new subscription picks them.
const PALETTE = [
  '#76ce90 #fae589 #a6c7e5 #e79ab5 #bfd56f #f4ae55 #b0a5fd #addfe5 #f5ce6e #c2726a #94c849 #bd86e5',
  '#ee7e4a #a6dcbf #95a5fd #53a063 #9987e1 #e4523d #c2c2c2 #4f8de4 #c6a8ad #e7cc4d #c8bebf #a47462',
].flatMap((row) => row.split(' '));

/** A colour for a subscription to the channel: the first that the user has not used, or else one that the channel decides. */
export function pickColor(usedColors: ReadonlySet<string>, channelId: number): string {
  const unused = PALETTE.find((color) => !usedColors.has(color));
  return unused ?? (PALETTE[channelId % PALETTE.length] as string);
}

/** The colour that a sent text means, with six digits in lower case; `path` says where it was sent. */
export function colorFromInput(text: string, path: string): string {
  const color = text.toLowerCase();
  if (!HEX_COLOR.test(color)) {
    throw new BadRequestError(`Invalid ${path}: Value error, color is not a valid hex color code`);
  }
  return color.length === 4 ? color.replace(/[0-9a-f]/g, '$&$&') : color;
}
