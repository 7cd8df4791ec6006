import type { FileValue } from "./files.ts";

/** The types of files that a field takes, such as `image/*`, `application/pdf` or `.docx`. */
export type FileTypes = readonly string[];

const MAX_TYPES = 50;
const MEDIA_TYPE = /^[a-z0-9!#$&^_.+-]{1,127}\/(?:\*|[a-z0-9!#$&^_.+-]{1,127})$/;
const SUFFIX = /^\.[a-z0-9][a-z0-9.+_-]{0,31}$/;

/** Reads `contentMediaType`: media types and suffixes of names, separated by commas. Null if it is something else. */
export function parseFileTypes(text: unknown): FileTypes | null {
	if (typeof text !== "string") return null;
	const types = text.split(",", MAX_TYPES + 1).map((each) => each.trim().toLowerCase());
	const areKnown = types.every((type) => MEDIA_TYPE.test(type) || SUFFIX.test(type));
	return areKnown && types.length <= MAX_TYPES ? types : null;
}

/** Whether the name or the declared type of a file is one of these. */
export function matchesFileTypes(types: FileTypes, file: Pick<FileValue, "name" | "type">): boolean {
	const essence = (file.type.split(";", 1)[0] as string).trim().toLowerCase();
	const name = file.name.toLowerCase();
	return types.some((type) => {
		if (type.startsWith(".")) return name.endsWith(type);
		return type.endsWith("/*") ? essence.startsWith(type.slice(0, -1)) : essence === type;
	});
}
