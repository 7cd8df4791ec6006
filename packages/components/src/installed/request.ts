import { TerminalError } from "@tripline/engine/terminal-error";
import * as z from "zod";
import { parseJson } from "../parse/json.ts";
import { anyObject, anything } from "../schemas.ts";

const Request = z
	.strictObject({
		method: z
			.string()
			.transform((method) => method.toUpperCase())
			.pipe(
				z.enum(
					["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"],
					"must be GET, POST, PUT, PATCH, DELETE or HEAD",
				),
			)
			.default("GET"),
		url: z.string("must be text").max(16_384),
		query: anyObject().optional(),
		headers: z.record(z.string(), z.string("must be text"), "must be an object of texts").optional(),
		json: anything().optional(),
		form: anyObject().optional(),
		text: z.string("must be text").optional(),
		use_credential: z.literal(true, "must be true, or left out").optional(),
	})
	.superRefine(({ method, json, form, text }, context) => {
		const bodies = [json, form, text].filter((body) => body !== undefined).length;
		const problem = (message: string) => context.addIssue({ code: "custom", path: ["method"], message });
		if (bodies > 1) problem("accepts only one of json, form and text");
		else if (bodies === 1 && (method === "GET" || method === "HEAD"))
			problem(`is ${method}, which cannot have a body`);
	});

/** The argument of the code's `http(request)`. */
export type CodeRequest = z.output<typeof Request>;

export function readRequest(text: string): CodeRequest {
	const read = Request.safeParse(parseJson(text));
	if (read.success) return read.data;
	const [issue] = read.error.issues;
	const name = issue?.path.join(".") ?? "";
	throw new TerminalError(`http: ${name === "" ? "the request" : name} ${issue?.message ?? "is not valid"}`);
}
