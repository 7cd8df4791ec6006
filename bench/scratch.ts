import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A temporary folder, removed when it is disposed of or the process exits. */
export function scratchFolder(): { readonly path: string } & Disposable {
	const path = mkdtempSync(join(tmpdir(), "tripline-bench-"));
	const remove = () => rmSync(path, { recursive: true, force: true });
	process.on("exit", remove);
	return {
		path,
		[Symbol.dispose]() {
			process.off("exit", remove);
			remove();
		},
	};
}
