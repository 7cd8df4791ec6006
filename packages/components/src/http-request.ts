import type { Json } from "@tripline/contract/json";
import type { Component, NodeCall } from "@tripline/engine/component";
import { ANY_LIST, NUMBER, objectType, replaceFields, TEXT, type Type } from "@tripline/engine/types/type";
import * as z from "zod";
import { define } from "./define.ts";
import type { Effects } from "./effects.ts";
import { readBody } from "./http-request/answer.ts";
import { type Attempts, sendWithRetries } from "./http-request/attempts.ts";
import { buildBody } from "./http-request/body.ts";
import { createDownload } from "./http-request/download.ts";
import { type Page, readPages } from "./http-request/pages.ts";
import { Params } from "./http-request/params.ts";
import { toUnexpectedStatusError } from "./http-request/status.ts";
import type { OutboundBody, OutboundCall } from "./outbound/call.ts";
import { openFiles } from "./outbound/open-files.ts";
import { anything } from "./schemas.ts";

/** Idempotent methods: a repeated request has no further effect. */
const IDEMPOTENT_METHODS: readonly string[] = ["GET", "HEAD", "PUT", "DELETE", "OPTIONS"];
/** Statuses which mean that the server did not process the request. */
const UNPROCESSED_STATUSES: readonly number[] = [429, 503];
const UNCERTAIN_STATUSES: readonly number[] = [408, 425, 502, 504];

const LARGE_BODY_BYTES = 262_144;

const Output = z.object({
	status: z.int(),
	headers: z.record(z.string(), z.string()).meta({ description: "By lower-case name" }),
	data: anything().meta({ description: "The body; with `paginate` the items of all pages" }),
	pages: z.int().optional().meta({ description: "With `paginate`: number of pages read" }),
	more: z.boolean().optional().meta({ description: "With `paginate`: whether there are more" }),
});

interface OutputTypes {
	readonly any: Type;
	readonly text: Type;
	readonly file: Type;
	readonly pages: Type;
}

/** The same for all nodes, so they are built once. */
let outputTypes: OutputTypes | undefined;

const listOutputTypes = (output: Type): OutputTypes => ({
	any: replaceFields(output, { pages: null, more: null }),
	text: replaceFields(output, { pages: null, more: null, data: TEXT }),
	file: replaceFields(output, {
		pages: null,
		more: null,
		data: objectType({ $file: TEXT, name: TEXT, type: TEXT, size: NUMBER }),
	}),
	pages: replaceFields(output, { data: ANY_LIST }),
});

