import type { Issue } from "@tripline/contract/failures";
import type { Json } from "@tripline/contract/json";
import type { ApiOperation, ApiRecipe, AuthRecipe } from "@tripline/contract/recipes";
import type { JsonObject } from "@tripline/contract/workflows";
import { formatText } from "@tripline/engine/expressions/text-size";
import type { CredentialText } from "@tripline/engine/frame";
import { MAX_DOCUMENT_UNITS, Meter } from "@tripline/engine/meter";
import type { OutboundCall } from "../outbound/call.ts";
import type { UnopenedBody } from "../outbound/open-files.ts";
import { readBaseUrl } from "./base-url.ts";
import { compileBody } from "./body.ts";
import { findHeaderNameProblem, toHeaderText } from "./headers.ts";
import { buildPath, listNames, readPath } from "./path.ts";
import { ANSWER, createRequestScope } from "./scopes.ts";
import { type Build, compileTemplate, createFrame } from "./template.ts";

interface Request extends Pick<OutboundCall, "method" | "url" | "query" | "headers"> {
	readonly body?: UnopenedBody;
	/** Name of the file that the response becomes. */
	readonly filename?: string;
}

/** A compiled operation that can be used many times. */
export interface Operation {
	request(params: JsonObject, meter: Meter, credential: CredentialText): Request;
	/** The content of the file that the response describes, as base64. */
	content(answer: Answer, meter: Meter): Json | undefined;
	/** The error message that the response contains, if any. */
	findError(answer: Answer, meter: Meter): string | undefined;
	output(answer: Answer, meter: Meter): Json;
}

interface Answer extends JsonObject {
	readonly data: Json;
	readonly status: number;
	readonly headers: JsonObject;
}

/** Adds its findings to `problems`; if there are any, the result must not be used. */
export function compileOperation(
	recipe: ApiRecipe,
	name: string,
	auths: readonly AuthRecipe[],
	problems: Issue[],
	meter = new Meter(MAX_DOCUMENT_UNITS),
): Operation {
	const operation = recipe.operations[name] as ApiOperation;
	const at = `operations.${name}`;
	const scope = createRequestScope(recipe, operation, auths);
	const compile = (value: Json, place: string) => compileTemplate(value, scope, place, problems, meter);

	const base = readBaseUrl(recipe.base_url);
	if ("problem" in base) problems.push({ path: "base_url", message: base.problem });
	const baseUrl = "problem" in base ? undefined : compile(base.text, "base_url");
	const path = readPath(operation.path);
	if ("problem" in path) problems.push({ path: `${at}.path`, message: path.problem });
	const query = compile(operation.query ?? {}, `${at}.query`);
	const headers = compileHeaders(operation, `${at}.headers`, compile, problems);
	const body = compileBody(operation, `${at}.body`, compile, problems);
	const filename =
		operation.filename === undefined ? undefined : compile(operation.filename, `${at}.filename`);
	const compileAnswer = (value: Json | undefined, place: string) =>
		value === undefined ? undefined : compileTemplate(value, ANSWER, `${at}.${place}`, problems, meter);
	const content = compileAnswer(operation.content, "content");
	const output = compileAnswer(operation.output.value, "output.value");
	const error = compileAnswer(operation.error, "error");

	return {
		request(params, meter, credential) {
			const frame = createFrame({ params }, meter, credential);
			const [root, pieces] = [baseUrl?.(frame), path];
			if (typeof root !== "string" || "problem" in pieces) throw new Error("the operation did not compile");
			const sent = body?.(frame);
			const name = filename?.(frame);
			const { "content-type": type, ...others } = headers(frame);
			const hasType = type !== undefined && (body === undefined || sent !== undefined);
			return {
				method: operation.method,
				url: root + buildPath(pieces, params),
				query: (query(frame) ?? {}) as JsonObject,
				headers: hasType ? { ...others, "content-type": type } : others,
				...(sent === undefined ? {} : { body: sent }),
				...(name === undefined ? {} : { filename: formatText(name, "the filename", meter) }),
			};
		},
		content: (answer, meter) => content?.(createFrame(answer, meter)),
		findError(answer, meter) {
			const failure = error?.(createFrame(answer, meter)) ?? null;
			if (failure === null || failure === "" || failure === false) return undefined;
			return formatText(failure, "the error", meter);
		},
		output(answer, meter) {
			return output === undefined ? answer.data : (output(createFrame(answer, meter)) ?? null);
		},
	};
}

type Compile = (value: Json, path: string) => Build;

function compileHeaders(
	operation: ApiOperation,
	path: string,
	compile: Compile,
	problems: Issue[],
): (frame: Parameters<Build>[0]) => Record<string, string> {
	const compiled = Object.entries(operation.headers ?? {}).map(([name, value]) => {
		const message = findHeaderNameProblem(name);
		if (message !== undefined) problems.push({ path: `${path}.${name}`, message });
		return [name.toLowerCase(), compile(value, `${path}.${name}`)] as const;
	});
	if (new Set(compiled.map(([name]) => name)).size < compiled.length)
		problems.push({ path, message: "sets a header twice, in different case" });
	return (frame) => {
		const headers: [string, string][] = [];
		for (const [name, build] of compiled) {
			const text = toHeaderText(name, build(frame));
			if (text !== undefined) headers.push([name, text]);
		}
		return Object.fromEntries(headers);
	};
}

/** The parameters in the path, which are required. */
export function listPathParameters({ path }: ApiOperation): string[] {
	const pieces = readPath(path);
	return "problem" in pieces ? [] : listNames(pieces);
}
