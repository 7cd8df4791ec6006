import type { Issue } from "@tripline/contract/failures";
import type { Json } from "@tripline/contract/json";
import type { ApiOperation, AuthRecipe } from "@tripline/contract/recipes";
import type { JsonObject } from "@tripline/contract/workflows";
import type { Component } from "@tripline/engine/component";
import { hasTemplate } from "@tripline/engine/expressions/compile-text";
import { parseValuePath, readValueAt, VALUE_PATH_PROBLEM } from "@tripline/engine/expressions/value-path";
import { TerminalError } from "@tripline/engine/terminal-error";
import { readTypeStep } from "@tripline/engine/types/access";
import { ANY, ANY_LIST, type Type } from "@tripline/engine/types/type";
import type { Effects } from "../effects.ts";
import { type Page, readPages } from "../http-request/pages.ts";
import { MAX_ITEMS, MAX_PAGES } from "../http-request/paginate.ts";
import type { OutboundCall } from "../outbound/call.ts";
import { isObject } from "../schemas.ts";

type RecipePaginate = NonNullable<ApiOperation["paginate"]>;

/** The parameter of a node whose operation has pages. */
const NAME = "paginate";
const PARAMETER: JsonObject = {
	description: `Reads further pages: \`all\` of them, or up to this number of items. The output is then the list of items. \`all\` fails beyond ${MAX_PAGES} pages or 1 MiB`,
	anyOf: [{ const: "all" }, { type: "integer", minimum: 1, maximum: MAX_ITEMS }],
};

/** The schema of a node's parameters. */
export function addPaginateParameter({ params, paginate }: ApiOperation): JsonObject {
	if (paginate === undefined) return params;
	const properties = isObject(params.properties) ? params.properties : {};
	return { ...params, properties: { ...properties, [NAME]: PARAMETER } };
}

/** The type of a node's output. It is known which items there are if the output is the response itself. */
export function createOutputInference({
	paginate,
	output,
}: ApiOperation): Pick<Component<Effects>, "inferOutput"> {
	if (paginate === undefined) return {};
	const steps = paginate.items === undefined ? [] : (parseValuePath(paginate.items) ?? []);
	return {
		inferOutput(node) {
			if (!node.has(NAME)) return node.output;
			let type: Type | undefined = output.value === undefined ? node.output : ANY;
			for (const key of steps) type = type && readTypeStep(type, key, node.meter);
			return type?.kind === "list" ? type : ANY_LIST;
		},
	};
}

/** What a node asks for: undefined for one page. */
export const readPaginateParameter = (params: JsonObject): "all" | number | undefined =>
	params[NAME] as "all" | number | undefined;

/** The items of all pages, or the first ones. */
export async function readItems(
	paginate: RecipePaginate,
	wanted: "all" | number,
	call: OutboundCall,
	read: (call: OutboundCall) => Promise<Page>,
): Promise<Json> {
	const limit = wanted === "all" ? MAX_ITEMS : wanted;
	const given = startAtGiven(paginate, call);
	const { data, more } = await readPages({ ...given, max_pages: MAX_PAGES, limit }, call, read, HINT);
	if (!more || data.length === wanted) return data;
	throw new TerminalError(
		data.length === MAX_ITEMS
			? `there are more than ${MAX_ITEMS} items; ${HINT}`
			: `there are more than ${MAX_PAGES} pages; ${HINT}`,
	);
}

const HINT = "read fewer with a number in paginate, or ask for less";

/** If the node sets the page or the offset, it is the first one. */
function startAtGiven(paginate: RecipePaginate, { query = {}, body }: OutboundCall): RecipePaginate {
	if (paginate.by !== "page") return paginate;
	const sent = body?.kind === "json" ? body.value : null;
	const start = paginate.param === undefined ? readValueAt(sent, paginate.body ?? "") : query[paginate.param];
	return typeof start === "number" ? { ...paginate, start } : paginate;
}

const PATHS = ["items", "url", "cursor", "last", "more", "body", "size_body"] as const;

/** Problems of how an operation reads pages, besides those that its schema finds. */
export function findPaginateProblems(
	operation: ApiOperation,
	at: string,
	auths: readonly AuthRecipe[],
): Issue[] {
	const { paginate, params, method, response, body } = operation;
	if (paginate === undefined) return [];
	const problems: Issue[] = [];
	const problem = (name: string, message: string) => problems.push({ path: `${at}.${name}`, message });
	const written: Partial<Record<(typeof PATHS)[number], string | undefined>> = paginate;
	for (const name of PATHS) {
		const path = written[name];
		if (path !== undefined && parseValuePath(path) === null) problem(`paginate.${name}`, VALUE_PATH_PROBLEM);
	}
	if (isObject(params.properties) && Object.hasOwn(params.properties, NAME))
		problem(`params.properties.${NAME}`, "is set by nodes to read pages: use another name");
	if (response !== undefined && response !== "json") problem("response", "must be json to read pages");
	if (method === "HEAD") problem("method", "must not be HEAD to read pages: its response has no body");
	if (paginate.by === "link" && method !== "GET") problem("method", "must be GET to follow links");
	if (body?.kind === "file" || body?.kind === "multipart")
		problem("body", "must not contain files: it is sent for every page");
	const inBody = (["body", "size_body"] as const).find((name) => written[name] !== undefined);
	if (inBody !== undefined && (body?.kind !== "json" || !isObject(body.value)))
		problem("body", `must be a JSON object, because paginate.${inBody} is a path in it`);
	problems.push(...findNameProblems(operation, paginate, `${at}.paginate`, auths));
	return problems;
}

/** A query parameter must have one source: a node's parameter may set the first page, anything else would be lost. */
function findNameProblems(
	{ query = {} }: ApiOperation,
	paginate: RecipePaginate,
	at: string,
	auths: readonly AuthRecipe[],
): Issue[] {
	if (paginate.by === "link") return [];
	const size = paginate.by === "page" ? paginate.size_param : undefined;
	const names = { param: paginate.param, size_param: size };
	const problems = Object.entries(names).flatMap(([key, name]) => {
		if (name === undefined) return [];
		const path = `${at}.${key}`;
		const auth = auths.find((each) => each.type === "query" && Object.hasOwn(each.inject.query, name));
		if (auth !== undefined)
			return [{ path, message: `is the query parameter that the auth recipe ${auth.id} sets` }];
		const fixed = Object.hasOwn(query, name) && !isTemplate(query[name]);
		return fixed
			? [{ path, message: "is a query parameter to which the operation gives a fixed value" }]
			: [];
	});
	if (size !== undefined && size === paginate.param)
		problems.push({ path: `${at}.size_param`, message: "must not be the same as param" });
	return problems;
}

const isTemplate = (value: Json | undefined): boolean => typeof value === "string" && hasTemplate(value);