const definition = define({
	id: "http_request",
	title: "HTTP request",
	description: `Sends an HTTP request. An unexpected status fails the node.

The node's \`credential\` authorizes the request. \`{{credential.NAME}}\` can be used in any parameter; its value is sent only to the hosts that the credential is bound to.

\`response\` sets the form of \`data\`:

- \`auto\`: chosen by the response's content type: JSON as a value, text as text, anything else as base64. Without a content type, valid JSON becomes a value and other UTF-8 becomes text. An empty response is null.
- \`json\`: a value, nested at most 64 levels deep. An empty response is null.
- \`text\`: text, decoded with the content type's charset, else as UTF-8.
- \`base64\`: the bytes as base64.
- \`file\`: a file, which may be much larger than a response in memory. Its name is \`filename\`, or what the response calls it, or the last segment of the URL; its type is the content type. An unexpected status makes no file.

A file is sent as the whole body with \`file\`, or as a part of a form with \`multipart\`. It is read again for each attempt and redirect.

\`paginate\` reads several pages. \`data\` is then one list with the items of all pages, \`pages\` the number of pages read, and \`more\` whether it stopped before the end, at \`max_pages\` (default 10, at most 100) or \`limit\` items. \`items\` is the path of the list in a response, such as \`result.rows\`; if left out, the response itself is the list. \`optional_items: true\` is for APIs that leave the list out of a page without items.

- \`{ by: link }\` follows the \`Link\` header with \`rel="next"\`, or with \`url\` the address at that path of the response. Your headers are sent only to the same origin.
- \`{ by: cursor, cursor: meta.next, param: cursor, items: results }\` copies the value at the path \`cursor\` of the response into the query parameter \`param\`, or with \`body\` instead of \`param\` to that path in \`json\`, until the value is null or empty. A first page without the value fails the node, because the path is probably wrong; \`optional: true\` is for APIs that leave it out of their last page. \`last: id\` instead of \`cursor\` takes the value at that path of each page's last item, until a page is empty. \`more: has_more\` ends reading where that value of the response is not true.
- \`{ by: page, param: page, start: 1, step: 1, size_param: per_page, size: 100 }\` counts pages until one is empty or has fewer than \`size\` items. For offsets, set \`start\` to 0 and \`step\` to the page size. \`body\` and \`size_body\` instead of \`param\` and \`size_param\` put the numbers to these paths in \`json\`.

Statuses 429 and 503 are retried, up to \`attempts\` attempts in total. So are 408, 425, 502, 504 and failed connections, if repeating the request is safe: POST and PATCH only with an \`idempotency-key\` header. The delay is the one in \`Retry-After\`, at most a minute; without that header it starts at half a second and doubles each time.`,
	params: Params,
	output: Output,
	inferOutput({ output, has, constant }) {
		outputTypes ??= listOutputTypes(output);
		if (has("paginate")) return outputTypes.pages;
		const response = constant("response");
		if (response === "file") return outputTypes.file;
		return response === "text" || response === "base64" ? outputTypes.text : outputTypes.any;
	},
	examples: [
		{
			title: "Get JSON with query parameters",
			input: { city: "Lyon" },
			params: { url: "https://api.example.com/weather", query: { city: "{{input.city}}", units: "metric" } },
		},
		{
			title: "Send JSON and accept 409 (already exists)",
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
			title: "Upload text as a file",
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
			title: "Download a file",
			params: { url: "https://api.example.com/reports/7.pdf", response: "file" },
		},
		{
			title: "Upload a file in a form",
			input: {
				file: { $file: "AAAAAAAAAAAAAAAAAAAAAA", name: "report.pdf", type: "application/pdf", size: 4711 },
			},
			params: {
				method: "POST",
				url: "https://api.example.com/files",
				multipart: [
					{ name: "title", text: "Report" },
					{ name: "file", file: "{{input.file}}" },
				],
			},
		},
		{
			title: "Upload a file as it is",
			input: {
				file: { $file: "AAAAAAAAAAAAAAAAAAAAAA", name: "report.pdf", type: "application/pdf", size: 4711 },
			},
			params: { method: "PUT", url: "https://api.example.com/files/7", file: "{{input.file}}" },
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
		const body = buildBody(params);
		const opened = body === undefined ? undefined : openFiles(body, node);
		const call = buildCall(params, opened instanceof Promise ? await opened : opened, node.node.credential);
		const attempts = buildAttempts(params);
		if (params.response === "file") return downloadFile(node, call, attempts, params);
		const form = params.response;
		const read = async (next: OutboundCall): Promise<Page> => {
			const answer = await sendWithRetries(node, next, attempts);
			// A large body was already scanned for secrets; parse it in the next turn of the event loop.
			if (answer.body.length > LARGE_BODY_BYTES) await node.turn();
			if (!isExpected(answer.status, params.expect)) throw toUnexpectedStatusError(answer);
			const { status, headers, url } = answer;
			return { status, headers, data: readBody(answer, form), url };
		};
		if (params.paginate !== undefined) return readPages(params.paginate, call, read);
		const { status, headers, data } = await read(call);
		return { status, headers, data };
	},
});

export const httpRequest: Component<Effects> = {
	...definition,
	hosts: ["*"],
	takesCredentials: true,
	targets: ["url"],
};

async function downloadFile(
	node: NodeCall<Effects>,
	call: OutboundCall,
	attempts: Attempts,
	{ filename, expect }: Params,
): Promise<Json> {
	const download = createDownload(node, filename, (status) => isExpected(status, expect));
	const answer = await sendWithRetries(node, { ...call, sink: download.sink }, attempts);
	if (!isExpected(answer.status, expect)) throw toUnexpectedStatusError(answer);
	const { status, headers } = answer;
	return { status, headers, data: download.file() };
}

function buildCall(
	params: Params,
	body: OutboundBody | undefined,
	credential: string | undefined,
): OutboundCall {
	return {
		method: params.method,
		url: params.url,
		...(params.query === undefined ? {} : { query: params.query }),
		headers: buildHeaders(params),
		...(body === undefined ? {} : { body }),
		credential,
		...(params.attempt_timeout_ms === undefined ? {} : { timeoutMs: params.attempt_timeout_ms }),
	};
}

function buildHeaders({ headers }: Params): Record<string, string> {
	const lowered: Record<string, string> = {};
	for (const name in headers) {
		const value = headers[name];
		if (value !== null) lowered[name.toLowerCase()] = String(value);
	}
	return lowered;
}

function buildAttempts({ method, headers, attempts, expect }: Params): Attempts {
	const isRepeatable =
		IDEMPOTENT_METHODS.includes(method) ||
		Object.keys(headers ?? {}).some((name) => name.toLowerCase() === "idempotency-key");
	return {
		max: attempts,
		isRepeatable,
		isTemporary: (status) =>
			!isExpected(status, expect) &&
			(UNPROCESSED_STATUSES.includes(status) || (isRepeatable && UNCERTAIN_STATUSES.includes(status))),
	};
}

function isExpected(status: number, expect: Params["expect"]): boolean {
	if (expect === undefined) return status >= 200 && status <= 299;
	return expect.some((expected) => expected === status || expected === `${Math.floor(status / 100)}xx`);
}
