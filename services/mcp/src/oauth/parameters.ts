import { readBody } from "@tripline/web/body";
import type { Incoming } from "@tripline/web/http-message";
import { parseObject } from "./json-object.ts";
import { malformed } from "./problems.ts";

/** All values of each parameter, by name. In a JSON body they can be of any type. */
export type Parameters = ReadonlyMap<string, readonly unknown[]>;

const MAX_BODY_BYTES = 64 * 1024;

const FORM = "application/x-www-form-urlencoded";
const JSON_TYPE = "application/json";

/** An empty parameter counts as omitted, and one that is repeated is an error (RFC 6749, 3.1 and 3.2). */
export function readParameter(parameters: Parameters, name: string): string | undefined {
	const values = parameters.get(name) ?? [];
	if (values.length > 1) throw malformed(`${name} must not be repeated`);
	const [value] = values;
	if (value === undefined || value === null || value === "") return undefined;
	if (typeof value !== "string") throw malformed(`${name} must be text`);
	return value;
}

export function requireParameter(parameters: Parameters, name: string): string {
	const value = readParameter(parameters, name);
	if (value === undefined) throw malformed(`${name} is missing`);
	return value;
}

export function parseQuery(url: string): Parameters {
	const start = url.indexOf("?");
	return start === -1 ? new Map() : groupByName(new URLSearchParams(url.slice(start).split("#", 1)[0]));
}

export async function readForm(request: Incoming): Promise<Parameters> {
	if (readContentType(request) !== FORM) throw malformed(`the content type must be ${FORM}`);
	// Invalid UTF-8 becomes U+FFFD, which no valid value contains.
	const text = new TextDecoder().decode(await readBody(request, MAX_BODY_BYTES));
	return groupByName(new URLSearchParams(text));
}

/** Reads a form or a JSON object: clients send either. */
export async function readBodyParameters(request: Incoming): Promise<Parameters> {
	const type = readContentType(request);
	if (type === FORM) return readForm(request);
	if (type !== JSON_TYPE) throw malformed(`the content type must be ${FORM} or ${JSON_TYPE}`);
	const fields = await readBodyObject(request);
	if (fields === null) throw malformed("the body must be a JSON object");
	return new Map(Object.entries(fields).map(([name, value]) => [name, [value]]));
}

/** Null: the body is not a JSON object. */
export const readBodyObject = async (request: Incoming): Promise<Readonly<Record<string, unknown>> | null> =>
	parseObject(await readBody(request, MAX_BODY_BYTES));

const readContentType = (request: Incoming): string | undefined =>
	request.headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase();

function groupByName(search: URLSearchParams): Parameters {
	const parameters = new Map<string, string[]>();
	for (const [name, value] of search) {
		const values = parameters.get(name);
		if (values === undefined) parameters.set(name, [value]);
		else values.push(value);
	}
	return parameters;
}
