import type { Command } from "../command.ts";

const id = { name: "id", about: "the auth recipe, such as bearer_token" };

export const authRecipeListCommand: Command = {
	name: "auth-recipe list",
	about: "list auth recipes: how credentials are added to requests",
	positionals: [],
	flags: [],
	examples: [{ line: "tripline auth-recipe list", about: "each with its fields and hosts" }],
	load: () => import("../auth-recipes/list.ts"),
};

export const authRecipeShowCommand: Command = {
	name: "auth-recipe show",
	about: "show an auth recipe's fields, hosts, and what it adds to a request",
	positionals: [id],
	flags: [],
	examples: [
		{ line: "tripline auth-recipe show github_token", about: "the fields of a GitHub credential" },
		{
			line: "tripline auth-recipe show bearer_token --json > own.json",
			about: "to edit it and push it as your own",
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
			about: "the id to store it under; default: the id in the file, or the file's name",
		},
	],
	examples: [
		{ line: "tripline auth-recipe push acme.yaml", about: "stored as acme" },
		{
			line: "tripline auth-recipe push own.json --id acme",
			about: "stored as acme, regardless of the file's name",
		},
	],
	details: `acme.yaml:

  title: Acme
  type: header
  fields:
    - { name: key, secret: true, help: From the settings page }
  hosts: [api.acme.example]
  inject: { headers: { x-acme-key: "{key}" } }

It overrides a seeded auth recipe with the same id.`,
	load: () => import("../auth-recipes/push.ts"),
};
