import { NULL } from "@tripline/engine/types/type";
import * as z from "zod";
import { define } from "./define.ts";
import { anything, headersSchema } from "./schemas.ts";

/** No header that sets cookies, loosens the sandbox, or is acted on by a reverse proxy (such as x-accel-redirect). */
export const RESPOND_HEADERS: readonly string[] = [
	"cache-control",
	"content-disposition",
	"content-language",
	"content-type",
	"etag",
	"last-modified",
	"location",
	"retry-after",
];

const MAX_HEADER_LENGTH = 4096;
const BODYLESS_STATUSES = [204, 205, 304];

const Headers = headersSchema(findHeaderProblem);

const Params = z
	.strictObject({
		status: z.int().min(200).max(599).default(200).meta({ description: "HTTP status" }),
		headers: Headers.default({}).meta({
			description: `Header values by name; allowed are ${RESPOND_HEADERS.join(", ")}`,
		}),
		body: anything().default(null).meta({
			description:
				"Response body. Text is sent as is, as text/plain unless the content type says otherwise; any other value is sent as JSON",
		}),
	})
	.superRefine(({ status, body }, context) => {
		if (BODYLESS_STATUSES.includes(status) && body !== null) {
			context.addIssue({ code: "custom", path: ["body"], message: `must be left out with status ${status}` });
		}
	});

export const respond = define({
	id: "respond",
	title: "Respond",
	description:
		"Sets the response of a query endpoint: status, headers and body. In runs that were started in another way, the body is only the node's output. Every such response also has `X-Content-Type-Options: nosniff` and `Content-Security-Policy: sandbox`, so that a page in it cannot act on behalf of its viewer.",
	params: Params,
	output: anything().meta({ description: "The body" }),
	inferOutput: ({ has, param }) => (has("body") ? param("body") : NULL),
	examples: [
		{
			title: "JSON with a custom status",
			input: { id: 7 },
			params: { status: 404, body: { error: "no order {{input.id}}" } },
			output: { error: "no order 7" },
		},
		{
			title: "A file to download",
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
			title: "Cookies cannot be set",
			params: { headers: { "set-cookie": "a=b" }, body: "hello" },
			error: `parameter "headers.set-cookie" is not allowed here; allowed are ${RESPOND_HEADERS.join(", ")}`,
		},
	],
	run({ params: { status, headers, body }, effects }) {
		const lowered = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]);
		effects.respond({ status, headers: Object.fromEntries(lowered), body });
		return body;
	},
});

function findHeaderProblem(name: string, value: unknown): string | null {
	const lowered = name.toLowerCase();
	if (!RESPOND_HEADERS.includes(lowered)) {
		return `is not allowed here; allowed are ${RESPOND_HEADERS.join(", ")}`;
	}
	if (typeof value !== "string") return "must be text";
	if (value.length > MAX_HEADER_LENGTH) return `must be at most ${MAX_HEADER_LENGTH} characters`;
	if (!/^[\x20-\x7e]*$/.test(value)) return "must be printable ASCII without line breaks";
	if (lowered === "location" && !isWebAddress(value))
		return "must be an http or https address, or a path with /";
	return null;
}

const isWebAddress = (value: string): boolean =>
	/^\/(?![/\\])/.test(value) || (/^https?:\/\//i.test(value) && URL.canParse(value));
