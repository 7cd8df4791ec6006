import { resolve } from "node:path";
import { listAuthIds } from "@tripline/contract/auth-ids";
import type { DescribedOperations, ImportedRecipe } from "@tripline/contract/openapi";
import { CliProblem, type Invocation, type Outcome } from "../command.ts";
import { toPrintable } from "../printable.ts";
import { createExecutor } from "../services.ts";
import { readTextFile } from "../text-file.ts";

export async function run({ positionals, flags, io, progress }: Invocation): Promise<Outcome> {
	const source = positionals.source as string;
	const operations = (flags.operation as readonly string[] | undefined) ?? [];
	const isList = flags.list === true || operations.length === 0;
	if (flags.save === true && isList)
		throw new CliProblem("--save needs --operation: which operations the recipe should have", {
			code: 2,
			hint: `tripline recipe from-openapi ${source} --list shows them`,
		});
	progress("reading the description");
	const answer = await createExecutor(io).importDescription({
		...(/^https?:\/\//i.test(source)
			? { url: source }
			: { description: readTextFile(resolve(io.cwd, source), source) }),
		...(!isList && { operations: [...operations] }),
		...(flags.id !== undefined && { id: flags.id as string }),
		...(flags.server !== undefined && { server: flags.server as string }),
		...(flags.deprecated === true && { deprecated: true }),
		...(flags.save === true && { save: true }),
	});
	return "recipe" in answer ? showRecipe(answer) : showOperations(answer, source);
}

function showOperations(answer: DescribedOperations, source: string): Outcome {
	const { title, version, operations, deprecated } = answer;
	const left = deprecated === 0 ? "" : `, ${deprecated} deprecated ones left out (--deprecated shows them)`;
	return {
		json: answer,
		text: {
			columns: ["operation", "tag", "request", "title"],
			rows: operations.map((one) =>
				[one.id, one.tag ?? "", `${one.method} ${one.path}`, one.title].map((text) => toPrintable(text)),
			),
			empty: "the description has no operations",
			after: toPrintable(`${title}, OpenAPI ${version}: ${operations.length} operations${left}.
tripline recipe from-openapi ${source} --operation <operation or tag> shows the recipe.`),
		},
	};
}

function showRecipe(answer: ImportedRecipe): Outcome {
	const { recipe, auth_recipe, not_understood, saved } = answer;
	const auths = listAuthIds(recipe.auth);
	const auth =
		auth_recipe !== null
			? `${auth_recipe.id}, new: ${auth_recipe.type} for ${auth_recipe.hosts.join(", ")}`
			: auths.join(" or ") || "none";
	const lines = [
		`${saved ? "stored the recipe" : "recipe"} ${recipe.id}: ${recipe.title}`,
		`address: ${recipe.base_url}`,
		`auth recipe: ${auth}`,
		"components:",
		...Object.entries(recipe.operations).map(
			([name, { title, method, path }]) => `  ${recipe.id}.${name}  ${method} ${path}  ${title}`,
		),
		...(not_understood.length === 0
			? []
			: ["not understood:", ...not_understood.map(({ path, message }) => `  ${path}: ${message}`)]),
		saved
			? auths.length === 0
				? `to see a component: tripline components show ${recipe.id}`
				: `to store a credential: tripline creds push --name <name> --recipe ${auths[0]}`
			: "nothing is stored yet: add --save, or --json to print the recipe",
	];
	return { json: answer, text: toPrintable(lines.join("\n")) };
}
