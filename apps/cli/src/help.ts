import type { Command } from "./command.ts";
import type { Io } from "./io.ts";
import { COMMON_FLAGS } from "./parse.ts";
import { applyStyle } from "./style.ts";

/** Help for all commands, or for those of one group. */
export function renderHelp(
	{ group, commands }: { readonly group: string | null; readonly commands: readonly Command[] },
	io: Io,
): string {
	const name = group === null ? "" : `${group} `;
	const begin = group === null ? [GETTING_STARTED] : [];
	return [
		`${applyStyle(io, "bold", `tripline ${io.version}`)}: workflows from the command line\n`,
		`usage: tripline ${name}<command> [flags]\n`,
		renderSummaries(commands),
		...begin,
		`tripline ${name}<command> --help shows details and examples.\n--json prints JSON, --version prints the version.\n`,
	].join("\n");
}

const GETTING_STARTED = `To get started: tripline serve runs the service on this machine; in another terminal,
tripline push <file> saves a workflow, and tripline run <name> runs it.
`;

/** Help for one command, with its subcommands. */
export function renderCommandHelp(command: Command, group: readonly Command[], io: Io): string {
	const { name, about, positionals, flags, examples, details } = command;
	const sections = [
		`${applyStyle(io, "bold", `tripline ${name}`)}: ${about}\n`,
		`usage: tripline ${[name, ...positionals.map(renderPositional)].join(" ")} [flags]\n`,
		...(positionals.length === 0
			? []
			: [renderList(positionals.map((each) => [`<${each.name}>`, each.about]))]),
		renderList([...flags, ...COMMON_FLAGS].map((flag) => [renderFlag(flag), flag.about])),
		...(details === undefined ? [] : [`${details.trimEnd()}\n`]),
		`examples:\n${examples.map(({ line, about: what }) => `  ${line}\n      ${what}\n`).join("")}`,
		...(group.length === 0 ? [] : [`subcommands:\n${renderSummaries(group)}`]),
	];
	return sections.join("\n");
}

const renderSummaries = (commands: readonly Command[]): string =>
	renderList(commands.map(({ name, about }) => [name, about]));

function renderPositional({ name, isRest, isOptional }: Command["positionals"][number]): string {
	const word = `<${name}>${isRest ? "..." : ""}`;
	return isOptional ? `[${word}]` : word;
}

function renderFlag({ name, short, value }: Command["flags"][number]): string {
	const names = short === undefined ? `--${name}` : `-${short}, --${name}`;
	return value === undefined ? names : `${names} <${value}>`;
}

function renderList(items: readonly (readonly [string, string])[]): string {
	const width = Math.max(...items.map(([name]) => name.length)) + 2;
	return items.map(([name, about]) => `  ${name.padEnd(width)}${about}\n`).join("");
}
