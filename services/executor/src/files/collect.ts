import { MAX_FILES_PER_CALL } from "@tripline/contract/file-records";
import { FileId } from "@tripline/contract/files";
import type { Json } from "@tripline/contract/json";
import type { Meter } from "@tripline/engine/meter";
import { TerminalError } from "@tripline/engine/terminal-error";

/** The ids of the files that a value names, in order. Says nothing about who may open them. */
export function collectFileIds(value: Json, meter: Pick<Meter, "spend">): ReadonlySet<string> {
	const ids = new Set<string>();
	const left: Json[] = [value];
	for (let next = left.pop(); next !== undefined; next = left.pop()) {
		meter.spend(1);
		if (typeof next !== "object" || next === null) continue;
		const parts = Array.isArray(next) ? next : Object.values(next);
		for (let index = parts.length - 1; index >= 0; index--) left.push(parts[index] as Json);
		if (Array.isArray(next) || !Object.hasOwn(next, "$file")) continue;
		const id = FileId.safeParse(next.$file).data;
		if (id === undefined) continue;
		ids.add(id);
		if (ids.size > MAX_FILES_PER_CALL)
			throw new TerminalError(`a value may name at most ${MAX_FILES_PER_CALL} files`);
	}
	return ids;
}
