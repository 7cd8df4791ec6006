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
export function listPlaces(commands: readonly Command[]): Place[] {
	const first = [...new Set(commands.map(({ name }) => name.split(" ")[0] as string))];
	const names = [...new Set([...first, ...commands.map(({ name }) => name)])];
	return [
		{
			name: "",
			words: first.map((word) => ({ word, about: describeWord(word, commands) })),
			flags: START_FLAGS,
		},
		...names.map((name) => ({
			name,
			words: listSubcommands(name, commands),
			flags: listFlags(name, commands),
		})),
	];
}

const START_FLAGS = [
	{ word: "--help", about: "all commands", takesValue: false },
	{ word: "--version", about: "the version", takesValue: false },
];

const listSubcommands = (group: string, commands: readonly Command[]): Word[] =>
	commands
		.filter(({ name }) => name.startsWith(`${group} `))
		.map(({ name, about }) => ({ word: name.slice(group.length + 1), about }));

const describeWord = (word: string, commands: readonly Command[]): string =>
	commands.find(({ name }) => name === word)?.about ??
	listSubcommands(word, commands)
		.map((each) => each.word)
		.join(", ");

function listFlags(name: string, commands: readonly Command[]): Place["flags"] {
	const command = commands.find((each) => each.name === name);
	return [...(command?.flags ?? []), ...COMMON_FLAGS].map((flag) => ({
		word: `--${flag.name}`,
		about: flag.about,
		takesValue: flag.value !== undefined,
	}));
}

/** Quotes a text for bash, zsh and fish. */
export const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** `case` patterns for the commands with two words. */
export const renderTwoWordPatterns = (places: readonly Place[]): string =>
	joinPatterns(places.map(({ name }) => name).filter((name) => name.includes(" ")));

/** `case` patterns for flags that take a value, each after its command. */
export const renderValueFlagPatterns = (places: readonly Place[]): string =>
	joinPatterns(
		places.flatMap(({ name, flags }) =>
			flags.filter(({ takesValue }) => takesValue).map(({ word }) => `${name} ${word}`),
		),
	);

/** A `case` needs a pattern, so without texts there is one that never matches. */
const joinPatterns = (texts: readonly string[]): string =>
	texts.length === 0 ? "''" : texts.map(quote).join("|");
