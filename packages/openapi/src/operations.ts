import type { JsonObject } from "@tripline/contract/workflows";
import type { Meter } from "@tripline/engine/meter";
import { didYouMean } from "@tripline/engine/nearest";
import type { Description } from "./description.ts";
import { makeUnique, toOperationName } from "./names.ts";
import { DescriptionProblem, Notes } from "./problem.ts";
import { type Resolved, Resolver } from "./resolver.ts";
import { isObject, shorten, toList, toObject, toText } from "./values.ts";

const METHODS = ["get", "put", "post", "delete", "patch", "head"] as const;

const MAX_OPERATIONS = 10_000;
const MAX_CHOSEN = 50;
const OPERATION_UNITS = 400;
/** Finding a similar name. */
const SEARCH_UNITS = 100_000;
const MAX_TITLE_LENGTH = 120;

export interface ListedOperation {
	/** The operationId, or `GET /path` if there is none or another operation has it too. */
	readonly id: string;
	/** Name of the operation in a recipe, if only this one is chosen. */
	readonly name: string;
	readonly method: string;
	readonly path: string;
	readonly title: string;
	readonly tag: string | null;
	readonly deprecated: boolean;
	/** Why it cannot become an operation of a recipe. */
	readonly problems: string[];
}

/** An operation with its place in the description. */
export interface FoundOperation extends ListedOperation {
	readonly item: JsonObject;
	readonly operation: JsonObject;
	readonly place: string;
}

/** All operations, deprecated ones included, in the order of the description. */
export function findOperations({ document }: Description, meter: Meter): FoundOperation[] {
	const resolver = new Resolver(document, meter, new Notes());
	const found: FoundOperation[] = [];
	const ids = new Map<string, number>();
	const names = new Set<string>();
	for (const [path, given] of Object.entries(toObject(document.paths))) {
		meter.spend(OPERATION_UNITS);
		const place = `paths.${path}`;
		const item = resolver.resolve(given, place);
		if (item === null || !path.startsWith("/")) continue;
		for (const method of METHODS) {
			const { [method]: operation } = item.value;
			if (!isObject(operation)) continue;
			if (found.length >= MAX_OPERATIONS)
				throw new DescriptionProblem(`the description has more than ${MAX_OPERATIONS} operations`);
			const one = readOperation(path, method, item, operation, meter);
			ids.set(one.id, (ids.get(one.id) ?? 0) + 1);
			const name = makeUnique(one.name, (taken) => {
				meter.spend(1);
				return names.has(taken);
			});
			names.add(name);
			found.push({ ...one, name, place: `${place}.${method}` });
		}
	}
	return found.map((one) => ((ids.get(one.id) ?? 0) > 1 ? { ...one, id: `${one.method} ${one.path}` } : one));
}

function readOperation(path: string, method: string, item: Resolved, operation: JsonObject, meter: Meter) {
	meter.spend(OPERATION_UNITS);
	const given = toText(operation.operationId).trim().slice(0, 200);
	const verb = method.toUpperCase();
	const fallback = `${method} ${path.replace(/\{[^}]*\}/g, "")}`;
	const title = toText(operation.summary).trim() || describe(given) || `${verb} ${path}`;
	const tag = toList(operation.tags).find((one) => typeof one === "string");
	return {
		id: given || `${verb} ${path}`,
		name: toOperationName(given || fallback),
		method: verb,
		path,
		title: shorten(title, MAX_TITLE_LENGTH),
		tag: typeof tag === "string" ? tag.slice(0, 200) : null,
		deprecated: operation.deprecated === true,
		problems: findProblems(path, operation),
		item: item.value,
		operation,
	};
}

const describe = (id: string): string => {
	const words = toOperationName(id).replaceAll("_", " ");
	return id === "" ? "" : words.charAt(0).toUpperCase() + words.slice(1);
};

function findProblems(path: string, operation: JsonObject): string[] {
	const problems: string[] = [];
	if (path.length > 1_000) problems.push("its path is longer than 1000 characters");
	if (
		toObject(operation.requestBody).$ref !== undefined &&
		!toText(toObject(operation.requestBody).$ref).startsWith("#/")
	)
		problems.push("its body is described outside of this description");
	return problems;
}

/** What a caller sees of the operations, and how many deprecated ones are left out. */
export function listOperations(
	description: Description,
	meter: Meter,
	options: { readonly deprecated?: boolean | undefined } = {},
): { operations: ListedOperation[]; deprecated: number } {
	const all = findOperations(description, meter);
	const operations = all
		.filter(({ deprecated }) => options.deprecated === true || !deprecated)
		.map(({ item: _, operation: __, place: ___, ...listed }): ListedOperation => listed);
	return { operations, deprecated: all.length - operations.length };
}

/**
 * The operations that a caller names: by id or name, as `GET /path`, by path or by tag. A path or a tag leaves out
 * deprecated operations.
 */
export function chooseOperations(
	all: readonly FoundOperation[],
	wanted: readonly string[],
	meter: Meter,
): FoundOperation[] {
	const chosen = new Set<FoundOperation>();
	for (const text of wanted) {
		meter.spend(all.length * 2);
		const exact = all.filter(
			(one) => one.id === text || one.name === text || `${one.method} ${one.path}` === text,
		);
		const several = all.filter((one) => !one.deprecated && (one.path === text || one.tag === text));
		const matching = exact.length > 0 ? exact : several;
		if (matching.length === 0) {
			meter.spend(SEARCH_UNITS);
			const hint = didYouMean(text, [
				...new Set(all.slice(0, 2_000).flatMap(({ id, tag }) => [id, ...(tag === null ? [] : [tag])])),
			]);
			throw new DescriptionProblem(
				`the description has no operation ${JSON.stringify(text.slice(0, 120))}${hint === undefined ? "" : `. ${hint}`}`,
			);
		}
		for (const one of matching) chosen.add(one);
	}
	if (chosen.size > MAX_CHOSEN)
		throw new DescriptionProblem(
			`these are ${chosen.size} operations; a recipe has at most ${MAX_CHOSEN}: choose fewer`,
		);
	return all.filter((one) => chosen.has(one));
}
