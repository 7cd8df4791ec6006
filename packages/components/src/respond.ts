import type { Json } from "@tripline/contract/json";
import type { JsonObject } from "@tripline/contract/workflows";
import type { NodeCall } from "@tripline/engine/component";
import { NULL } from "@tripline/engine/types/type";
import * as z from "zod";
import { define } from "./define.ts";
import type { Effects, FileReference } from "./effects.ts";
import { fileParam } from "./file-schemas.ts";
import { anything, headersSchema } from "./schemas.ts";

const RESPOND_HEADERS: readonly string[] = [
	"cache-control",
	"content-disposition",
	"content-language",
	"content-type",
	"etag",
	"last-modified",
	"link",
	"location",
	"retry-after",
	"vary",
];
export const RESPOND_HEADERS_TEXT = `${RESPOND_HEADERS.join(", ")} and x-*`;

/** Reverse proxies act on these: they would send a file of theirs or ask another server. */
const PROXY_HEADER = /^x-(?:accel|lighttpd|litespeed|reproxy|sendfile)/;

/** No header that sets cookies, loosens the sandbox, or is acted on by a reverse proxy. */
export function isRespondHeader(name: string): boolean {
	const lowered = name.toLowerCase();
	return (
		RESPOND_HEADERS.includes(lowered) || (/^x-[a-z0-9_-]+$/.test(lowered) && !PROXY_HEADER.test(lowered))
	);
}

const MAX_HEADER_LENGTH = 4096;
/** Of all x-* headers together: proxies and clients refuse a response with more than some 16 KiB of headers. */
const MAX_OWN_HEADERS_LENGTH = 8192;
const BODYLESS_STATUSES = [204, 205, 304];
const REDIRECT_STATUSES = [301, 302, 303, 307, 308];

const Headers = headersSchema(findHeaderProblem);

const Params = z
	.strictObject({
		status: z
			.int()
			.min(200)
			.max(599)
			.optional()
			.meta({ description: "HTTP status; default 200, with redirect 303" }),
		headers: Headers.default({}).meta({
			description: `Header values by name; allowed are ${RESPOND_HEADERS_TEXT}`,
		}),
		body: anything().default(null).meta({
			description:
				"Response body. Text is sent as is, as text/plain unless type or the content type says otherwise; any other value is sent as JSON",
		}),
		type: z
			.enum(["json", "text", "html"])
			.optional()
			.meta({ description: "How the body is sent; default text for text and json for anything else" }),
		redirect: z
			.string()
			.optional()
			.meta({ description: "Send the caller to this http or https address, or path with /" }),
		file: fileParam().optional().meta({
			description: "A file to send in place of the body, by default to be saved under its name",
		}),
		inline: z.boolean().optional().meta({
			description: "With file: a browser may show it, in a sandbox, instead of saving it",
		}),
		page: z.enum(["forms", "scripts"]).optional().meta({
			description:
				"What a page may do: submit forms, or also run scripts, both without access to this origin. In multi-tenant mode only at PAGES_ORIGIN",
		}),
	})
	.superRefine((params, context) => {
		const { status, body, type, redirect, headers, file } = params;
		const report = (name: string, message: string) =>
			context.addIssue({ code: "custom", path: [name], message });
		if (file === undefined && params.inline !== undefined) report("inline", "must be left out without file");
		if (file !== undefined) {
			for (const name of ["body", "type", "redirect", "page"] as const)
				if ((params[name] ?? null) !== null) report(name, "must be left out with file");
			if (status !== undefined && BODYLESS_STATUSES.includes(status))
				report("file", `must be left out with status ${status}`);
			if (Object.keys(headers).some((name) => name.toLowerCase() === "content-disposition"))
				report("headers", "must not set content-disposition beside file; use inline");
		}
		if (measureOwnHeaders(headers) > MAX_OWN_HEADERS_LENGTH)
			report("headers", `must have at most ${MAX_OWN_HEADERS_LENGTH} characters in x-* headers`);
		if (status !== undefined && BODYLESS_STATUSES.includes(status) && body !== null)
			report("body", `must be left out with status ${status}`);
		if ((type === "text" || type === "html") && typeof body !== "string" && body !== null)
			report("body", `must be text with type ${type}`);
		if (redirect === undefined) return;
		if (toLocation(redirect) === null)
			report(
				"redirect",
				`must be an http or https address, or a path with /, of at most ${MAX_HEADER_LENGTH} characters`,
			);
		if (body !== null) report("body", "must be left out with redirect");
		if (status !== undefined && !REDIRECT_STATUSES.includes(status))
			report("status", `must be ${REDIRECT_STATUSES.join(", ")} with redirect`);
		if (Object.keys(headers).some((name) => name.toLowerCase() === "location"))
			report("headers", "must not set location beside redirect");
	});

