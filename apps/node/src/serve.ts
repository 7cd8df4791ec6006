import { followingClock, systemClock } from "@tripline/platform/clock";
import { jsonLog, logEmptySettings, toErrorFields } from "@tripline/platform/log";
import { openConsole } from "./console.ts";
import { loadConsoleFiles } from "./console-build.ts";
import type { LogWriter } from "./log-writer.ts";
import { createDelays } from "./process-metrics.ts";
import { type Service, startService } from "./service.ts";
import type { Settings } from "./settings.ts";
import { watchStalls } from "./stall-watch.ts";
import type { Supervisor } from "./supervised.ts";
import { tickEachMinute } from "./ticker.ts";
import { renderWelcome } from "./welcome.ts";

/** Delays the build of the console, so that it does not slow down the first requests. A visitor starts it earlier. */
const CONSOLE_AFTER_MS = 2000;

/** How long a stopped process waits for its last responses. */
const LINGER_MS = 1000;

interface Deps {
	readonly settings: Settings;
	readonly emptySettings: readonly string[];
	readonly writer: LogWriter;
	readonly version: string;
	/** Null if this is the only process. */
	readonly supervisor: Supervisor | null;
}

/** Serves in this process until a signal or the supervisor stops it. */
export async function serve(deps: Deps): Promise<void> {
	const { settings, writer, version, supervisor } = deps;
	const clock = followingClock(systemClock);
	const log = jsonLog({
		level: settings.LOG_LEVEL,
		clock,
		write: writer.write,
		fields: supervisor?.fields,
	});
	if (supervisor === null) logEmptySettings(log, deps.emptySettings);
	const webConsole = openConsole({ log, open: () => loadConsoleFiles(log) });
	const service = await startService({
		...{ settings, clock, log, version, console: webConsole },
		siblings: supervisor?.siblings ?? undefined,
	});
	const ticker = tickEachMinute(clock, service.tick);
	watchStalls({ clock: systemClock, log, delays: createDelays(service.metrics) });
	stopOnSignal(service, ticker, deps);
	if (supervisor === null) process.stdout.write(renderWelcome(service, version));
	// The others use what it builds, unless they have visitors earlier.
	if (supervisor?.isFirst !== false) setTimeout(webConsole.prepare, CONSOLE_AFTER_MS).unref();
}

function stopOnSignal(
	service: Service,
	ticker: { stop(): void },
	{ settings, writer, supervisor }: Deps,
): void {
	const log = jsonLog({
		level: settings.LOG_LEVEL,
		clock: systemClock,
		write: writer.write,
		fields: supervisor?.fields,
	});
	let stopping = false;
	const stop = (signal?: NodeJS.Signals) => {
		if (stopping) {
			// A second signal exits at once. A supervisor does that itself; one signal may come from it and the terminal.
			if (supervisor === null) process.exit(1);
			return;
		}
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
			.finally(() => {
				supervisor?.leave();
				// The last responses may still be in flight, but an open connection must not keep the process alive.
				setTimeout(() => process.exit(), LINGER_MS).unref();
			});
	};
	process.on("SIGINT", stop);
	process.on("SIGTERM", stop);
	// A terminal that is closed sends it to all processes, of which the supervisor decides.
	if (supervisor !== null) process.on("SIGHUP", () => {});
	supervisor?.reportReady(service, stop);
}
