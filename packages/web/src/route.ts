import type * as z from "zod";
import type { Incoming } from "./http-message.ts";

/** ANY matches all methods that have no route of their own at the path. */
export type Method = "GET" | "PUT" | "POST" | "PATCH" | "DELETE" | "ANY";

export interface Reply {
	readonly status: number;
	/** Sent as JSON; undefined: no body. */
	readonly body?: unknown;
	/** Sent as it is, instead of `body`; `headers` should name its type. */
	readonly text?: string;
	/** The same for bytes. `headers` may have their number. */
	readonly stream?: ReadableStream<Uint8Array>;
	readonly headers?: Readonly<Record<string, string>>;
}

/** A handler's argument, already validated against the route's schemas. */
export interface Call<Caller, Params, Query, Body> {
	readonly caller: Caller;
	readonly params: Params;
	readonly query: Query;
	readonly body: Body;
	readonly request: Incoming;
	readonly requestId: string;
}

/** A route without its handler. The schemas that validate requests are also those of the OpenAPI document. */
export interface RouteDescription {
	readonly method: Method;
	/** `/entries/{id}`; a parameter is a whole segment. */
	readonly path: string;
	readonly summary: string;
	readonly description?: string;
	readonly tag: string;
	/** Other methods reach the handler too, which refuses those that it does not take. */
	readonly anyMethod?: true;
	/** Needs no credential. */
	readonly open?: true;
	/** Credentials that it accepts instead of the app's, or checks itself if it is open: OpenAPI security schemes by name. */
	readonly security?: Readonly<Record<string, object>>;
	readonly params?: z.ZodType;
	readonly query?: z.ZodType;
	/** The JSON body; if the schema is optional, the request may have none. */
	readonly body?: z.ZodType;
	/** Bodies that the handler reads itself, by content type; if a schema is optional, the request may have none. */
	readonly accepts?: Readonly<Record<string, z.ZodType>>;
	/** Request headers that change the response, with their descriptions. */
	readonly headers?: Readonly<Record<string, string>>;
	/** Descriptions and bodies by status. The document adds the errors that are common to all routes. */
	readonly responses: Readonly<Record<number, ResponseSpec>>;
}

export interface Route<Caller> extends RouteDescription {
	handle(call: Call<Caller, never, never, never>): Promise<Reply | Response> | Reply | Response;
}

export interface ResponseSpec {
	readonly description: string;
	/** As application/json. */
	readonly body?: z.ZodType;
	/** Other content types, in addition to JSON or instead of it. */
	readonly content?: Readonly<Record<string, z.ZodType>>;
}

type Out<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

/** Types a handler's argument by its route's schemas. */
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