export const respond = define({
	id: "respond",
	title: "Respond",
	description:
		"Sets the response of a query endpoint, and of a trigger with `answer: respond`: status, headers and body, or a file. In runs that were started in another way, the body is only the node's output. Every such response also has `X-Content-Type-Options: nosniff` and `Content-Security-Policy: sandbox`, so that a page in it cannot act on behalf of its viewer.",
	params: Params,
	output: anything().meta({ description: "The body, or the file" }),
	inferOutput: ({ has, param }) => (has("file") ? param("file") : has("body") ? param("body") : NULL),
	examples: [
		{
			title: "JSON with a custom status",
			input: { id: 7 },
			params: { status: 404, body: { error: "no order {{input.id}}" } },
			output: { error: "no order 7" },
		},
		{
			title: "A file",
			input: {
				report: { $file: "AAAAAAAAAAAAAAAAAAAAAA", name: "prices.csv", type: "text/csv", size: 10 },
			},
			params: { file: "{{input.report}}" },
			output: { $file: "AAAAAAAAAAAAAAAAAAAAAA", name: "prices.csv", type: "text/csv", size: 10 },
		},
		{
			title: "Text to download",
			params: {
				headers: {
					"content-type": "text/csv; charset=utf-8",
					"content-disposition": 'attachment; filename="orders.csv"',
				},
				body: "id,total\r\n7,50\r\n",
			},
			output: "id,total\r\n7,50\r\n",
		},
		{
			title: "A page",
			input: { name: "Ada" },
			params: { type: "html", body: "<h1>Hello {{input.name | html}}</h1>" },
			output: "<h1>Hello Ada</h1>",
		},
		{
			title: "A redirect",
			params: { redirect: "https://example.com/thanks" },
			output: null,
		},
		{
			title: "Cookies cannot be set",
			params: { headers: { "set-cookie": "a=b" }, body: "hello" },
			error: `parameter "headers.set-cookie" is not allowed here; allowed are ${RESPOND_HEADERS_TEXT}`,
		},
	],
	run(call) {
		const { status, headers, body, type, redirect, page, file } = call.params;
		const { effects } = call;
		if (file !== undefined) return respondWithFile(file, call);
		const lowered = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]);
		const sent = Object.fromEntries(lowered) as Record<string, string>;
		effects.respond({
			status: status ?? (redirect === undefined ? 200 : 303),
			headers: redirect === undefined ? sent : { ...sent, location: toLocation(redirect) ?? "/" },
			body: redirect === undefined ? body : "",
			...(type !== undefined && { type }),
			...(page !== undefined && { page }),
		});
		return body;
	},
});

async function respondWithFile(
	file: FileReference,
	call: NodeCall<Effects> & { readonly params: z.output<typeof Params> },
): Promise<Json> {
	const { status = 200, headers, inline: isInline = false } = call.params;
	const content = await call.effects.files.open(file, call);
	const sent = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]);
	call.effects.respond({
		status,
		headers: Object.fromEntries(sent),
		body: null,
		file: { content, isInline },
	});
	return { ...content.value };
}

function findHeaderProblem(name: string, value: unknown): string | null {
	const lowered = name.toLowerCase();
	if (!isRespondHeader(name)) return `is not allowed here; allowed are ${RESPOND_HEADERS_TEXT}`;
	if (typeof value !== "string") return "must be text";
	if (value.length > MAX_HEADER_LENGTH) return `must be at most ${MAX_HEADER_LENGTH} characters`;
	if (!/^[\x20-\x7e]*$/.test(value)) return "must be printable ASCII without line breaks";
	if (lowered === "location" && !isWebAddress(value))
		return "must be an http or https address, or a path with /";
	return null;
}

const measureOwnHeaders = (headers: JsonObject): number =>
	Object.entries(headers)
		.filter(([name]) => /^x-/i.test(name))
		.reduce((length, [name, value]) => length + name.length + String(value).length, 0);

const isWebAddress = (value: string): boolean =>
	/^\/(?![/\\])/.test(value) || (/^https?:\/\//i.test(value) && URL.canParse(value));

const ANY_ORIGIN = "https://origin.invalid";

/** The address as a header can carry it; null if it is neither a web address nor a path of this origin. */
function toLocation(address: string): string | null {
	// biome-ignore lint/suspicious/noControlCharactersInRegex: a browser would drop them, which could make another address.
	if (address.length > MAX_HEADER_LENGTH || /[\u0000-\u001f\u007f]/.test(address) || !isWebAddress(address))
		return null;
	const url = new URL(address, ANY_ORIGIN);
	const isPath = address.startsWith("/");
	const location = isPath ? url.pathname + url.search + url.hash : url.href;
	// Other scripts become longer when they are escaped.
	if (location.length > MAX_HEADER_LENGTH) return null;
	return isPath && (url.origin !== ANY_ORIGIN || !isWebAddress(location)) ? null : location;
}
