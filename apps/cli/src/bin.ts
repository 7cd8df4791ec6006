#!/usr/bin/env node
import { main } from "./main.ts";
import { processIo } from "./process-io.ts";

// Whoever reads may have seen enough, as `head` has; the work goes on to its end.
for (const stream of [process.stdout, process.stderr]) {
	stream.on("error", (error: NodeJS.ErrnoException) => {
		if (error.code !== "EPIPE") throw error;
	});
}

process.exitCode = await main(process.argv.slice(2), processIo());
