/** A text with all addresses of uploaded files and images replaced by those of the imported organization. */
export type MoveAddresses = (text: string) => string;

/**
 * Addresses of uploaded files contain the organization's id, in messages and in the store: an import replaces it. Other texts are
 * unchanged.
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
