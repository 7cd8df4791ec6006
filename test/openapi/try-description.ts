import { findAuthRecipeProblems } from "@tripline/components/auth/recipe-problems";
import { createRecipeComponents } from "@tripline/components/recipes/component";
import { findApiRecipeProblems } from "@tripline/components/recipes/problems";
import type { Json } from "@tripline/contract/json";
import { type AuthRecipe, WriteApiRecipe, WriteAuthRecipe } from "@tripline/contract/recipes";
import type { JsonObject } from "@tripline/contract/workflows";
import { compileSchema } from "@tripline/engine/json-schema";
import { Meter } from "@tripline/engine/meter";
import { type Description, MAX_DESCRIPTION_UNITS, readDescription } from "@tripline/openapi/description";
import { type FoundOperation, findOperations } from "@tripline/openapi/operations";
import { DescriptionProblem } from "@tripline/openapi/problem";
import { type MadeRecipe, toRecipe } from "@tripline/openapi/recipe";
import { memoryFiles } from "../../packages/components/test/memory-files.ts";
import { openOutbound } from "../../packages/components/test/outbound/network.ts";
import { runComponent } from "../../packages/components/test/recipes/run-component.ts";
import { CREDENTIAL, createDouble } from "./double.ts";
import { createSchemas } from "./schemas.ts";

export interface Tried {
	readonly version: string;
	readonly operations: number;
	/** Share of the meter that reading took, and the largest one that a recipe took. */
	readonly units: { readonly read: number; readonly recipe: number };
	readonly readMs: number;
	readonly recipes: number;
	readonly imported: number;
	readonly calls: number;
	/** Calls that are not made, because their parameters contradict themselves or need more than an example of each type. */
	readonly skipped: number;
	/** Operations with pages. */
	readonly paged: number;
	/** Types of the auth recipes. */
	readonly auth: readonly string[];
	/** Kinds of notes, with how often they occur. */
	readonly notes: ReadonlyMap<string, number>;
	/** Operations that cannot become part of a recipe, with the reason. */
	readonly left: readonly string[];
	readonly defects: readonly string[];
}

interface TryOptions {
	/** Operations of each recipe. */
	readonly perRecipe?: number;
	/** Of each description. */
	readonly maxOperations?: number;
}

/** An address for descriptions that have none. */
const SERVER = "https://api.example.com";

/** Imports the operations of a description and calls each of them at a double of the service. */
export async function tryDescription(
	text: string,
	{ perRecipe = 10, maxOperations = Number.POSITIVE_INFINITY }: TryOptions = {},
): Promise<Tried> {
	const started = performance.now();
	const meter = new Meter(MAX_DESCRIPTION_UNITS);
	const description = await readDescription(text, meter);
	const readMs = performance.now() - started;
	const all = findOperations(description, meter);
	const found = takeEvenly(all, maxOperations);
	const defects: string[] = [];
	const left: string[] = [];
	const notes = new Map<string, number>();
	const auth = new Set<string>();
	let [imported, recipes, calls, skipped, paged, recipeUnits] = [0, 0, 0, 0, 0, 0];
	for (let at = 0; at < found.length; at += perRecipe) {
		const chosen = found.slice(at, at + perRecipe);
		const own = new Meter(MAX_DESCRIPTION_UNITS);
		const made = make(description, chosen, own, left);
		recipeUnits = Math.max(recipeUnits, MAX_DESCRIPTION_UNITS - own.left);
		if (made === null) continue;
		recipes++;
		auth.add(made.auth_recipe?.type ?? "none");
		for (const { message } of made.not_understood) {
			const kind = message
				.replace(/"[^"]*"/g, '"…"')
				.replace(/\d+/g, "…")
				.replace(/(is the parameter) .*/, "$1 …");
			notes.set(kind, (notes.get(kind) ?? 0) + 1);
		}
		defects.push(...findRecipeDefects(made));
		const result = await callAll(description, made, chosen);
		defects.push(...result.defects);
		calls += result.calls;
		skipped += result.skipped;
		paged += result.paged;
		imported += Object.keys(made.recipe.operations).length;
	}
	return {
		version: description.version,
		operations: all.length,
		units: {
			read: (MAX_DESCRIPTION_UNITS - meter.left) / MAX_DESCRIPTION_UNITS,
			recipe: recipeUnits / MAX_DESCRIPTION_UNITS,
		},
		readMs,
		recipes,
		imported,
		calls,
		skipped,
		paged,
		auth: [...auth],
		notes,
		left,
		defects,
	};
}

function takeEvenly<Item>(items: readonly Item[], most: number): Item[] {
	const step = Math.max(1, items.length / most);
	return Array.from(
		{ length: Math.min(most, items.length) },
		(_, index) => items[Math.floor(index * step)] as Item,
	);
}

