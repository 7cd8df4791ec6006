#!/usr/bin/env node
// The command line of a checkout, for `npx tripline`. Plain JavaScript for Node 18.
import { launch } from "./run.mjs";

await launch(["cli", ...process.argv.slice(2)]);
