import * as z from "zod";
import { fileParam } from "../file-schemas.ts";
import { anyObject, anything, headersSchema, isObject } from "../schemas.ts";
import { RESPONSES } from "./answer.ts";
import { attemptParams } from "./attempts.ts";
import { Paginate } from "./paginate.ts";

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;
const BODIES = ["json", "form", "multipart", "text", "base64", "file"] as const;
const BODYLESS_METHODS: readonly string[] = ["GET", "HEAD"];

const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,256}$/;
const HEADER_VALUE = /^[\t\x20-\x7e]*$/;

const Headers = headersSchema(findHeaderProblem);

const Part = z
	.strictObject({
		name: z.string().min(1, "must not be empty").max(256).meta({ description: "Name of the field" }),
		text: z.string().optional().meta({ description: "Content: text" }),
		base64: z.string().optional().meta({ description: "Instead of `text`: bytes as base64" }),
		file: fileParam().optional().meta({
			description: "Instead of `text`: a file; it also gives the name and the type, unless they are set",
		}),
		filename: z.string().max(256).optional().meta({ description: "Makes the part a file of this name" }),
		content_type: z
			.string()
			.max(256)
			.regex(HEADER_VALUE, "must be one line of printable ASCII")
			.optional()
			.meta({ description: "Type of the content, such as `text/csv`" }),
	})
	.refine(
		({ text, base64, file }) => [text, base64, file].filter((content) => content !== undefined).length === 1,
		{ path: ["text"], error: "or base64 or file must hold the content; set exactly one" },
	);

export const WebAddress = z
	.string()
	.max(16_384)
	.regex(/^https?:\/\/[^/?#]/i, "must start with https:// or http:// and a host");

const Expected = z.union([
	z.int().min(100).max(599),
	z.string().regex(/^[1-5]xx$/, 'must be a status such as 404 or a class such as "2xx"'),
]);

export const Params = z
	.strictObject({
		method: z.enum(METHODS).default("GET").meta({ description: "HTTP method" }),
		url: WebAddress.meta({ description: "URL; redirects are followed" }),
		query: anyObject().optional().meta({
			description: "Query parameters added to the URL; null is omitted, a list repeats the parameter",
		}),
		headers: Headers.optional().meta({ description: "Header values by name; null is omitted" }),
		json: anything().optional().meta({ description: "Body: any value, sent as JSON" }),
		form: anyObject().optional().meta({ description: "Body: fields of a URL-encoded form" }),
		multipart: z.array(Part).min(1).max(100).optional().meta({
			description:
				"Body: parts of a multipart form, each with `name` and `text`, `base64` or `file`, and optionally `filename` and `content_type`",
		}),
		text: z
			.string()
			.optional()
			.meta({ description: "Body: text; set its type with the `content-type` header" }),
		base64: z
			.string()
			.optional()
			.meta({ description: "Body: bytes as base64; set their type with the `content-type` header" }),
		file: fileParam().optional().meta({
			description: "Body: the bytes of a file; its type is sent unless there is a `content-type` header",
		}),
		response: z
			.enum([...RESPONSES, "file"])
			.default("auto")
			.meta({ description: "Form of `data`" }),
		filename: z.string().min(1, "must not be empty").max(255).optional().meta({
			description:
				"With `response: file`: name of the file; default the one in the response, else the last segment of the URL",
		}),
		expect: z
			.array(Expected)
			.min(1)
			.max(50)
			.optional()
			.meta({ description: 'Statuses that count as success, such as `["2xx", 404]`; default `["2xx"]`' }),
		paginate: Paginate.optional().meta({
			description: "How to read several pages; `data` is then the list of all items",
			examples: [
				{ by: "link", items: "results" },
				{ by: "cursor", cursor: "meta.next", param: "cursor", items: "results" },
				{ by: "page", param: "page", size_param: "per_page", size: 100 },
			],
		}),
		...attemptParams,
	})
	.superRefine(({ method, response, paginate, ...params }, context) => {
		const problem = (name: string, message: string) =>
			context.addIssue({ code: "custom", path: [name], message });
		const [body, ...more] = BODIES.filter((name) => params[name] !== undefined);
		if (body !== undefined && BODYLESS_METHODS.includes(method)) {
			problem(body, `cannot be sent with ${method}; set method, for example to POST`);
		}
		for (const name of more) problem(name, `cannot be combined with ${body}: a request has one body`);
		if (response === "file" && method === "HEAD")
			problem("response", "cannot be file with HEAD, whose response has no body");
		if (response !== "file" && params.filename !== undefined)
			problem("filename", "is the name of a downloaded file: set response to file");
		if (paginate === undefined) return;
		if (response === "text" || response === "base64" || response === "file") {
			problem("response", `must be json or left out to read pages`);
		}
		if (params.file !== undefined) problem("file", "cannot be sent for every page");
		if (paginate.by === "link" && method !== "GET") problem("method", "must be GET to follow links");
		if (paginate.by === "link" || isObject(params.json)) return;
		if (paginate.body !== undefined)
			problem("json", "must be an object, because paginate.body is a path in it");
		else if (paginate.by === "page" && paginate.size_body !== undefined)
			problem("json", "must be an object, because paginate.size_body is a path in it");
	});
export type Params = z.output<typeof Params>;

function findHeaderProblem(name: string, value: unknown): string | null {
	if (!HEADER_NAME.test(name)) return "is not a valid header name";
	if (value === null || typeof value === "number" || typeof value === "boolean") return null;
	if (typeof value !== "string") return "must be text";
	if (value.length > 16_384) return "must be at most 16384 characters";
	return HEADER_VALUE.test(value) ? null : "must be one line of printable ASCII";
}
