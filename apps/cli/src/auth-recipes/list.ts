import type { Invocation, Outcome } from "../command.ts";
import { createExecutor } from "../services.ts";

export async function run({ io }: Invocation): Promise<Outcome> {
	const { auth_recipes } = await createExecutor(io).listAuthRecipes();
	return {
		json: { auth_recipes },
		text: {
			columns: ["auth recipe", "source", "allowed hosts", "fields"],
			rows: auth_recipes.map(({ id, source, fields, hosts }) => [
				id,
				source,
				describeHosts(hosts),
				fields.map(({ name, optional }) => (optional === true ? `[${name}]` : name)).join(" "),
			]),
			empty: "there are no auth recipes",
			after: "tripline auth-recipe show <id> shows details.",
		},
	};
}

const describeHosts = ([first = "", ...more]: readonly string[]): string =>
	more.length === 0 ? first : `${first} and ${more.length} more`;
