/** Quotes a text for a POSIX shell. */
export const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Escapes a text within double quotes of a POSIX shell. */
export const escapeQuoted = (text: string): string => text.replace(/[\\"$`]/g, "\\$&");

/** A command with one argument per line. */
export const joinLines = (...parts: readonly string[]): string => parts.join(" \\\n  ");
