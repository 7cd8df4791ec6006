import { systemClock } from "./clock.ts";
import { jsonLog, type Log } from "./log.ts";

/** The runtime collects console output as its log. */
export const workersLog: Log = jsonLog({
	level: "info",
	clock: systemClock,
	// biome-ignore lint/suspicious/noConsole: see above.
	write: (line) => console.log(line.trimEnd()),
});
