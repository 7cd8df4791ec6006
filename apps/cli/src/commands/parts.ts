import type { Command } from "../command.ts";

export const partsSearchCommand: Command = {
	name: "parts search",
	about: "find components: built in, of recipes, installed, and in the registry",
	positionals: [
		{ name: "words", about: "what it should do, or a part of its name", isOptional: true, isRest: true },
	],
	flags: [{ name: "source", value: "source", about: "only built-in, recipe, installed or registry" }],
	examples: [
		{ line: "tripline parts search send message", about: "all that have both words" },
		{ line: "tripline parts search --source registry", about: "all that can be installed" },
	],
	load: () => import("../parts/search.ts"),
};

export const partsShowCommand: Command = {
	name: "parts show",
	about: "a component's parameters, output, examples, hosts and credentials",
	positionals: [{ name: "id", about: "such as http_request, github.create_issue or slugify" }],
	flags: [],
	examples: [
		{ line: "tripline parts show http_request", about: "a built-in component" },
		{ line: "tripline parts show github", about: "the operations of a recipe" },
		{ line: "tripline parts show slugify", about: "one in the registry, with its versions" },
	],
	load: () => import("../parts/show.ts"),
};

export const partsInstallCommand: Command = {
	name: "parts install",
	about: "install a component from the registry",
	positionals: [{ name: "id", about: "the component, or <id>@<version>" }],
	flags: [{ name: "yes", about: "do not ask whether its hosts and credentials are wanted" }],
	examples: [
		{ line: "tripline parts install todoist", about: "shows what it may reach, then asks" },
		{ line: "tripline parts install slugify@1.0.0 --yes", about: "this version, without asking" },
	],
	details: `What is installed is pinned by the SHA-256 that the registry gives for the version. It reaches the hosts that it
declares and nothing else, and takes the credentials that a node gives it.`,
	load: () => import("../parts/install.ts"),
};
