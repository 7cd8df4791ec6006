import type { ApiOperation, WriteApiRecipe, WriteAuthRecipe } from "@tripline/contract/recipes";
import type { JsonObject } from "@tripline/contract/workflows";
import type { Meter } from "@tripline/engine/meter";
import type { Description } from "./description.ts";
import { toSnakeCase } from "./names.ts";
import { chooseOperations, type FoundOperation, findOperations } from "./operations.ts";
import { findPaging } from "./paging.ts";
import { DescriptionProblem, type Note, Notes } from "./problem.ts";
import { type AuthPlaces, RequestBuilder } from "./request.ts";
import { Resolver } from "./resolver.ts";
import { readResponse } from "./response.ts";
import type { Detail } from "./schema.ts";
import { type Auth, readAuth } from "./security.ts";
import { listServers, readServer, type Server } from "./server.ts";
import { shorten, toObject, toText } from "./values.ts";

export interface RecipeOptions {
	/** Of the recipe; default: from the title. */
	readonly id?: string | undefined;
	/** Ids, names, `GET /path`, paths or tags. */
	readonly operations: readonly string[];
	readonly server?: string | undefined;
	/** Where the description was read from. */
	readonly location?: string | undefined;
}

export interface MadeRecipe {
	readonly recipe: WriteApiRecipe & { readonly id: string };
	/** How requests are authorized. Null if they need nothing, or nothing that recipes support. */
	readonly auth_recipe: (WriteAuthRecipe & { readonly id: string }) | null;
	readonly not_understood: readonly Note[];
}

/** Of the recipe as JSON; it may have 256 KiB. */
const MAX_BYTES = 240 * 1024;
/** Of one operation's parameters. */
const MAX_OPERATION_BYTES = 100 * 1024;
/** From all that is described to the names and types only. */
const DETAILS: readonly { readonly request: Detail; readonly response: Detail }[] = [
	{ request: { depth: 6, description: 400 }, response: { depth: 5, description: 200 } },
	{ request: { depth: 4, description: 200 }, response: { depth: 4, description: 100 } },
	{ request: { depth: 3, description: 120 }, response: { depth: 3, description: 80 } },
	{ request: { depth: 2, description: 80 }, response: { depth: 2, description: 0 } },
	{ request: { depth: 1, description: 50 }, response: { depth: 1, description: 0 } },
	{ request: { depth: 1, description: 0 }, response: { depth: 0, description: 0 } },
];

/** Makes a recipe of the chosen operations. Throws `DescriptionProblem`. */
export function toRecipe(description: Description, options: RecipeOptions, meter: Meter): MadeRecipe {
	const { document } = description;
	const notes = new Notes();
	const resolver = new Resolver(document, meter, notes);
	const chosen = chooseOperations(findOperations(description, meter), options.operations, meter);
	const auth = readAuth(document, chosen, resolver);
	const servers = chooseServers(document, chosen);
	const server = readServer(servers, { ...options, hasAuth: auth !== null }, notes);
	const usable = chosen.filter((one) => isAtServer(one, document, servers, notes));
	const info = toObject(document.info);
	const title = shorten(toText(info.title).slice(0, 500), 100) || "API";
	const id = options.id ?? toRecipeId(title);
	const operations = buildAll(usable, resolver, auth?.places ?? new Set());
	if (Object.keys(operations).length === 0)
		throw new DescriptionProblem("none of these operations can become part of a recipe");
	const auth_recipe = auth === null ? null : buildAuth(auth, id, title, server);
	const docs = [toObject(document.externalDocs).url, toObject(info.contact).url]
		.map(toText)
		.find((url) => /^https?:\/\/\S{1,480}$/.test(url));
	return {
		recipe: {
			id,
			title,
			description: shorten(toText(info.description).slice(0, 4_000), 500) || title,
			auth: auth_recipe?.id ?? null,
			base_url: server.baseUrl,
			...(docs !== undefined && { docs_url: docs }),
			operations,
		},
		auth_recipe,
		not_understood: notes.list(),
	};
}

const toRecipeId = (title: string): string =>
	toSnakeCase(title.toLowerCase().replace(/\b(?:the|rest|api|apis|v\d+)\b/g, " "))
		.slice(0, 60)
		.replace(/_+$/, "") || "api";

