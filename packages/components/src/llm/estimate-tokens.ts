const CHARACTERS_PER_TOKEN = 4;

/** For models that do not say what they have used. */
export const estimateTokens = (characters: number): number => Math.ceil(characters / CHARACTERS_PER_TOKEN);
