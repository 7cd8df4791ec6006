import type * as z from "zod";
import type { Incoming } from "./exchange.ts";

/** ANY: whatever method has no route of its own at the path. */
export type Method = "GET" | "PUT" | "POST" | "PATCH" | "DELETE" | "ANY";

export interface Reply {
	readonly status: number;
	readonly body: unknown;
	readonly headers?: Readonly<Record<string, string>>;
}

/** What a handler gets: everything already checked against the route's schemas. */
export interface Call<Caller, Params, Query, Body> {
	readonly caller: Caller;
	readonly params: Params;
	readonly query: Query;
	readonly body: Body;
	readonly request: Incoming;
	readonly requestId: string;
}

/** A route without its handler: the schemas that validate a request are the ones the OpenAPI document shows. */
export interface RouteDescription {
	readonly method: Method;
	/** `/entries/{id}`; a parameter is a whole segment. */
	readonly path: string;
	readonly summary: string;
	readonly description?: string;
	readonly tag: string;
	/** Answers without a credential. */
	readonly open?: true;
	/** The credentials that it takes instead of the app's, each an OpenAPI security scheme by its name. */
	readonly security?: Readonly<Record<string, object>>;
	readonly params?: z.ZodType;
	readonly query?: z.ZodType;
	/** As JSON; optional: the request may come without. */
	readonly body?: z.ZodType;
	/** Bodies that the handler reads from the request itself, by content type; optional: it does without. */
	readonly accepts?: Readonly<Record<string, z.ZodType>>;
	/** Request headers that change the answer, and what they do. */
	readonly headers?: Readonly<Record<string, string>>;
	/** Status to what it means and its body. Errors common to all routes are added by the document. */
	readonly responses: Readonly<Record<number, ResponseSpec>>;
}

export interface Route<Caller> extends RouteDescription {
	handle(call: Call<Caller, never, never, never>): Promise<Reply | Response> | Reply | Response;
}

export interface ResponseSpec {
	readonly description: string;
	/** As application/json. */
	readonly body?: z.ZodType;
	/** As other content types, beside JSON or instead of it. */
	readonly content?: Readonly<Record<string, z.ZodType>>;
}

type Out<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

/** Ties a handler's argument to its route's schemas. */
export function route<
	Caller,
	Params extends z.ZodType | undefined = undefined,
	Query extends z.ZodType | undefined = undefined,
	Body extends z.ZodType | undefined = undefined,
>(
	spec: Omit<RouteDescription, "params" | "query" | "body"> & {
		readonly params?: Params;
		readonly query?: Query;
		readonly body?: Body;
		handle(
			call: Call<Caller, Out<Params>, Out<Query>, Out<Body>>,
		): Promise<Reply | Response> | Reply | Response;
	},
): Route<Caller> {
	return spec as unknown as Route<Caller>;
}

export const reply = (status: number, body: unknown): Reply => ({ status, body });
