import cluster from "node:cluster";
import type { LogFields } from "@tripline/platform/log";
import { createSiblings, type Siblings, type ToSupervisor } from "./relay-metrics.ts";
import type { Facts } from "./welcome.ts";

/** The variable that tells a process its number. */
export const PROCESS_NUMBER = "TRIPLINE_PROCESS";
/** The variable of a supervisor that relays metrics. An older one would take the question for another report. */
export const RELAYS_METRICS = "TRIPLINE_RELAYS_METRICS";

/**
 * What a process reports to its supervisor, and the message of the supervisor that stops it. After an update the processes
 * are newer than the supervisor, so these must not change.
 */
export type Report = { readonly ready: Facts } | { readonly problem: string };
export const STOP = "stop";

export interface Supervisor {
	/** Whether this process does what one for all is enough for. */
	readonly isFirst: boolean;
	/** The fields of every log line, which tell the processes apart. */
	readonly fields: LogFields;
	/** Null if the supervisor does not relay. */
	readonly siblings: Siblings | null;
	/** `stop` is called when the supervisor asks for it or has ended. */
	reportReady(facts: Facts, stop: () => void): void;
	/** Ends the process. */
	reportProblem(message: string): void;
	/** Gives back connections that were not accepted any more. */
	leave(): void;
}

/** Null unless this is one of several processes that a supervisor started. */
export function findSupervisor(): Supervisor | null {
	const { worker } = cluster;
	const number = process.env[PROCESS_NUMBER];
	// Other programs that use `node:cluster`, such as process managers, do not know these messages.
	if (worker === undefined || number === undefined) return null;
	const send = (report: Report | ToSupervisor, onSent?: () => void) =>
		process.send?.(report, undefined, undefined, onSent);
	return {
		isFirst: number === "1",
		fields: { process: Number(number) },
		siblings:
			process.env[RELAYS_METRICS] === undefined
				? null
				: createSiblings({
						number: Number(number),
						send(message) {
							// Nobody waits for the answer of a process that is leaving.
							if (worker.isConnected()) send(message, () => {});
						},
						onMessage: (listener) => worker.on("message", listener),
					}),
		reportReady({ publicUrl, storeUrl, dataFolder, ownerSecretFile }, stop) {
			worker.on("message", (message) => {
				if (message === STOP) stop();
			});
			worker.on("disconnect", () => {
				// Otherwise Node ends the process at once.
				worker.exitedAfterDisconnect = true;
				stop();
			});
			send({ ready: { publicUrl, storeUrl, dataFolder, ownerSecretFile } });
		},
		reportProblem(message) {
			send({ problem: message }, () => process.exit(2));
		},
		leave() {
			if (worker.isConnected()) worker.disconnect();
		},
	};
}