function make(description: Description, chosen: readonly FoundOperation[], meter: Meter, left: string[]) {
	const options = { operations: chosen.map(({ method, path }) => `${method} ${path}`) };
	try {
		return toRecipe(description, options, meter);
	} catch (error) {
		if (!(error instanceof DescriptionProblem)) throw error;
		if (!/where the service is/.test(error.message)) {
			left.push(`${options.operations[0]} and others: ${error.message}`);
			return null;
		}
		return toRecipe(description, { ...options, server: SERVER }, meter);
	}
}

function findRecipeDefects({ recipe, auth_recipe }: MadeRecipe): string[] {
	const defects: string[] = [];
	const read = WriteApiRecipe.safeParse(recipe);
	if (!read.success)
		defects.push(...read.error.issues.map(({ path, message }) => `recipe: ${path.join(".")} ${message}`));
	if (auth_recipe !== null) {
		const auth = WriteAuthRecipe.safeParse(auth_recipe);
		if (!auth.success)
			defects.push(
				...auth.error.issues.map(({ path, message }) => `auth recipe: ${path.join(".")} ${message}`),
			);
		else
			for (const { path, message } of findAuthRecipeProblems(auth_recipe as AuthRecipe))
				defects.push(`auth recipe: ${path} ${message}`);
	}
	if (defects.length > 0) return defects;
	const auths = auth_recipe === null ? [] : [auth_recipe as AuthRecipe];
	return findApiRecipeProblems(recipe, auths).map(({ path, message }) => `recipe: ${path} ${message}`);
}

async function callAll({ document }: Description, made: MadeRecipe, chosen: readonly FoundOperation[]) {
	const { recipe, auth_recipe, not_understood } = made;
	const defects: string[] = [];
	const double = createDouble(document);
	const stored = toStored(auth_recipe as AuthRecipe | null);
	await using outbound = await openOutbound(double.answers, stored === null ? {} : { own: stored });
	const memory = memoryFiles();
	const file = memory.add("a.txt", "text/plain", "a file") as unknown as Json;
	const components = createRecipeComponents(recipe, { authHosts: auth_recipe?.hosts ?? [] });
	const built = createSchemas({});
	let [calls, paged, skipped] = [0, 0, 0];
	for (const [name, operation] of Object.entries(recipe.operations)) {
		const found = chosen.find(
			({ method, path }) => method === operation.method && name === findName(chosen, method, path),
		);
		if (found === undefined) {
			defects.push(`${name} was not chosen`);
			continue;
		}
		const isNoted = (part: string) =>
			not_understood.some(
				({ path, message }) => path.startsWith(found.place) && `${path} ${message}`.includes(part),
			) || not_understood.some(({ path }) => path === found.place);
		const output = compileSchema(operation.output.schema);
		const kinds =
			operation.paginate === undefined ? (["few", "all"] as const) : (["few", "all", "paged"] as const);
		if (operation.paginate !== undefined) paged++;
		for (const kind of kinds) {
			const isFull = kind !== "few";
			const params = built.build(operation.params, {
				isFull: kind === "all",
				direction: "request",
				file,
			}) as JsonObject;
			double.expect({ found, recipe, operation, isNoted, isFull, isPaged: kind === "paged" });
			if (built.findMismatch(params, operation.params) !== null) {
				skipped++;
				continue;
			}
			outbound.seen.length = 0;
			const ran = await runComponent(
				components,
				`${recipe.id}.${name}`,
				{ ...params, ...(kind === "paged" && { paginate: "all" }) },
				{
					...(stored !== null && { credential: "own" }),
					http: outbound.http,
					text: outbound.text,
					files: memory.files,
				},
			);
			const complain = (message: string) =>
				defects.push(`${found.method} ${found.path} (${kind}): ${message}`);
			if (/^parameter /.test(ran.error ?? "")) {
				skipped++;
				continue;
			}
			calls++;
			if (ran.error !== undefined) complain(ran.error.slice(0, 300));
			else if (kind === "paged") {
				if (!Array.isArray(ran.output) || outbound.seen.length !== 2)
					complain(`${outbound.seen.length} pages were read`);
			} else if (!("problem" in output) && !double.isContradictory()) {
				const read = output.safeParse(ran.output);
				if (!read.success)
					complain(`the output does not fit: ${JSON.stringify(read.error.issues[0]).slice(0, 200)}`);
			}
		}
	}
	return { defects, calls, paged, skipped };
}

const findName = (chosen: readonly FoundOperation[], method: string, path: string) =>
	chosen.find((one) => one.method === method && one.path === path)?.name;

/** Signing in needs a browser; what it results in is a token. */
function toStored(recipe: AuthRecipe | null) {
	if (recipe === null) return null;
	const fields = Object.fromEntries(
		recipe.fields.map(({ name, secret }) => [name, secret || name === "username" ? CREDENTIAL : "field"]),
	);
	if (recipe.type !== "oauth2_authorization_code") return { recipe, fields };
	const bearer = { ...recipe, type: "bearer", inject: { token: "{token}" } } as AuthRecipe;
	return { recipe: bearer, fields: { ...fields, token: CREDENTIAL } };
}
