/** An absolute address of http or https, without spaces: valid in settings and profiles. */
export function isWebUrl(url: string): boolean {
  return /^https?:\/\/\S+$/i.test(url) && URL.canParse(url);
}
