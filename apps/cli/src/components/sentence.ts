/** The first sentence of a description, on one line. */
export const takeFirstSentence = (text: string): string =>
	(/^.*?[.:](?=\s|$)/s.exec(text)?.[0].replace(/:$/, ".") ?? text).replaceAll(/\s+/g, " ");
