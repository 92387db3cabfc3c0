/** In the place of a user's id: somebody who is not signed in, and may read web-public channels where visitors are admitted. */
export const VISITOR_ID = 0;

export function isVisitor({ userId }: { userId: number }): boolean {
  return userId === VISITOR_ID;
}
