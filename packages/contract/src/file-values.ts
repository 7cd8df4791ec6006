import { FILE_ID } from "./file-id.ts";
import type { FileValue } from "./files.ts";
import type { Json } from "./json.ts";

const DEFAULT_MAX_FILES = 100;

/** The first files that a value names, each once, in the order in which they stand there. */
export function listFileValues(value: unknown, max = DEFAULT_MAX_FILES): FileValue[] {
	const found = new Map<string, FileValue>();
	// A stack of its own: a value may be nested deeper than calls may be.
	const left: unknown[] = [value];
	while (left.length > 0 && found.size < max) {
		const next = left.pop();
		if (typeof next !== "object" || next === null) continue;
		const file = parseFileValue(next);
		if (file !== null) {
			if (!found.has(file.$file)) found.set(file.$file, file);
			continue;
		}
		const children: unknown[] = Array.isArray(next) ? next : Object.values(next);
		for (let index = children.length - 1; index >= 0; index--) left.push(children[index]);
	}
	return [...found.values()];
}

/** The file that a value names, or null. Only `$file` is checked where values travel, so the rest may be anything. */
export function parseFileValue(value: unknown): FileValue | null {
	if (!isObject(value) || !Object.hasOwn(value, "$file")) return null;
	const { $file, name, type, size } = value;
	if (typeof $file !== "string" || !FILE_ID.test($file)) return null;
	return {
		$file,
		name: typeof name === "string" && name !== "" ? name : $file,
		type: typeof type === "string" && type !== "" ? type : "application/octet-stream",
		size: typeof size === "number" && size >= 0 ? size : 0,
	};
}

const TEXT_TYPES =
	/^(?:text\/|application\/(?:json|jsonl|x-ndjson|ndjson|xml|yaml|x-yaml|toml|javascript|sql|x-sh|graphql|rtf)\b|message\/rfc822\b|[^;]*\+(?:json|xml|yaml)\b)/i;

/** Whether content of this media type is text that people can read. */
export const isTextType = (type: string): boolean => TEXT_TYPES.test(type);

/** A property of an `input_schema` that takes a file. */
export interface FileField {
	readonly name: string;
	readonly title: string | null;
	/** It takes a list of files. */
	readonly isList: boolean;
	readonly isRequired: boolean;
	/** Media types and suffixes as in an HTML form, such as `image/*,.pdf`; null: any. */
	readonly accept: string | null;
}

/** The properties of an `input_schema` that take files: `format: file`, or a list of those. */
export function listFileFields(schema: unknown): FileField[] {
	if (!isObject(schema) || !isObject(schema.properties)) return [];
	const required: Json[] = Array.isArray(schema.required) ? schema.required : [];
	return Object.entries(schema.properties).flatMap(([name, property]) => {
		if (!isObject(property)) return [];
		const isList = isObject(property.items) && property.items.format === "file";
		if (!isList && property.format !== "file") return [];
		const { contentMediaType } = isList ? (property.items as { [key: string]: Json }) : property;
		return {
			name,
			title: typeof property.title === "string" ? property.title : null,
			isList,
			isRequired: required.includes(name),
			accept: typeof contentMediaType === "string" ? contentMediaType : null,
		};
	});
}

const isObject = (value: unknown): value is { [key: string]: Json } =>
	typeof value === "object" && value !== null && !Array.isArray(value);
