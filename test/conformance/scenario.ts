import assert from "node:assert/strict";
import { Diagnostic } from "@tripline/contract/workflows";
import { type Dispatcher, request } from "undici";
import * as z from "zod";
import type { Environment, Target } from "./platforms.ts";
import type { RequirementId } from "./requirements.ts";

/** One behaviour, tested only through the service's HTTP API, and the requirements that it proves. */
export interface Scenario {
	readonly name: string;
	readonly cites: readonly RequirementId[];
	/** The service's settings; scenarios with the same settings share a service. */
	readonly environment?: Environment;
	/** It starts services of its own on Node, so that once is enough. */
	readonly isOnlyOnNode?: true;
	/** It takes so many seconds that it runs with the long tests. */
	readonly isLong?: true;
	run(world: World): Promise<void>;
}

export const isLong = (scenario: Scenario): boolean => scenario.isLong === true;
export const isShort = (scenario: Scenario): boolean => !isLong(scenario);

interface Answer {
	readonly status: number;
	readonly headers: Headers;
	/** Parsed if it is JSON, else the text. */
	readonly body: unknown;
}

interface CallOptions {
	readonly query?: Readonly<Record<string, string | number | readonly string[] | undefined>>;
	readonly body?: unknown;
	/** Sent unchanged, instead of `body`. */
	readonly raw?: string | Uint8Array<ArrayBuffer>;
	readonly headers?: Readonly<Record<string, string>>;
}

/** Calls to one address. */
export interface Surface {
	call(method: string, path: string, options?: CallOptions): Promise<Answer>;
	/** Requires this status and a body that matches the documented schema, and returns the body. */
	expect<Schema extends z.ZodType>(
		status: number,
		schema: Schema,
		method: string,
		path: string,
		options?: CallOptions,
	): Promise<z.output<Schema>>;
	/** Requires this error status and a valid error body, and returns the body. */
	refuse(
		status: number,
		method: string,
		path: string,
		options?: CallOptions,
	): Promise<z.output<typeof Refusal>>;
}

export interface World extends Surface {
	/** A namespace that no other scenario uses. */
	readonly owner: string;
	readonly target: Target;
	/** The executor, called with the owner's tenant header. */
	readonly executor: Surface;
	/** The executor, called without any header. */
	readonly anyone: Surface;
}

const Refusal = z.strictObject({
	error: z.string().min(1),
	issues: z.array(z.strictObject({ path: z.string(), message: z.string().min(1) })).optional(),
	diagnostics: z.array(Diagnostic).optional(),
	missing: z.array(z.string()).optional(),
	components: z.array(z.string()).optional(),
	current_version: z.int().nullable().optional(),
});

let owners = 0;

/** The world's own calls go to the store. */
export function createWorld(target: Target): World {
	const owner = `owner-${++owners}`;
	return {
		owner,
		target,
		...createSurface(() => target.storeUrl),
		executor: createSurface(() => target.publicUrl, { "x-service-api-key": owner }),
		anyone: createSurface(() => target.publicUrl),
	};
}

export function createSurface(url: () => string, common: Readonly<Record<string, string>> = {}): Surface {
	const call: Surface["call"] = async (method, path, options = {}) => {
		const body = options.raw ?? (options.body === undefined ? undefined : JSON.stringify(options.body));
		// Takes less than half of the time of fetch.
		const response = await request(url() + path + buildSearch(options.query), {
			method: method as Dispatcher.HttpMethod,
			headers: {
				...common,
				...(body === undefined ? {} : { "content-type": "application/json" }),
				...options.headers,
			},
			...(body === undefined ? {} : { body }),
		});
		const text = await response.body.text();
		const headers = new Headers(
			Object.entries(response.headers).flatMap(([name, value]) =>
				[value ?? []].flat().map((each): [string, string] => [name, each]),
			),
		);
		const isJson = headers.get("content-type")?.startsWith("application/json") ?? false;
		return {
			status: response.statusCode,
			headers,
			body: isJson && text !== "" ? JSON.parse(text) : text,
		};
	};
	const expect: Surface["expect"] = async (status, schema, method, path, options) => {
		const answer = await call(method, path, options);
		assert.equal(answer.status, status, `${method} ${path}: ${JSON.stringify(answer.body)}`);
		return schema.parse(answer.body);
	};
	return {
		call,
		expect,
		refuse: (status, method, path, options) => expect(status, Refusal, method, path, options),
	};
}

function buildSearch(query: CallOptions["query"]): string {
	const search = new URLSearchParams();
	for (const [name, value] of Object.entries(query ?? {})) {
		for (const each of Array.isArray(value) ? value : [value]) {
			if (each !== undefined) search.append(name, String(each));
		}
	}
	return search.size === 0 ? "" : `?${search}`;
}
