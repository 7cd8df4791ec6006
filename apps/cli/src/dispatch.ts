import { CliProblem, type Command } from "./command.ts";
import { commands } from "./commands.ts";
import { findNearest } from "./nearest.ts";
import { COMMON_FLAGS, takeBeforeDashes } from "./parse.ts";

/** A parsed command line. */
export type Call =
	| { readonly kind: "version" }
	/** Without any argument. */
	| { readonly kind: "next steps" }
	| { readonly kind: "help"; readonly group: string | null; readonly commands: readonly Command[] }
	| {
			readonly kind: "command" | "command help";
			readonly command: Command;
			/** Its subcommands, such as `config get` for `config`. */
			readonly group: readonly Command[];
			/** The arguments without the command's name. */
			readonly words: readonly string[];
	  };

const USAGE = 2;
const HELP = ["--help", "-h"];
/** Flags that may also come before the command. */
const LEADING_FLAGS = [...HELP, ...COMMON_FLAGS.map(({ name }) => `--${name}`)];

export function parseCall(argv: readonly string[]): Call {
	if (argv.length === 0) return { kind: "next steps" };
	const start = argv.findIndex((word) => !LEADING_FLAGS.includes(word));
	const first = start === -1 ? argv : argv.slice(0, start);
	const rest = start === -1 ? [] : argv.slice(start);
	if (rest[0] === "--version" || rest[0] === "-V") return { kind: "version" };
	const asksHelp = rest[0] === "help" || takeBeforeDashes(argv).some((word) => HELP.includes(word));
	const words = rest[0] === "help" ? rest.slice(1) : rest;
	const found = findCommand(words);
	if (found === null) return toGroupHelp(words, asksHelp);
	const { command, length } = found;
	return {
		kind: asksHelp ? "command help" : "command",
		command,
		group: listSubcommands(command.name),
		words: [...first, ...words.slice(length)],
	};
}

/** Finds the longest command name that the line begins with. */
function findCommand(words: readonly string[]): { command: Command; length: number } | null {
	for (const length of [2, 1]) {
		const command = commands.find(({ name }) => name === words.slice(0, length).join(" "));
		if (command === undefined || words.length < length) continue;
		const next = words[length];
		const isWrongGroupWord =
			command.positionals.length === 0 &&
			next !== undefined &&
			!next.startsWith("-") &&
			isGroup(command.name);
		if (isWrongGroupWord) throw unknownCommandProblem(words);
		return { command, length };
	}
	return null;
}

function toGroupHelp(words: readonly string[], asksHelp: boolean): Call {
	const [name] = words.filter((word) => !HELP.includes(word));
	if (name === undefined) {
		if (asksHelp) return { kind: "help", group: null, commands };
		throw new CliProblem("no command given", { code: USAGE, hint: "tripline --help lists them" });
	}
	if (name.startsWith("-"))
		throw new CliProblem(`${name} must follow a command`, {
			code: USAGE,
			hint: "tripline <command> [flags]; tripline --help lists the commands",
		});
	const isAlone = words[1] === undefined || words[1].startsWith("-");
	if (!isGroup(name) || !isAlone) throw unknownCommandProblem(words);
	if (asksHelp) return { kind: "help", group: name, commands: listSubcommands(name) };
	throw new CliProblem(`${name} needs a subcommand`, {
		code: USAGE,
		hint: `one of: ${listSubcommands(name)
			.map((command) => `tripline ${command.name}`)
			.join(", ")}`,
	});
}

const listSubcommands = (name: string): Command[] =>
	commands.filter((command) => command.name.startsWith(`${name} `));
const isGroup = (name: string): boolean => listSubcommands(name).length > 0;

/** Commands of npm and others that people try here. */
const SYNONYMS: Readonly<Record<string, string>> = { start: "serve", deploy: "init", setup: "init" };

function unknownCommandProblem(words: readonly string[]): CliProblem {
	const [first = "", second = ""] = words;
	const both = `${first} ${second}`.trim();
	const near = findNearest(
		both,
		commands.map(({ name }) => name),
	);
	const nearFirst = findNearest(
		first,
		commands.flatMap(({ name }) => name.split(" ")[0] as string),
	);
	const meant = near ?? (isGroup(first) ? null : (SYNONYMS[first] ?? nearFirst));
	return new CliProblem(`there is no command ${JSON.stringify(isGroup(first) ? both : first)}`, {
		code: USAGE,
		hint:
			meant === null
				? `tripline ${isGroup(first) ? `${first} ` : ""}--help lists them`
				: `did you mean: tripline ${meant}`,
	});
}
