import type { AuthRecipe } from "@tripline/contract/recipes";
import { alignColumns } from "../columns.ts";
import { CliProblem, type Invocation, type Outcome } from "../command.ts";
import { describeUnknownRecipe } from "../credentials/checks.ts";
import { toPrintable } from "../printable.ts";
import { createExecutor } from "../services.ts";

export async function run({ positionals, io }: Invocation): Promise<Outcome> {
	const executor = createExecutor(io);
	const id = positionals.id as string;
	const recipe = await executor.authRecipe.get(id);
	if (recipe !== null) return { json: recipe, text: toPrintable(renderRecipe({ ...recipe, id })) };
	const { auth_recipes } = await executor.listAuthRecipes();
	throw new CliProblem(describeUnknownRecipe(id, auth_recipes), {
		hint: "tripline auth-recipe list shows them",
	});
}

function renderRecipe({ id, title, type, fields, hosts, inject }: AuthRecipe): string {
	const rows = fields.map(({ name, secret, optional, help }) => [
		`  ${name}`,
		[secret ? "secret" : "not secret", ...(optional === true ? ["optional"] : [])].join(", "),
		help,
	]);
	return `${id}: ${title} (${type})

fields:
${alignColumns(rows)}

allowed hosts: ${hosts.length === 0 ? "none, it checks signatures" : hosts.join(", ")}
puts into the request: ${JSON.stringify(inject)}

to store a credential: tripline creds push --name <name> --recipe ${id}
`;
}
