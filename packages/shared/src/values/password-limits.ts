/** What a password must be, by length in code points and by how many guesses it would take; announced in POST /register. */
export const PASSWORD_LIMITS = { minLength: 6, maxLength: 100, minGuesses: 10_000 } as const;
