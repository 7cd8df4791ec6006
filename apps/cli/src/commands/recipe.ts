import type { Command } from "../command.ts";

export const recipeFromOpenapiCommand: Command = {
	name: "recipe from-openapi",
	about: "make an API recipe from an OpenAPI description",
	positionals: [{ name: "source", about: "a file, or an address that the service reads" }],
	flags: [
		{ name: "list", about: "list the operations; the default without --operation" },
		{ name: "deprecated", about: "list deprecated operations too" },
		{
			name: "operation",
			value: "operation",
			about: "an operation by its id or as 'GET /path', or all of a path or a tag; at most 50 in all",
			isMany: true,
		},
		{
			name: "id",
			value: "id",
			about: "the recipe's id; default: from the title. A recipe of your own with that id is replaced",
		},
		{
			name: "server",
			value: "address",
			about: "one of the description's servers, or where the service is; default: the first server",
		},
		{ name: "save", about: "store the recipe, and a new auth recipe if it needs one" },
	],
	examples: [
		{ line: "tripline recipe from-openapi petstore.yaml --list", about: "the operations that it describes" },
		{
			line: "tripline recipe from-openapi petstore.yaml --operation getPetById --operation pet",
			about: "what a recipe of one operation and those tagged pet would be",
		},
		{
			line: "tripline recipe from-openapi petstore.yaml --operation pet --id petstore --save",
			about: "stored as petstore; its operations are components such as petstore.get_pet_by_id",
		},
	],
	details: `OpenAPI 3.0 and 3.1 and Swagger 2.0, as JSON or YAML, of at most 16 MiB (2 MiB on Cloudflare). References to other
files are not followed. What recipes cannot express is left out and listed.`,
	load: () => import("../recipes/from-openapi.ts"),
};
