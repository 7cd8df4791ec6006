import type { Command } from "../command.ts";

export const componentsSearchCommand: Command = {
	name: "components search",
	about: "find components: built in, from recipes, installed, and in the registry",
	positionals: [
		{ name: "words", about: "what it should do, or part of its name", isOptional: true, isRest: true },
	],
	flags: [{ name: "source", value: "source", about: "only built-in, recipe, installed or registry" }],
	examples: [
		{ line: "tripline components search send message", about: "all that match both words" },
		{ line: "tripline components search --source registry", about: "all that can be installed" },
	],
	load: () => import("../components/search.ts"),
};

export const componentsShowCommand: Command = {
	name: "components show",
	about: "show a component's parameters, output, examples, hosts and credentials",
	positionals: [{ name: "id", about: "such as http_request, github.create_issue or slugify" }],
	flags: [],
	examples: [
		{ line: "tripline components show http_request", about: "a built-in component" },
		{ line: "tripline components show github", about: "the operations of a recipe" },
		{ line: "tripline components show slugify", about: "one in the registry, with its versions" },
	],
	load: () => import("../components/show.ts"),
};

export const componentsInstallCommand: Command = {
	name: "components install",
	about: "install a component from the registry",
	positionals: [{ name: "id", about: "the component, or <id>@<version>" }],
	flags: [{ name: "yes", about: "install without asking" }],
	examples: [
		{
			line: "tripline components install todoist",
			about: "shows the hosts and credentials it needs, then asks",
		},
		{ line: "tripline components install slugify@1.0.0 --yes", about: "this version, without asking" },
	],
	details: `An installed component is pinned by the SHA-256 that the registry gives for the version. It can call only the
hosts that it declares, and use only the credentials that a node gives it.`,
	load: () => import("../components/install.ts"),
};

/** `parts` is another name for `components`, with the same subcommands. */
const toParts = (command: Command): Command => ({
	...command,
	name: command.name.replace("components", "parts"),
	about: `same as ${command.name}`,
	examples: command.examples.map(({ line, about }) => ({
		line: line.replace("tripline components", "tripline parts"),
		about,
	})),
});

export const partsSearchCommand = toParts(componentsSearchCommand);
export const partsShowCommand = toParts(componentsShowCommand);
export const partsInstallCommand = toParts(componentsInstallCommand);
