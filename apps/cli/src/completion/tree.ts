import type { Command } from "../command.ts";
import { COMMON_FLAGS } from "../parse.ts";

/** A word that can come next. */
export interface Word {
	readonly word: string;
	readonly about: string;
}

/** A position in a command line: the words before it, and what can follow. */
export interface Place {
	/** Empty at the start, else one or two words. */
	readonly name: string;
	readonly words: readonly Word[];
	readonly flags: readonly (Word & { readonly takesValue: boolean })[];
}

/** The start of the line, each group and each command. */
export function placesOf(commands: readonly Command[]): Place[] {
	const first = [...new Set(commands.map(({ name }) => name.split(" ")[0] as string))];
	const names = [...new Set([...first, ...commands.map(({ name }) => name)])];
	return [
		{ name: "", words: first.map((word) => ({ word, about: aboutOf(word, commands) })), flags: AT_FIRST },
		...names.map((name) => ({ name, words: below(name, commands), flags: flagsOf(name, commands) })),
	];
}

const AT_FIRST = [
	{ word: "--help", about: "all commands", takesValue: false },
	{ word: "--version", about: "the version", takesValue: false },
];

const below = (group: string, commands: readonly Command[]): Word[] =>
	commands
		.filter(({ name }) => name.startsWith(`${group} `))
		.map(({ name, about }) => ({ word: name.slice(group.length + 1), about }));

const aboutOf = (word: string, commands: readonly Command[]): string =>
	commands.find(({ name }) => name === word)?.about ??
	below(word, commands)
		.map((each) => each.word)
		.join(", ");

function flagsOf(name: string, commands: readonly Command[]): Place["flags"] {
	const command = commands.find((each) => each.name === name);
	return [...(command?.flags ?? []), ...COMMON_FLAGS].map((flag) => ({
		word: `--${flag.name}`,
		about: flag.about,
		takesValue: flag.value !== undefined,
	}));
}

/** Quotes a text for bash, zsh and fish. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** `case` patterns for the commands with two words. */
export const twoWords = (places: readonly Place[]): string =>
	patterns(places.map(({ name }) => name).filter((name) => name.includes(" ")));

/** `case` patterns for flags that take a value, each after its command. */
export const awaiting = (places: readonly Place[]): string =>
	patterns(
		places.flatMap(({ name, flags }) =>
			flags.filter(({ takesValue }) => takesValue).map(({ word }) => `${name} ${word}`),
		),
	);

/** A `case` needs a pattern, so without texts there is one that never matches. */
const patterns = (texts: readonly string[]): string =>
	texts.length === 0 ? "''" : texts.map(quoted).join("|");
