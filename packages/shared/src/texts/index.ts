// The catalogue: what people read of the web client, of mails and of the pages for people who are not signed in, in all languages. An area is a module of its own
// (`@parley/shared/texts/<area>`), so that a page loads its own texts only.

/** The languages that have texts. */
export const TEXT_LANGUAGES = ['en', 'de'] as const;

export type TextLanguage = (typeof TEXT_LANGUAGES)[number];

/** An area's texts. Areas need no Node and load nothing but their texts: browsers load them, too. */
export type TextsByLanguage<Texts> = Readonly<Record<TextLanguage, Texts>>;

/** The language of the texts for a person's language (`de-at` is German); undefined without texts of their own. */
export function findTextLanguage(language: string): TextLanguage | undefined {
  const [base] = language.toLowerCase().split('-', 1);
  return TEXT_LANGUAGES.find((each) => each === base);
}

/** The same; English without texts of their own. */
export function textLanguage(language: string): TextLanguage {
  return findTextLanguage(language) ?? 'en';
}
