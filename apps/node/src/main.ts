import { followingClock, systemClock } from "@tripline/platform/clock";
import { jsonLog, logEmptySettings, toErrorFields } from "@tripline/platform/log";
import manifest from "../package.json" with { type: "json" };
import { openConsole } from "./console.ts";
import { loadConsoleFiles } from "./console-build.ts";
import { readEnvironmentFile } from "./environment-file.ts";
import { stderrWriter } from "./log-writer.ts";
import { type Service, startService } from "./service.ts";
import { listEmptySettings, parseSettings, type Settings, StartProblem } from "./settings.ts";
import { watchStalls } from "./stall-watch.ts";
import { tickEachMinute } from "./ticker.ts";
import { renderWelcome } from "./welcome.ts";

/** Delays the build of the console, so that it does not slow down the first requests. A visitor starts it earlier. */
const CONSOLE_AFTER_MS = 2000;

// Databases and secrets must be readable by this user only.
process.umask(0o077);

/** How long a stopped process waits for its last responses. */
const LINGER_MS = 1000;
const writer = stderrWriter(systemClock);
process.on("exit", writer.end);

try {
	const variables = { ...readEnvironmentFile(), ...process.env };
	const settings = parseSettings(variables);
	const clock = followingClock(systemClock);
	const log = jsonLog({ level: settings.LOG_LEVEL, clock, write: writer.write });
	logEmptySettings(log, listEmptySettings(variables));
	const webConsole = openConsole({ log, open: () => loadConsoleFiles(log) });
	const service = await startService({
		settings,
		clock,
		log,
		version: manifest.version,
		console: webConsole,
	});
	const ticker = tickEachMinute(clock, service.tick);
	watchStalls({ clock: systemClock, log });
	stopOnSignal(service, ticker, settings);
	process.stdout.write(renderWelcome(service, manifest.version));
	setTimeout(webConsole.prepare, CONSOLE_AFTER_MS).unref();
} catch (error) {
	if (!(error instanceof StartProblem)) throw error;
	process.stderr.write(`tripline: ${error.message}\n`);
	process.exitCode = 2;
}

function stopOnSignal(service: Service, ticker: { stop(): void }, settings: Settings): void {
	const log = jsonLog({ level: settings.LOG_LEVEL, clock: systemClock, write: writer.write });
	let stopping = false;
	const stop = (signal: NodeJS.Signals) => {
		// A second signal exits at once.
		if (stopping) process.exit(1);
		stopping = true;
		log("info", "stopping", { signal });
		ticker.stop();
		service
			.close()
			.then(
				() => log("info", "stopped"),
				(error: unknown) => {
					log("error", "stop failed", toErrorFields(error));
					process.exitCode = 1;
				},
			)
			// The last responses may still be in flight, but an open connection must not keep the process alive.
			.finally(() => setTimeout(() => process.exit(), LINGER_MS).unref());
	};
	process.on("SIGINT", stop);
	process.on("SIGTERM", stop);
}
