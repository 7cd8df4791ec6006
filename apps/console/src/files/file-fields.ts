import { type FileField, parseFileValue } from "@tripline/contract/file-values";
import type { FileValue, JsonObject, StoredFile } from "../api/types.ts";

export const toFileValue = ({ id, name, type, size }: StoredFile): FileValue => ({
	$file: id,
	name,
	type,
	size,
});

/** The files that the input already has in a field. */
export function readField(input: JsonObject, { name }: FileField): FileValue[] {
	const value = Object.hasOwn(input, name) ? input[name] : undefined;
	return (Array.isArray(value) ? value : [value])
		.map(parseFileValue)
		.filter((file): file is FileValue => file !== null);
}

/** The input with these files in a field; without any, the field is removed. */
export function writeField(
	input: JsonObject,
	{ name, isList }: FileField,
	files: readonly FileValue[],
): JsonObject {
	const { [name]: _, ...rest } = input;
	if (files.length === 0) return rest;
	return { ...rest, [name]: isList ? [...files] : (files[0] as FileValue) };
}

/** A sample cannot contain a file, so its file fields keep what the current input has there. */
export const keepFiles = (
	sample: JsonObject,
	current: JsonObject,
	fields: readonly FileField[],
): JsonObject => fields.reduce((input, field) => writeField(input, field, readField(current, field)), sample);
