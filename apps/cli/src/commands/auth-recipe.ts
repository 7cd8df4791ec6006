import type { Command } from "../command.ts";

const id = { name: "id", about: "the auth recipe, such as bearer_token" };

export const authRecipeListCommand: Command = {
	name: "auth-recipe list",
	about: "list auth recipes: the ways in which a credential enters a request",
	positionals: [],
	flags: [],
	examples: [{ line: "tripline auth-recipe list", about: "each with its fields and hosts" }],
	load: () => import("../auth-recipes/list.ts"),
};

export const authRecipeShowCommand: Command = {
	name: "auth-recipe show",
	about: "an auth recipe's fields, hosts, and what it puts into a request",
	positionals: [id],
	flags: [],
	examples: [
		{ line: "tripline auth-recipe show github_token", about: "what a credential of GitHub needs" },
		{
			line: "tripline auth-recipe show bearer_token --json > own.json",
			about: "to change it and push it as one of your own",
		},
	],
	load: () => import("../auth-recipes/show.ts"),
};

export const authRecipePushCommand: Command = {
	name: "auth-recipe push",
	about: "create or replace an auth recipe of your own",
	positionals: [{ name: "file", about: "YAML or JSON" }],
	flags: [
		{
			name: "id",
			value: "id",
			about: "under which it is stored; left out: the file's id, or the file's name",
		},
	],
	examples: [
		{ line: "tripline auth-recipe push acme.yaml", about: "stored as acme" },
		{
			line: "tripline auth-recipe push own.json --id acme",
			about: "stored as acme, whatever the file is called",
		},
	],
	details: `acme.yaml:

  title: Acme
  type: header
  fields:
    - { name: key, secret: true, help: From the settings page }
  hosts: [api.acme.example]
  inject: { headers: { x-acme-key: "{key}" } }

It shadows an auth recipe of the same id that is there for all.`,
	load: () => import("../auth-recipes/push.ts"),
};
