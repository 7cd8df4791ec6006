import { findAuthRecipeProblems } from "@tripline/components/auth/recipe-problems";
import { builtInCatalogue } from "@tripline/components/catalogue";
import { findApiRecipeProblems } from "@tripline/components/recipes/problems";
import { Failed, type Issue, invalid } from "@tripline/contract/failures";
import { findUnstorable } from "@tripline/contract/json";
import { ImportDescription, type ImportedRecipe } from "@tripline/contract/openapi";
import type { ApiRecipe, AuthRecipe } from "@tripline/contract/recipes";
import { TerminalError } from "@tripline/engine/terminal-error";
import type { DescriptionOutcome } from "@tripline/openapi/job";
import { type DescriptionReader, ReaderBusy } from "@tripline/platform/descriptions";
import { validate } from "@tripline/web/validate";
import { canReplace, findFreeId, withFreeId } from "../domain/known-auth.ts";
import type { Outbound } from "../runs/outbound.ts";
import type { OwnedComponentStorage } from "../storage/owned-components.ts";
import type { Catalogues } from "./catalogues.ts";

/** Larger requests are parsed where the description is read, and not in the thread that serves requests. */
const MAX_PARSED_BYTES = 128 * 1024;
const FETCH_TIMEOUT_MS = 30_000;
const ACCEPT = "application/json, application/yaml;q=0.9, */*;q=0.5";

const decoder = new TextDecoder("utf-8", { fatal: true });
const encoder = new TextEncoder();

export type DescriptionImports = ReturnType<typeof descriptionImports>;

