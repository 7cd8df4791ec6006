import type { Issue } from "@tripline/contract/failures";
import type { JsonObject } from "@tripline/contract/workflows";
import { isFile, isObject, simplify } from "../forms/schema.ts";
import type { UploadedFile } from "./upload.ts";

/** How files of these types begin, by the media type and by the suffix of the name. */
const BEGINNINGS: readonly { readonly names: readonly string[]; begins(start: string): boolean }[] = [
	{ names: ["image/png", ".png"], begins: (start) => start.startsWith("\x89PNG\r\n\x1a\n") },
	{ names: ["image/jpeg", ".jpg", ".jpeg"], begins: (start) => start.startsWith("\xff\xd8\xff") },
	{ names: ["image/gif", ".gif"], begins: (start) => /^GIF8[79]a/.test(start) },
	{ names: ["image/webp", ".webp"], begins: (start) => /^RIFF.{4}WEBP/s.test(start) },
	// Some programs write a byte order mark or a line break first.
	{ names: ["application/pdf", ".pdf"], begins: (start) => start.includes("%PDF-") },
	{
		names: [
			"application/zip",
			"application/vnd.openxmlformats-officedocument.wordprocessingml.document",
			"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
			"application/vnd.openxmlformats-officedocument.presentationml.presentation",
			".zip",
			".docx",
			".xlsx",
			".pptx",
		],
		begins: (start) => start.startsWith("PK\x03\x04") || start.startsWith("PK\x05\x06"),
	},
];

/**
 * Files whose first bytes contradict their type or suffix, in fields that ask for certain types. It catches what was
 * chosen by mistake; a file can be valid in two formats, so no reader may rely on it.
 */
export function findMislabelled(schema: JsonObject | undefined, files: readonly UploadedFile[]): Issue[] {
	if (schema === undefined) return [];
	return files.flatMap((file) => {
		const wrong = asksForTypes(schema, file.field ?? "file") ? findWrongName(file) : undefined;
		return wrong === undefined
			? []
			: [{ path: file.field ?? "file", message: `is not a file of the type ${wrong}` }];
	});
}

/** The type or suffix that the first bytes contradict. */
function findWrongName({ value, start }: UploadedFile): string | undefined {
	const text = String.fromCharCode(...start);
	const essence = (value.type.split(";", 1)[0] as string).trim().toLowerCase();
	const name = value.name.toLowerCase();
	return BEGINNINGS.filter(({ begins }) => !begins(text))
		.flatMap(({ names }) => names)
		.find((each) => (each.startsWith(".") ? name.endsWith(each) : essence === each));
}

/** A field of the input, or of a group of fields in it. */
function asksForTypes(root: JsonObject, field: string): boolean {
	const find = (schema: JsonObject, key: string): JsonObject => {
		const { properties } = schema;
		const found = isObject(properties) && Object.hasOwn(properties, key) ? properties[key] : undefined;
		return simplify(found, root).schema;
	};
	const { schema } = simplify(root, root);
	const [group = "", ...rest] = field.split(".");
	const candidates = [find(schema, field), find(find(schema, group), rest.join("."))];
	return candidates
		.flatMap((each) => [each, simplify(each.items, root).schema])
		.some((each) => isFile(each) && each.contentMediaType !== undefined);
}
