import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { TenantExecutor } from "@tripline/executor/client";
import { ServiceRefused, ServiceUnavailable } from "@tripline/web/service-call";
import { CliProblem, type Invocation, type Outcome } from "../command.ts";
import { createExecutor } from "../services.ts";
import { type AuthRecipes, listProblems } from "./checks.ts";
import type { Credential, Named } from "./credential.ts";
import { DEFAULT_FILE, readCredentials } from "./files.ts";
import { readCredential } from "./read-credential.ts";

interface Pushed {
	readonly name: string;
	readonly auth_recipe: string;
	readonly result: "created" | "replaced" | "failed";
	readonly error?: string;
}

export async function run({ positionals, flags, io, progress }: Invocation): Promise<Outcome> {
	const executor = createExecutor(io);
	const one = parseNamed(positionals.file, flags);
	const file = (positionals.file as string | undefined) ?? DEFAULT_FILE;
	if (one === null && positionals.file === undefined && !existsSync(resolve(io.cwd, file)))
		throw new CliProblem(`there is no file ${file}`, {
			hint: "name another file, or pass one credential with --name and --recipe: tripline creds push --help",
		});
	const read = one === null ? readCredentials(file, io) : null;
	const { auth_recipes: recipes } = await executor.listAuthRecipes();
	const credentials = read ?? [await readCredential(one as Named, recipes, io)];
	assertValid(credentials, recipes);
	const pushed: Pushed[] = [];
	for (const credential of credentials) {
		progress(`storing ${credential.name}`);
		pushed.push(await push(credential, executor));
	}
	return toOutcome(pushed);
}

/** The credential named by flags; null if a file is used instead. */
function parseNamed(file: unknown, { name, recipe }: Invocation["flags"]): Named | null {
	if (name === undefined && recipe === undefined) return null;
	const hint = "tripline creds push --name <name> --recipe <id>";
	if (file !== undefined)
		throw new CliProblem("pass either a file, or --name and --recipe", {
			code: 2,
			hint: `${hint}, without a file`,
		});
	if (typeof name === "string" && typeof recipe === "string") return { name, recipe };
	throw new CliProblem(`${name === undefined ? "--name" : "--recipe"} is missing`, { code: 2, hint });
}

/** Checks all credentials before sending the first: a file stored in part is harder to fix than one not stored at all. */
function assertValid(credentials: readonly Credential[], recipes: AuthRecipes): void {
	const problems = credentials.flatMap((credential) => listProblems(credential, recipes));
	if (problems.length === 0) return;
	const ids = [...new Set(credentials.map(({ authRecipe }) => authRecipe))];
	const [known] = ids.filter((id) => recipes.some((recipe) => recipe.id === id));
	throw new CliProblem(`nothing was sent:\n  ${problems.join("\n  ")}`, {
		hint:
			known === undefined
				? "tripline auth-recipe list shows the auth recipes"
				: `tripline auth-recipe show ${known} explains its fields`,
	});
}

async function push({ name, authRecipe, fields }: Credential, executor: TenantExecutor): Promise<Pushed> {
	const about = { name, auth_recipe: authRecipe };
	try {
		const { created } = await executor.credentials.put(name, {
			auth_recipe: authRecipe,
			fields: Object.fromEntries(fields),
		});
		return { ...about, result: created ? "created" : "replaced" };
	} catch (error) {
		if (!(error instanceof ServiceRefused || error instanceof ServiceUnavailable)) throw error;
		return { ...about, result: "failed", error: describeReason(error) };
	}
}

/** Safe to print: the executor's messages never repeat submitted values. */
function describeReason(error: ServiceRefused | ServiceUnavailable): string {
	if (error instanceof ServiceUnavailable || error.issues.length === 0) return error.message;
	return error.issues.map(({ path, message }) => `${path} ${message}`).join("; ");
}

function toOutcome(pushed: readonly Pushed[]): Outcome {
	const failed = pushed.filter(({ result }) => result === "failed").length;
	return {
		code: failed > 0 ? 1 : 0,
		json: { credentials: pushed, failed },
		text: {
			columns: ["credential", "auth recipe", "result"],
			rows: pushed.map(({ name, auth_recipe, result, error }) => [
				name,
				auth_recipe,
				error === undefined ? result : `${result}: ${error}`,
			]),
			empty: "",
			...(failed > 0 && {
				after: `${failed} of ${pushed.length} failed. Running the command again replaces the stored ones.`,
			}),
		},
	};
}
