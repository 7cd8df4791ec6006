import { systemClock } from "@tripline/platform/clock";
import { jsonLog } from "@tripline/platform/log";
import { stderrWriter } from "../../apps/node/src/log-writer.ts";
import { startService } from "../../apps/node/src/service.ts";
import { parseSettings } from "../../apps/node/src/settings.ts";
import { renderWelcome } from "../../apps/node/src/welcome.ts";

// The service as `main.ts` starts it, except that each request is answered as soon as its body has arrived.
const settings = parseSettings(process.env);
const write = stderrWriter(systemClock).write;
const service = await startService({
	settings,
	clock: systemClock,
	log: jsonLog({ level: settings.LOG_LEVEL, clock: systemClock, write }),
	version: "bench",
	answersTogether: false,
});
process.stdout.write(renderWelcome(service, "bench"));
process.on("SIGTERM", () => process.exit());