const buildAuth = (auth: Auth, id: string, title: string, server: Server) => ({
	...auth.build(title, server),
	id: `${id.slice(0, 56)}_${auth.suffix}`,
});

/** Those of the description, or of the operations where only they have some. */
function chooseServers(document: JsonObject, chosen: readonly FoundOperation[]): JsonObject[] {
	const common = listServers(document.servers);
	if (common.length > 0) return common;
	for (const { item, operation } of chosen) {
		const own = listServers(operation.servers ?? item.servers);
		if (own.length > 0) return own;
	}
	return [];
}

/** A recipe has one base address. */
function isAtServer(
	found: FoundOperation,
	document: JsonObject,
	servers: readonly JsonObject[],
	notes: Notes,
): boolean {
	const own = listServers(found.operation.servers ?? found.item.servers ?? document.servers);
	const isSame =
		own.length === 0 ||
		own.some(({ url }) =>
			servers.some((one) => toText(one.url).replace(/\/$/, "") === toText(url).replace(/\/$/, "")),
		);
	if (!isSame)
		notes.add(
			found.place,
			"has another server than the others and is left out: make a recipe of its own for it",
		);
	return isSame;
}

/** Small operations keep all their details; what they leave is shared by the large ones. */
function buildAll(
	chosen: readonly FoundOperation[],
	resolver: Resolver,
	auth: AuthPlaces,
): Record<string, ApiOperation> {
	const built = chosen.map((found) => ({ found, full: buildOperation(found, resolver, auth, 0) }));
	const bySize = built.map((one) => ({ ...one, bytes: measure(one.full) })).sort((a, b) => a.bytes - b.bytes);
	const made = new Map<FoundOperation, ApiOperation>();
	let left = MAX_BYTES;
	for (const [index, { found, full, bytes }] of bySize.entries()) {
		const share = Math.min(MAX_OPERATION_BYTES, left / (bySize.length - index));
		const operation = bytes <= share ? full : shrink(found, resolver, auth, share);
		if (operation === null) {
			resolver.notes.add(
				found.place,
				"is too large for this recipe and is left out: choose fewer operations",
			);
			continue;
		}
		if (operation !== full)
			resolver.notes.add(found.place, "is described with fewer details, so that the recipe is not too large");
		left -= measure(operation);
		made.set(found, operation);
	}
	const operations: Record<string, ApiOperation> = {};
	for (const found of chosen) {
		const operation = made.get(found);
		if (operation !== undefined) operations[found.name] = operation;
	}
	return operations;
}

function shrink(
	found: FoundOperation,
	resolver: Resolver,
	auth: AuthPlaces,
	most: number,
): ApiOperation | null {
	for (let level = 1; level < DETAILS.length; level++) {
		const operation = buildOperation(found, resolver, auth, level);
		if (measure(operation) <= most) return operation;
	}
	return null;
}

const encoder = new TextEncoder();
const measure = (operation: ApiOperation): number => encoder.encode(JSON.stringify(operation)).length + 80;

function buildOperation(
	found: FoundOperation,
	resolver: Resolver,
	auth: AuthPlaces,
	level: number,
): ApiOperation {
	const detail = DETAILS[level] as (typeof DETAILS)[number];
	const request = new RequestBuilder(resolver, found, detail.request, auth).build();
	const response = readResponse(resolver, found, detail.response);
	const { operation, method, title } = found;
	const headers = { ...request.headers, ...(response.accept !== undefined && { accept: response.accept }) };
	const description = shorten(
		toText(operation.description).slice(0, 8_000),
		[1_500, 600, 300, 150, 0, 0][level] || 1,
	);
	const paginate = findPaging(method, request, response);
	const kind = method === "HEAD" ? "json" : response.kind;
	return {
		title,
		...(description.length > 1 && { description }),
		method: method as ApiOperation["method"],
		path: request.path,
		params: request.params,
		...(Object.keys(request.query).length > 0 && { query: request.query }),
		...(Object.keys(headers).length > 0 && { headers }),
		...(request.body !== undefined && { body: request.body }),
		...(kind !== "json" && { response: kind }),
		output: { schema: method === "HEAD" ? {} : response.schema },
		...(paginate !== undefined && { paginate }),
	};
}
