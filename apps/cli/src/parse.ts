import { parseArgs } from "node:util";
import { CliProblem, type Command, type Invocation } from "./command.ts";
import { findNearest } from "./nearest.ts";

/** Flags that every command takes. */
export const COMMON_FLAGS: Command["flags"] = [
	{ name: "json", about: "print one JSON value" },
	{ name: "quiet", about: "do not print progress" },
	{ name: "help", about: "print this help" },
];

/** The words before `--`, after which there are no flags. */
export const takeBeforeDashes = (words: readonly string[]): readonly string[] =>
	words.includes("--") ? words.slice(0, words.indexOf("--")) : words;

/** Parses the flags and positionals of a command and rejects unknown ones. */
export function parseArguments(
	command: Command,
	words: readonly string[],
): Pick<Invocation, "positionals" | "flags"> {
	const flags = [...command.flags, ...COMMON_FLAGS];
	const { values, positionals, tokens } = parseArgs({
		args: [...words],
		strict: false,
		allowPositionals: true,
		tokens: true,
		options: Object.fromEntries(
			flags.map(({ name, short, value, isMany }) => [
				name,
				{
					type: value === undefined ? ("boolean" as const) : ("string" as const),
					multiple: isMany === true,
					...(short !== undefined && { short }),
				},
			]),
		),
	});
	for (const token of tokens) {
		if (token.kind !== "option") continue;
		const flag = flags.find(({ name }) => name === token.name);
		if (flag === undefined) throw unknownFlagProblem(command, token.rawName, flags, positionals.length);
		if (flag.value !== undefined && !hasValue(token))
			throw usageProblem(command, `--${flag.name} needs a value: --${flag.name} <${flag.value}>`);
		if (flag.value === undefined && token.value !== undefined)
			throw usageProblem(command, `--${flag.name} takes no value`);
	}
	return { flags: values as Invocation["flags"], positionals: namePositionals(command, positionals) };
}

/** In `--name --json` the value is missing; a value that begins with a dash is written `--name=-value`. */
const hasValue = (token: {
	readonly value?: string | undefined;
	readonly inlineValue?: boolean | undefined;
}) =>
	token.value !== undefined && token.value !== "" && (token.inlineValue === true || !/^-./.test(token.value));

function namePositionals(command: Command, given: readonly string[]): Invocation["positionals"] {
	const result: Record<string, string | readonly string[]> = {};
	let next = 0;
	for (const { name, isOptional, isRest } of command.positionals) {
		const values = isRest ? given.slice(next) : given.slice(next, next + 1);
		if (values.length === 0 && isOptional !== true) throw usageProblem(command, `<${name}> is missing`);
		if (values.length > 0) result[name] = isRest ? values : (values[0] as string);
		next += values.length;
	}
	if (next < given.length) throw usageProblem(command, `unexpected argument ${JSON.stringify(given[next])}`);
	return result;
}

function unknownFlagProblem(
	command: Command,
	given: string,
	flags: Command["flags"],
	words: number,
): CliProblem {
	const near = findNearest(
		given.replace(/^-+/, ""),
		flags.map(({ name }) => name),
	);
	const hint = near === null ? buildWordHint(command, given, words) : `did you mean: --${near}`;
	return usageProblem(command, `${given} is not a flag of ${command.name}`, hint);
}

/** A webhook token may begin with a dash and look like a flag. */
function buildWordHint({ name, positionals }: Command, given: string, words: number): string | undefined {
	const missing = positionals[words]?.name;
	if (missing === undefined || given.startsWith("--")) return undefined;
	return `if it is <${missing}>, write -- before it: tripline ${name} -- <${missing}>`;
}

const usageProblem = (
	{ name }: Command,
	message: string,
	hint = `tripline ${name} --help shows the usage`,
): CliProblem => new CliProblem(message, { code: 2, hint });
