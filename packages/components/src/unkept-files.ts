import type { Json } from "@tripline/contract/json";
import { TerminalError } from "@tripline/engine/terminal-error";
import type { Effects, FileCall } from "./effects.ts";

/** Fails if a value that is to be stored names a file that would be deleted before the value. */
export async function refuseUnkept(
	value: Json,
	call: FileCall & { readonly effects: Pick<Effects, "files"> },
): Promise<void> {
	const file = await call.effects.files.findUnkept(value, call);
	if (file === null) return;
	const name = JSON.stringify(file.name);
	throw new TerminalError(
		`the file ${name} would be deleted while it is still named here: use file_keep first`,
	);
}
