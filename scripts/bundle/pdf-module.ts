import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Plugin } from "esbuild";

const root = fileURLToPath(new URL("../../", import.meta.url));
const ALLOCATION = join(root, "packages", "platform", "src", "pdf-allocation.ts");

/** Workers have no thread whose globals could be replaced, so pdf.js imports the arrays that are limited in size. */
export const limitPdfArrays: Plugin = {
	name: "limited arrays for pdf.js",
	setup({ onLoad }) {
		onLoad({ filter: /unpdf[\\/]dist[\\/]pdfjs\.mjs$/ }, ({ path }) => ({
			contents: `import { LimitedUint8Array as Uint8Array } from ${JSON.stringify(ALLOCATION)};\n${readFileSync(path, "utf8")}`,
			loader: "js",
		}));
	},
};