/** Makes recipes from OpenAPI descriptions. */
export function descriptionImports(deps: {
	readonly reader: DescriptionReader;
	readonly outbound: Outbound;
	readonly catalogues: Catalogues;
	readonly storage: OwnedComponentStorage;
}) {
	const { reader, outbound, catalogues, storage } = deps;

	return {
		/** Of a request: a description in JSON may need twice as many bytes as its text. */
		maxBytes: reader.maxBytes + reader.maxBytes / 4,

		tooLarge: () =>
			new Failed({
				kind: "too_large",
				message: `the description is too large: this service reads at most ${reader.maxBytes / 1024 / 1024} MiB`,
			}),

		/** The answer as text for a list of operations, which may be large. */
		async run(namespace: string, body: Uint8Array<ArrayBuffer>): Promise<ImportedRecipe | string> {
			const outcome = await read(namespace, body);
			if (outcome.kind === "problem") throw invalid(outcome.issues);
			if (outcome.kind === "operations") return outcome.text;
			const imported = await prepare(namespace, outcome);
			const unstorable = findUnstorable([imported.recipe, imported.auth_recipe]);
			if (unstorable !== null) throw invalid([{ path: "description", message: unstorable }]);
			if (outcome.request.save) await save(namespace, imported);
			return { ...imported, saved: outcome.request.save };
		},
	};

	async function read(namespace: string, body: Uint8Array<ArrayBuffer>): Promise<DescriptionOutcome> {
		try {
			return await readJob(namespace, body);
		} catch (error) {
			if (!(error instanceof ReaderBusy)) throw error;
			throw new Failed({ kind: "too_many", message: error.message, retryAfterSeconds: 5 });
		}
	}

	async function readJob(namespace: string, body: Uint8Array<ArrayBuffer>): Promise<DescriptionOutcome> {
		const signal = AbortSignal.timeout(FETCH_TIMEOUT_MS * 4);
		if (body.length > MAX_PARSED_BYTES)
			return reader.read({ owner: namespace, content: body, request: null }, signal);
		const { description, ...request } = validate(ImportDescription, parse(body)) as ImportDescription;
		if (request.url === undefined) {
			const content = encoder.encode(description);
			return reader.read({ owner: namespace, content, request }, signal);
		}
		const { content, location } = await fetchDescription(request.url, signal);
		return reader.read({ owner: namespace, content, request, location }, signal);
	}

	/** Through the same guard as every call of a workflow, and without a credential. */
	async function fetchDescription(url: string, signal: AbortSignal) {
		const refuse = (message: string) => invalid([{ path: "url", message }]);
		if (!URL.canParse(url)) throw refuse("is not a valid address");
		const { http } = outbound.forRun(null);
		const call = {
			method: "GET",
			url,
			headers: { accept: ACCEPT },
			timeoutMs: FETCH_TIMEOUT_MS,
			maxBytes: reader.maxBytes,
		};
		const answer = await http(call, signal).catch((error: unknown) => {
			if (error instanceof TerminalError) throw refuse(error.message);
			throw new Failed({
				kind: "bad_gateway",
				message: `the description cannot be read: ${(error as Error).message}`,
			});
		});
		if (answer.status !== 200) throw refuse(`responds with status ${answer.status}`);
		return { content: new Uint8Array(answer.body), location: answer.url };
	}

	/** Attaches a known auth recipe or proposes a new one, and leaves out operations that would not compile. */
	async function prepare(
		namespace: string,
		{ made, request }: Extract<DescriptionOutcome, { kind: "recipe" }>,
	): Promise<Omit<ImportedRecipe, "saved">> {
		const [catalogue, own, seeded] = await Promise.all([
			catalogues.catalogue(namespace),
			catalogues.own(namespace),
			catalogues.readSeeded(),
		]);
		const isTaken = (id: string) =>
			builtInCatalogue.get(id) !== undefined ||
			own.installed.has(id) ||
			own.apiRecipes.has(id) ||
			seeded.apiRecipes.has(id);
		const id = request.id ?? findFreeId(made.recipe.id, isTaken);
		const known = catalogue.listAuthRecipes().map(({ recipe }) => recipe);
		const proposed = made.auth_recipe;
		const usable =
			proposed === null
				? []
				: known.filter((one) => !one.id.includes(".") && canReplace(one, proposed, made.recipe));
		const auth_recipe =
			proposed === null || usable.length > 0
				? null
				: withFreeId(proposed, (taken) => known.some((one) => one.id === taken));
		const auth = usable.length > 0 ? toAuth(usable.slice(0, MAX_AUTHS)) : (auth_recipe?.id ?? null);
		const recipe: ApiRecipe = { ...made.recipe, id, auth };
		const auths = auth_recipe === null ? usable : [auth_recipe as AuthRecipe];
		if (auth_recipe !== null) assertNone(findAuthRecipeProblems(auth_recipe), "auth_recipe");
		const { checked, dropped } = dropUnusable(recipe, auths);
		return { recipe: checked, auth_recipe, not_understood: [...made.not_understood, ...dropped] };
	}

	async function save(
		namespace: string,
		{ recipe, auth_recipe }: Omit<ImportedRecipe, "saved">,
	): Promise<void> {
		const id = recipe.id as string;
		const { installed } = await catalogues.own(namespace);
		if (builtInCatalogue.get(id) !== undefined || installed.has(id))
			throw new Failed({
				kind: "conflict",
				message: `${id} is a built-in or installed component: use another id`,
			});
		if (auth_recipe !== null) {
			const { id: authId, ...stored } = auth_recipe;
			await storage.put(namespace, "auth_recipe", authId as string, stored);
		}
		const { id: _, ...stored } = recipe;
		await storage.put(namespace, "api_recipe", id, stored);
		catalogues.forget(namespace);
	}
}

const MAX_AUTHS = 8;

const toAuth = ([first, ...more]: readonly AuthRecipe[]): string | string[] =>
	more.length === 0 ? (first?.id ?? "") : [first?.id ?? "", ...more.map(({ id }) => id)];

function parse(body: Uint8Array): unknown {
	try {
		return JSON.parse(decoder.decode(body));
	} catch {
		throw new Failed({ kind: "bad_request", message: "the body is not valid JSON" });
	}
}

function assertNone(problems: readonly Issue[], where: string): void {
	if (problems.length > 0)
		throw invalid(problems.map(({ path, message }) => ({ path: `${where}.${path}`, message })));
}

/** A description may allow what recipes do not, in ways that only compiling finds. */
function dropUnusable(recipe: ApiRecipe, auths: readonly AuthRecipe[]) {
	const problems = findApiRecipeProblems(recipe, auths);
	const bad = new Map<string, string>();
	for (const { path, message } of problems) {
		const [part, name] = path.split(".");
		if (part !== "operations" || name === undefined) throw invalid([{ path: `recipe.${path}`, message }]);
		if (!bad.has(name)) bad.set(name, message);
	}
	const operations = Object.fromEntries(Object.entries(recipe.operations).filter(([name]) => !bad.has(name)));
	if (Object.keys(operations).length === 0) throw invalid(problems);
	const dropped = [...bad].map(([name, message]) => ({
		path: `operations.${name}`,
		message: `is left out: ${message}`,
	}));
	return { checked: { ...recipe, operations }, dropped };
}
