// Checks that manifests, lock file, changelog, README.md, command line and bundles contain the same version.
import { fileURLToPath } from "node:url";
import { findMismatches } from "./release/agreement.ts";

const found = await findMismatches(fileURLToPath(new URL("..", import.meta.url)));
for (const line of found) console.error(line);
if (found.length > 0) process.exitCode = 1;
