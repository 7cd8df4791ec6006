import * as z from "zod";
import type { Account } from "./account.ts";
import { type Answer, createEnvelope, Refusal } from "./answer.ts";
import type { Permission } from "./tokens.ts";

interface Call<Body, Query> {
	readonly account: Account;
	readonly body: Body;
	readonly query: Query;
	readonly request: Request;
	/** A part of the path. */
	param(name: string): string;
}

/** A product's error codes for an invalid body and for a wrong content type. */
interface Product {
	readonly invalid: number;
	readonly contentType: number;
}

export const WORKERS: Product = { invalid: 10026, contentType: 10001 };
export const KV: Product = { invalid: 10019, contentType: 10001 };
export const D1: Product = { invalid: 7400, contentType: 7400 };
export const VECTORIZE: Product = { invalid: 40026, contentType: 40026 };
export const R2: Product = { invalid: 10001, contentType: 10001 };

interface RouteDescription<Body, Query> {
	readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
	/** The path below the account, with parameters as `:name`. */
	readonly path: string;
	readonly permission: Permission;
	readonly product: Product;
	/** The schema of a JSON body; without it the handler reads the request itself, or there is no body. */
	readonly body?: z.ZodType<Body>;
	/** Unknown parameters are ignored, as at the provider. */
	readonly query?: z.ZodType<Query>;
	handle(call: Call<Body, Query>): Answer | Response | Promise<Answer | Response>;
}

export interface Route {
	readonly method: string;
	readonly permission: Permission;
	readonly isD1: boolean;
	/** The path's parameters, or null if the path does not match. */
	match(path: string): Readonly<Record<string, string>> | null;
	answer(request: Request, account: Account, params: Readonly<Record<string, string>>): Promise<Response>;
}

export function createRoute<Body, Query>(description: RouteDescription<Body, Query>): Route {
	const { product, body, query } = description;
	const pattern = new RegExp(`^${description.path.replace(/:(\w+)/g, "(?<$1>[^/]+)")}$`);
	return {
		method: description.method,
		permission: description.permission,
		isD1: product === D1,
		match(path) {
			const found = pattern.exec(path);
			return found === null ? null : { ...found.groups };
		},
		async answer(request, account, params) {
			const parameters = Object.fromEntries(new URL(request.url).searchParams);
			const answer = await description.handle({
				account,
				request,
				body:
					body === undefined
						? (undefined as Body)
						: parseChecked(body, await readJson(request, product), product),
				query: query === undefined ? (undefined as Query) : parseChecked(query, parameters, product),
				param: (name) => decodeURIComponent(params[name] ?? ""),
			});
			return answer instanceof Response ? answer : createEnvelope(answer);
		},
	};
}

export function parseChecked<T>(schema: z.ZodType<T>, value: unknown, product: Product): T {
	const { data, error } = schema.safeParse(value);
	if (error === undefined) return data as T;
	const [issue] = error.issues;
	throw new Refusal(400, product.invalid, `Invalid property: ${issue?.path.join(".")} => ${issue?.message}`);
}

async function readJson(request: Request, product: Product): Promise<unknown> {
	if (!/^application\/json\b/.test(request.headers.get("content-type") ?? "")) {
		throw new Refusal(415, product.contentType, "Expected request with `Content-Type: application/json`");
	}
	try {
		return await request.json();
	} catch {
		throw new Refusal(400, product.invalid, "Could not parse request body");
	}
}

/** The query parameters of a paged list. */
export const pageQuery = (limits: {
	readonly least: number;
	readonly most: number;
	readonly usual: number;
}) =>
	z.object({
		page: z.coerce.number().int().min(1).default(1),
		per_page: z.coerce.number().int().min(limits.least).max(limits.most).default(limits.usual),
		name: z.string().optional(),
	});

export function paginate<T>(
	all: readonly T[],
	{ page: number, per_page: asked }: { readonly page: number; readonly per_page: number },
	most: number,
): { readonly rows: readonly T[]; readonly info: PageInfo } {
	const size = Math.min(asked, most);
	const rows = all.slice((number - 1) * size, number * size);
	return { rows, info: { page: number, per_page: size, count: rows.length, total_count: all.length } };
}

interface PageInfo {
	readonly page: number;
	readonly per_page: number;
	readonly count: number;
	readonly total_count: number;
}
