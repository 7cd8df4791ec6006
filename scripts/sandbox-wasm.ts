// Writes the WebAssembly module that runs users' code, for bundles of Workers: node scripts/sandbox-wasm.ts <file>.
// With --check it only checks whether that file is current.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { buildMeteredQuickJs, getOriginalQuickJsUrl } from "@tripline/sandbox/artifact";

const file = process.argv.slice(2).find((argument) => !argument.startsWith("--"));
if (file === undefined) {
	console.error("usage: node scripts/sandbox-wasm.ts [--check] <file>");
	process.exitCode = 2;
} else {
	const wanted = await buildMeteredQuickJs(readFileSync(new URL(getOriginalQuickJsUrl())));
	const isCurrent = existsSync(file) && readFileSync(file).equals(wanted);
	if (!process.argv.includes("--check")) {
		if (!isCurrent) writeFileSync(file, wanted);
		console.log(isCurrent ? `${file} is current` : `wrote ${file}`);
	} else if (!isCurrent) {
		console.error(`${file} is not current; run: node scripts/sandbox-wasm.ts ${file}`);
		process.exitCode = 1;
	}
}
