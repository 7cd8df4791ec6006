#!/usr/bin/env node
import { main } from "./main.ts";
import { processIo } from "./process-io.ts";

// A reader such as `head` may close the pipe early; the command still runs to its end.
for (const stream of [process.stdout, process.stderr]) {
	stream.on("error", (error: NodeJS.ErrnoException) => {
		if (error.code !== "EPIPE") throw error;
	});
}

process.exitCode = await main(process.argv.slice(2), processIo());
