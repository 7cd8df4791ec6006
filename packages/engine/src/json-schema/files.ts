import { matchesFileTypes, parseFileTypes } from "@tripline/contract/file-types";
import { FileValue } from "@tripline/contract/files";
import type { JsonObject } from "@tripline/contract/workflows";
import { anything, type Check } from "./checking.ts";
import { describePath, SchemaProblem } from "./walk.ts";

export const isFileSchema = ({ format, type }: JsonObject): boolean =>
	format === "file" &&
	(type === undefined || type === "object" || (Array.isArray(type) && type.includes("object")));

/** Four fields. */
const FILE_UNITS = 10;

/**
 * The check of `format: file`: the value names a file, of one of the types in `contentMediaType`. Whether the run may open
 * it is found out when it does. Other keywords of the object are checked as well.
 */
export function compileFileCheck(
	{ contentMediaType }: JsonObject,
	others: Check<JsonObject>,
	path: string,
): Check<JsonObject> {
	const types = contentMediaType === undefined ? null : parseFileTypes(contentMediaType);
	if (contentMediaType !== undefined && types === null)
		throw new SchemaProblem(
			`contentMediaType${describePath(path)} must be media types or suffixes such as "image/*, .pdf"`,
		);
	return (value, checking) => {
		checking.meter.spend(FILE_UNITS);
		const { success, data } = FileValue.safeParse(value);
		if (!success) return checking.addMismatch("must be a file");
		if (types !== null && !matchesFileTypes(types, data))
			return checking.addMismatch(`must be a file of the type ${types.join(" or ")}`);
		return others === anything ? value : others(value, checking);
	};
}
