import type { Component } from "@tripline/engine/component";
import * as z from "zod";
import { define } from "./define.ts";
import type { Effects } from "./effects.ts";
import { readBody } from "./http-request/answer.ts";
import { type Attempts, send } from "./http-request/attempts.ts";
import { type Page, readPages } from "./http-request/pages.ts";
import { Params } from "./http-request/params.ts";
import { unexpectedStatus } from "./http-request/status.ts";
import type { OutboundBody, OutboundCall } from "./outbound/call.ts";
import { anything } from "./schemas.ts";

/** Those that may arrive twice and change nothing more. */
const REPEATABLE: readonly string[] = ["GET", "HEAD", "PUT", "DELETE", "OPTIONS"];
/** Statuses that say the request was not handled. */
const NOT_HANDLED: readonly number[] = [429, 503];
const MAYBE_HANDLED: readonly number[] = [408, 425, 502, 504];

const LARGE_ANSWER = 262_144;

const Output = z.object({
	status: z.int(),
	headers: z.record(z.string(), z.string()).meta({ description: "By name in small letters" }),
	data: anything().meta({ description: "The body, or with `paginate` the items of all pages" }),
	pages: z.int().optional().meta({ description: "With `paginate`: how many were read" }),
	more: z.boolean().optional().meta({ description: "With `paginate`: whether there are more" }),
});

const definition = define({
	id: "http_request",
	title: "HTTP request",
	description: `Calls an address on the web. A status that is not expected fails the node.

The node's \`credential\` authorizes the request. \`{{credential.NAME}}\` may stand in any parameter; the value goes only to hosts that the credential is for.

\`data\` is, with \`response\`:

- \`auto\`: JSON as a value and text as text, by the answer's content type; all else in base64. Without a content type what is JSON is a value, other UTF-8 is text. An empty answer is null.
- \`json\`: a value, nested at most 64 levels deep. An empty answer is null.
- \`text\`: text, in the encoding that the content type names, else UTF-8.
- \`base64\`: the bytes in base64.

\`paginate\` reads several pages; \`data\` is then one list of their items, \`pages\` how many were read, and \`more\` whether it stopped before the end, at \`max_pages\` (default 10, at most 100) or \`limit\` items. \`items\` is where in an answer the list is, such as \`data.items\`; left out, the answer is the list.

- \`{ by: link }\` follows the header \`Link\` with \`rel="next"\`, or with \`url\` the address at that place in the answer. Your headers go along only to the same host.
- \`{ by: cursor, cursor: meta.next, param: cursor, items: data }\` puts what the answer has at \`cursor\` into the query under the name \`param\`, or with \`body\` instead at that place in \`json\`, until there is none.
- \`{ by: page, param: page, start: 1, step: 1, size_param: per_page, size: 100 }\` counts, until a page is empty or has fewer than \`size\` items. For offsets, \`start\` is 0 and \`step\` the size.

Statuses 429 and 503 are tried again, up to \`attempts\` in all. So are 408, 425, 502, 504 and failed connections, unless the request could do something twice: POST and PATCH only with the header \`idempotency-key\`. The wait is what \`Retry-After\` asks for, at most a minute, else half a second and twice as long each time.`,
	params: Params,
	output: Output,
	examples: [
		{
			title: "JSON from an address with a query",
			input: { city: "Lyon" },
			params: { url: "https://api.example.com/weather", query: { city: "{{input.city}}", units: "metric" } },
		},
		{
			title: "Send JSON; that it is there already is no failure",
			input: { order: { id: 7 } },
			params: {
				method: "POST",
				url: "https://api.example.com/orders",
				headers: { "idempotency-key": "order-{{input.order.id}}" },
				json: "{{input.order}}",
				expect: ["2xx", 409],
			},
		},
		{
			title: "Upload a file",
			params: {
				method: "POST",
				url: "https://api.example.com/files",
				multipart: [
					{ name: "title", text: "Report" },
					{ name: "file", base64: "aGVsbG8=", filename: "report.txt", content_type: "text/plain" },
				],
			},
		},
		{
			title: "All pages",
			params: {
				url: "https://api.example.com/issues",
				query: { per_page: 100 },
				paginate: { by: "link", max_pages: 20 },
			},
		},
		{
			title: "A body cannot be sent with GET",
			params: { url: "https://api.example.com/orders", json: { id: 7 } },
			error: 'parameter "json" cannot be sent with GET; set method, for example to POST',
		},
	],
	async run(node) {
		const { params } = node;
		const call = callOf(params, node.node.credential);
		const attempts = attemptsOf(params);
		const read = async (next: OutboundCall): Promise<Page> => {
			const answer = await send(node, next, attempts);
			// Secrets were looked for in it, and it is to be read: not both in one turn.
			if (answer.body.length > LARGE_ANSWER) await node.turn();
			if (!isExpected(answer.status, params.expect)) throw unexpectedStatus(answer);
			const { status, headers, url } = answer;
			return { status, headers, data: readBody(answer, params.response), url };
		};
		if (params.paginate !== undefined) return readPages(params.paginate, call, read);
		const { status, headers, data } = await read(call);
		return { status, headers, data };
	},
});

export const httpRequest: Component<Effects> = { ...definition, hosts: ["*"], takesCredentials: true };

function callOf(params: Params, credential: string | undefined): OutboundCall {
	const body = bodyOf(params);
	return {
		method: params.method,
		url: params.url,
		...(params.query === undefined ? {} : { query: params.query }),
		headers: headersOf(params),
		...(body === undefined ? {} : { body }),
		credential,
		...(params.attempt_timeout_ms === undefined ? {} : { timeoutMs: params.attempt_timeout_ms }),
	};
}

function headersOf({ headers }: Params): Record<string, string> {
	const lowered: Record<string, string> = {};
	for (const name in headers) {
		const value = headers[name];
		if (value !== null) lowered[name.toLowerCase()] = String(value);
	}
	return lowered;
}

function bodyOf(params: Params): OutboundBody | undefined {
	if (params.json !== undefined) return { kind: "json", value: params.json };
	if (params.form !== undefined) return { kind: "form", fields: params.form };
	if (params.text !== undefined) return { kind: "text", text: params.text };
	if (params.base64 !== undefined) return { kind: "base64", data: params.base64 };
	if (params.multipart === undefined) return undefined;
	const parts = params.multipart.map(({ content_type, ...part }) => ({ ...part, contentType: content_type }));
	return { kind: "multipart", parts };
}

function attemptsOf({ method, headers, attempts, expect }: Params): Attempts {
	const isRepeatable =
		REPEATABLE.includes(method) ||
		Object.keys(headers ?? {}).some((name) => name.toLowerCase() === "idempotency-key");
	return {
		most: attempts,
		isRepeatable,
		isPassing: (status) =>
			!isExpected(status, expect) &&
			(NOT_HANDLED.includes(status) || (isRepeatable && MAYBE_HANDLED.includes(status))),
	};
}

function isExpected(status: number, expect: Params["expect"]): boolean {
	if (expect === undefined) return status >= 200 && status <= 299;
	return expect.some((expected) => expected === status || expected === `${Math.floor(status / 100)}xx`);
}
