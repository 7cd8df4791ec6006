import type { AuthRecipe } from "@tripline/contract/recipes";
import { columns } from "../columns.ts";
import { CliProblem, type Invocation, type Outcome } from "../command.ts";
import { unknownRecipe } from "../credentials/checks.ts";
import { printable } from "../printable.ts";
import { executorOf } from "../services.ts";

export async function run({ positionals, io }: Invocation): Promise<Outcome> {
	const executor = executorOf(io);
	const id = positionals.id as string;
	const recipe = await executor.authRecipe.get(id);
	if (recipe !== null) return { json: recipe, text: printable(textOf({ ...recipe, id })) };
	const { auth_recipes } = await executor.authRecipes();
	throw new CliProblem(unknownRecipe(id, auth_recipes), { hint: "tripline auth-recipe list shows them" });
}

function textOf({ id, title, type, fields, hosts, inject }: AuthRecipe): string {
	const rows = fields.map(({ name, secret, optional, help }) => [
		`  ${name}`,
		[secret ? "secret" : "not secret", ...(optional === true ? ["optional"] : [])].join(", "),
		help,
	]);
	return `${id}: ${title} (${type})

fields:
${columns(rows)}

allowed hosts: ${hosts.length === 0 ? "none, it checks signatures" : hosts.join(", ")}
puts into the request: ${JSON.stringify(inject)}

to store a credential: tripline creds push --name <name> --recipe ${id}
`;
}
