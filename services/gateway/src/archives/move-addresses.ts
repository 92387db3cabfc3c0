/** A text, with every address of an uploaded file or picture in it as the organization has it here. */
export type MoveAddresses = (text: string) => string;

/**
 * Uploaded files have their organization in their addresses, in messages as in the store: in an import it is another one. What else
 * looks like it is left alone.
 */
export function addressMover(formerRealmId: number, realmId: number): MoveAddresses {
  const file = `${formerRealmId}(?=/[0-9a-f]{1,2}/[\\w-]{24}/)`;
  const picture = `${formerRealmId}(?=/)`;
  const pattern = new RegExp(
    `(?<=user_uploads/(?:thumbnail/|download/)?)${file}|(?<="path_id":")${file}|(?<=user_avatars/)${picture}`,
    'g',
  );
  return (text) => text.replace(pattern, String(realmId));
}
