import type { Issue } from "@tripline/contract/failures";
import { isFileValue } from "@tripline/contract/files";
import type { Json } from "@tripline/contract/json";
import type { ApiOperation } from "@tripline/contract/recipes";
import type { JsonObject } from "@tripline/contract/workflows";
import { formatJson, formatText } from "@tripline/engine/expressions/text-size";
import type { Frame } from "@tripline/engine/frame";
import { describeType } from "@tripline/engine/issues";
import { TerminalError } from "@tripline/engine/terminal-error";
import type { FileReference } from "../effects.ts";
import type { UnopenedBody, UnopenedPart } from "../outbound/open-files.ts";
import { isObject } from "../schemas.ts";
import { compileEmail } from "./email.ts";
import type { Build } from "./template.ts";

type Compile = (value: Json, path: string) => Build;
type Part = Extract<ApiOperation["body"], { kind: "multipart" }>["parts"][number];

/** Undefined if there is no body; the compiled body may be undefined if a parameter is absent. */
export function compileBody(
	{ method, body }: ApiOperation,
	path: string,
	compile: Compile,
	problems: Issue[],
): ((frame: Frame) => UnopenedBody | undefined) | undefined {
	if (body === undefined) return undefined;
	if (method === "GET" || method === "HEAD")
		problems.push({ path, message: `cannot be sent with ${method}` });
	switch (body.kind) {
		case "json": {
			const build = compile(body.value, `${path}.value`);
			const empty: Json | undefined = isObject(body.value) ? {} : Array.isArray(body.value) ? [] : undefined;
			return (frame) => {
				const value = build(frame) ?? empty;
				return value === undefined ? undefined : { kind: "json", value };
			};
		}
		case "form": {
			const build = compile(body.fields, `${path}.fields`);
			return (frame) => ({ kind: "form", fields: (build(frame) ?? {}) as JsonObject });
		}
		case "text": {
			const build = compile(body.text, `${path}.text`);
			return (frame) => {
				const value = build(frame);
				if (value === undefined) return undefined;
				return {
					kind: "text",
					text: formatText(value, "the body", frame.roots.meter),
					contentType: body.content_type,
				};
			};
		}
		case "file": {
			const build = compile(body.file, `${path}.file`);
			return (frame) => {
				const file = build(frame);
				return file === undefined ? undefined : { kind: "file", file: toFile(file, "the body") };
			};
		}
		case "email": {
			const build = compileEmail(body.email, `${path}.email`, compile);
			return (frame) => ({ kind: "email", email: build(frame), encoding: body.encoding });
		}
		case "multipart": {
			const parts = body.parts.map((part, index) => compilePart(part, `${path}.parts.${index}`, compile));
			return (frame) => ({ kind: "multipart", parts: parts.flatMap((build) => build(frame) ?? []) });
		}
	}
}

function compilePart(part: Part, path: string, compile: Compile): (frame: Frame) => UnopenedPart | undefined {
	const { name, content_type, email } = part;
	if (email !== undefined) {
		const build = compileEmail(email, `${path}.email`, compile);
		return (frame) => ({ name, email: build(frame), contentType: content_type });
	}
	const [key, content] = pickContent(part);
	const build = compile(content, `${path}.${key}`);
	const filename = part.filename === undefined ? undefined : compile(part.filename, `${path}.filename`);
	return (frame) => {
		const value = build(frame);
		if (value === undefined) return undefined;
		const { meter } = frame.roots;
		const where = `the part ${name}`;
		const called = filename?.(frame);
		const rest = {
			name,
			filename: called === undefined ? undefined : formatText(called, `the filename of ${where}`, meter),
		};
		switch (key) {
			case "file":
				return { ...rest, file: toFile(value, where), contentType: content_type };
			case "json":
				return {
					...rest,
					text: formatJson(value, where, meter),
					contentType: content_type ?? "application/json",
				};
			case "text":
				return { ...rest, text: formatText(value, where, meter), contentType: content_type };
		}
	};
}

function pickContent({ text = "", json, file }: Part): readonly ["text" | "json" | "file", Json] {
	if (file !== undefined) return ["file", file];
	return json === undefined ? ["text", text] : ["json", json];
}

function toFile(value: Json, where: string): FileReference {
	if (isFileValue(value)) return value;
	throw new TerminalError(`${where} must be a file, but is ${describeType(value)}`);
}
