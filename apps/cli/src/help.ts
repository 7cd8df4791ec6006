import type { Command } from "./command.ts";
import type { Io } from "./io.ts";
import { COMMON_FLAGS } from "./parse.ts";
import { styled } from "./style.ts";

/** Help for all commands, or for those of one group. */
export function help(
	{ group, commands }: { readonly group: string | null; readonly commands: readonly Command[] },
	io: Io,
): string {
	const name = group === null ? "" : `${group} `;
	const begin = group === null ? [BEGIN] : [];
	return [
		`${styled(io, "bold", `tripline ${io.version}`)}: workflows from the command line\n`,
		`usage: tripline ${name}<command> [flags]\n`,
		summaries(commands),
		...begin,
		`tripline ${name}<command> --help shows details and examples.\n--json prints JSON, --version prints the version.\n`,
	].join("\n");
}

const BEGIN = `To get started: tripline serve runs the service on this machine; in another terminal,
tripline push <file> saves a workflow, and tripline run <name> runs it.
`;

/** Help for one command, with its subcommands. */
export function commandHelp(command: Command, group: readonly Command[], io: Io): string {
	const { name, about, positionals, flags, examples, details } = command;
	const sections = [
		`${styled(io, "bold", `tripline ${name}`)}: ${about}\n`,
		`usage: tripline ${[name, ...positionals.map(positionalText)].join(" ")} [flags]\n`,
		...(positionals.length === 0 ? [] : [listed(positionals.map((each) => [`<${each.name}>`, each.about]))]),
		listed([...flags, ...COMMON_FLAGS].map((flag) => [flagText(flag), flag.about])),
		...(details === undefined ? [] : [`${details.trimEnd()}\n`]),
		`examples:\n${examples.map(({ line, about: what }) => `  ${line}\n      ${what}\n`).join("")}`,
		...(group.length === 0 ? [] : [`subcommands:\n${summaries(group)}`]),
	];
	return sections.join("\n");
}

const summaries = (commands: readonly Command[]): string =>
	listed(commands.map(({ name, about }) => [name, about]));

function positionalText({ name, isRest, isOptional }: Command["positionals"][number]): string {
	const word = `<${name}>${isRest ? "..." : ""}`;
	return isOptional ? `[${word}]` : word;
}

const flagText = ({ name, value }: Command["flags"][number]): string =>
	value === undefined ? `--${name}` : `--${name} <${value}>`;

function listed(items: readonly (readonly [string, string])[]): string {
	const width = Math.max(...items.map(([name]) => name.length)) + 2;
	return items.map(([name, about]) => `  ${name.padEnd(width)}${about}\n`).join("");
}
