import type { Command } from "../command.ts";

const LAYERS = `A value comes from the first of these that has one:

  environment  the setting's variable, or the same in the project's .env
  project      tripline.json of the project
  global       ~/.config/tripline/config.json
  default

The project is the nearest folder, from the working folder upwards, that has a tripline.json;
without one, the nearest with an .env; else the working folder. The search ends below the home
folder. Above the working folder, files that belong to neither you nor root are ignored.

Settings and their variables: base_url SERVICE_BASE_URL, mcp_url SERVICE_MCP_URL,
registry_url SERVICE_REGISTRY_URL, namespace NAMESPACE, account_id CLOUDFLARE_ACCOUNT_ID.
Secrets are not stored in config files: they come from the environment or from .env.

Further services have names, for --service and tripline promote. In tripline.json:

  { "services": { "production": { "base_url": "https://tripline.example.com", "namespace": "team" } } }

Their variables end in the name: SERVICE_BASE_URL_PRODUCTION, NAMESPACE_PRODUCTION, and for the token
SERVICE_ACCESS_TOKEN_PRODUCTION. The token of the configured service is not sent to them.`;

const where = { name: "where", about: "also show the file or variable that each value comes from" };

export const configCommand: Command = {
	name: "config",
	about: "list all settings, and the layer that each comes from",
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
	about: "print one setting",
	positionals: [{ name: "name", about: "the setting, such as mcp_url" }],
	flags: [where],
	examples: [
		{ line: "tripline config get mcp_url", about: "its value, for a script" },
		{ line: "tripline config get mcp_url --where", about: "and where it comes from" },
	],
	details: LAYERS,
	load: () => import("../config/get.ts"),
};

export const configSetCommand: Command = {
	name: "config set",
	about: "write a setting to the project's config file, or to the global one",
	positionals: [
		{ name: "name", about: "the setting, such as mcp_url" },
		{ name: "value", about: "its new value" },
	],
	flags: [{ name: "global", about: "write to ~/.config/tripline/config.json, for all projects" }],
	examples: [
		{
			line: "tripline config set mcp_url https://tripline.example.com",
			about: "in the project's tripline.json",
		},
		{ line: "tripline config set namespace team --global", about: "for all projects" },
	],
	details: LAYERS,
	load: () => import("../config/set.ts"),
};

export const configUnsetCommand: Command = {
	name: "config unset",
	about: "remove a setting from the project's config file, or from the global one",
	positionals: [{ name: "name", about: "the setting, such as mcp_url" }],
	flags: [{ name: "global", about: "remove it from ~/.config/tripline/config.json" }],
	examples: [
		{ line: "tripline config unset mcp_url", about: "from tripline.json; the next layer then applies" },
		{ line: "tripline config unset namespace --global", about: "from the global config file" },
	],
	details: LAYERS,
	load: () => import("../config/unset.ts"),
};
