import type { Json } from "@tripline/contract/json";
import { CliProblem } from "../command.ts";
import { isObject } from "../data-file.ts";
import type { Io } from "../io.ts";
import { type AuthRecipes, describeUnknownRecipe } from "./checks.ts";
import type { Credential, Named } from "./credential.ts";
import { readFields } from "./files.ts";

type Field = AuthRecipes[number]["fields"][number];

/** Reads one credential: its fields are asked for on the terminal, or read as a JSON object from standard input. */
export async function readCredential(named: Named, recipes: AuthRecipes, io: Io): Promise<Credential> {
	const { name, recipe: authRecipe } = named;
	const recipe = recipes.find(({ id }) => id === authRecipe);
	if (recipe === undefined)
		throw new CliProblem(describeUnknownRecipe(authRecipe, recipes), {
			hint: "tripline auth-recipe list shows them",
		});
	const fields = (await askFields(recipe.fields, io)) ?? readFields(parseObject(await io.stdin()), name, io);
	return { name, authRecipe, fields };
}

/** Null if there is no terminal. */
async function askFields(fields: readonly Field[], io: Io): Promise<ReadonlyMap<string, string> | null> {
	const answers = new Map<string, string>();
	for (const { name, secret, help, optional } of fields) {
		const question = `${name} (${help}${optional === true ? "; optional" : ""})`;
		const answer = await (secret ? io.askSecret(question) : io.ask(question));
		if (answer === null) return null;
		if (answer.trim() !== "") answers.set(name, answer.trim());
	}
	return answers;
}

function parseObject(text: string) {
	try {
		const value = JSON.parse(text) as Json;
		if (isObject(value)) return value;
	} catch {
		// Reported below, without the text that was read.
	}
	throw new CliProblem("standard input is not a JSON object of fields", {
		code: 2,
		hint: `write one to it, such as {"token": "..."}, or run this on a terminal`,
	});
}
