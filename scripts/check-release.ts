// Tells whether manifests, lock file, changelog, first page, command line and bundles name the same version.
import { fileURLToPath } from "node:url";
import { disagreements } from "./release/agreement.ts";

const found = await disagreements(fileURLToPath(new URL("..", import.meta.url)));
for (const line of found) console.error(line);
if (found.length > 0) process.exitCode = 1;
