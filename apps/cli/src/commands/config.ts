import type { Command } from "../command.ts";

const LAYERS = `A value comes from the first of these that has one:

  environment  the setting's variable, or the same in .env of the project
  project      tripline.json of the project
  global       ~/.config/tripline/config.json
  default

The project is the nearest folder, from the working folder upwards, that has a tripline.json;
without any, the nearest with an .env; else the working folder. The search ends below the home
folder. Above the working folder, files that belong to neither you nor root are passed over.

Settings and their variables: base_url SERVICE_BASE_URL, mcp_url SERVICE_MCP_URL,
registry_url SERVICE_REGISTRY_URL, namespace NAMESPACE, account_id CLOUDFLARE_ACCOUNT_ID.
Secrets stand in no config file: they come from the environment or from .env.`;

const where = { name: "where", about: "also which file or variable says so" };

export const configCommand: Command = {
	name: "config",
	about: "all settings, and the layer that each comes from",
	positionals: [{ name: "name", about: "only this setting", isOptional: true }],
	flags: [where],
	examples: [
		{ line: "tripline config", about: "all settings" },
		{ line: "tripline config --where", about: "with the file or variable of each" },
	],
	details: LAYERS,
	load: () => import("../config/list.ts"),
};

export const configGetCommand: Command = {
	name: "config get",
	about: "one setting",
	positionals: [{ name: "name", about: "the setting, such as mcp_url" }],
	flags: [where],
	examples: [
		{ line: "tripline config get mcp_url", about: "its value, for a script" },
		{ line: "tripline config get mcp_url --where", about: "and what says so" },
	],
	details: LAYERS,
	load: () => import("../config/get.ts"),
};

export const configSetCommand: Command = {
	name: "config set",
	about: "write a setting into the project's config file, or into yours",
	positionals: [
		{ name: "name", about: "the setting, such as mcp_url" },
		{ name: "value", about: "its new value" },
	],
	flags: [{ name: "global", about: "into ~/.config/tripline/config.json, for all projects" }],
	examples: [
		{
			line: "tripline config set mcp_url https://tripline.example.com",
			about: "into the project's tripline.json",
		},
		{ line: "tripline config set namespace team --global", about: "for all projects" },
	],
	details: LAYERS,
	load: () => import("../config/set.ts"),
};

export const configUnsetCommand: Command = {
	name: "config unset",
	about: "take a setting out of the project's config file, or out of yours",
	positionals: [{ name: "name", about: "the setting, such as mcp_url" }],
	flags: [{ name: "global", about: "out of ~/.config/tripline/config.json" }],
	examples: [
		{ line: "tripline config unset mcp_url", about: "out of tripline.json; the next layer counts then" },
		{ line: "tripline config unset namespace --global", about: "out of yours" },
	],
	details: LAYERS,
	load: () => import("../config/unset.ts"),
};
