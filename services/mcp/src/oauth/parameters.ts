import { readBody } from "@tripline/web/body";
import type { Incoming } from "@tripline/web/exchange";
import { objectIn } from "./json-object.ts";
import { malformed } from "./problems.ts";

/** By name, all the values that were given. Of a JSON body they can be anything. */
export type Parameters = ReadonlyMap<string, readonly unknown[]>;

const MOST_BODY_BYTES = 64 * 1024;

const FORM = "application/x-www-form-urlencoded";
const JSON_TYPE = "application/json";

/** One without a value counts as left out, and one that is given twice is refused (RFC 6749, 3.1 and 3.2). */
export function one(parameters: Parameters, name: string): string | undefined {
	const values = parameters.get(name) ?? [];
	if (values.length > 1) throw malformed(`${name} is given more than once`);
	const [value] = values;
	if (value === undefined || value === null || value === "") return undefined;
	if (typeof value !== "string") throw malformed(`${name} must be text`);
	return value;
}

export function needed(parameters: Parameters, name: string): string {
	const value = one(parameters, name);
	if (value === undefined) throw malformed(`${name} is missing`);
	return value;
}

export function queryParameters(url: string): Parameters {
	const start = url.indexOf("?");
	return start === -1 ? new Map() : grouped(new URLSearchParams(url.slice(start).split("#", 1)[0]));
}

/** Of a form. */
export async function formParameters(request: Incoming): Promise<Parameters> {
	if (contentType(request) !== FORM) throw malformed(`the content type must be ${FORM}`);
	// What is no UTF-8 becomes U+FFFD, which no value that counts can hold.
	const text = new TextDecoder().decode(await readBody(request, MOST_BODY_BYTES));
	return grouped(new URLSearchParams(text));
}

/** Of a form or of a JSON object: clients send both. */
export async function bodyParameters(request: Incoming): Promise<Parameters> {
	const type = contentType(request);
	if (type === FORM) return formParameters(request);
	if (type !== JSON_TYPE) throw malformed(`the content type must be ${FORM} or ${JSON_TYPE}`);
	const fields = await bodyObject(request);
	if (fields === null) throw malformed("the body must be a JSON object");
	return new Map(Object.entries(fields).map(([name, value]) => [name, [value]]));
}

/** The JSON object in the body; null: it is none. */
export const bodyObject = async (request: Incoming): Promise<Readonly<Record<string, unknown>> | null> =>
	objectIn(await readBody(request, MOST_BODY_BYTES));

const contentType = (request: Incoming): string | undefined =>
	request.headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase();

function grouped(search: URLSearchParams): Parameters {
	const parameters = new Map<string, string[]>();
	for (const [name, value] of search) {
		const values = parameters.get(name);
		if (values === undefined) parameters.set(name, [value]);
		else values.push(value);
	}
	return parameters;
}
