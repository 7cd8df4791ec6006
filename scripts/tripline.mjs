#!/usr/bin/env node
// The command line, for `npx`: of a checkout, or of the tarball that `npm pack` makes of it. Plain JavaScript for Node 18.
import { existsSync } from "node:fs";

const checkout = new URL("run.mjs", import.meta.url);
const packed = new URL("../dist/package/cli/launch/packed.mjs", import.meta.url);

// A checkout may contain a package too, of an earlier commit.
if (existsSync(checkout)) await (await import(checkout.href)).launch(["cli", ...process.argv.slice(2)]);
else await import(packed.href);
