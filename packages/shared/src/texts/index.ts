// The catalogue: what people read of the web client and of mails, in all languages. An area is a module of its own
// (`@parley/shared/texts/<area>`), so that a page loads its own texts only.

/** The languages that have texts. */
export const TEXT_LANGUAGES = ['en', 'de'] as const;

export type TextLanguage = (typeof TEXT_LANGUAGES)[number];

/** An area's texts. Areas need no Node and load nothing but their texts: browsers load them, too. */
export type TextsByLanguage<Texts> = Readonly<Record<TextLanguage, Texts>>;

/** The language of the texts for a person's language (`de-at` is German); English without texts of their own. */
export function textLanguage(language: string): TextLanguage {
  const [base] = language.toLowerCase().split('-', 1);
  return TEXT_LANGUAGES.find((each) => each === base) ?? 'en';
}
