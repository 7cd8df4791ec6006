import type { Invocation, Outcome } from "../command.ts";
import { formatTime } from "../format-time.ts";
import { createExecutor } from "../services.ts";
import { listUnfinished } from "./newest.ts";

export async function run({ io }: Invocation): Promise<Outcome> {
	const executions = await listUnfinished(createExecutor(io), ({ until }) => until !== undefined);
	return {
		json: { executions },
		text: {
			columns: ["time", "workflow", "for", "until", "id"],
			rows: executions.map(({ time, workflow, waits_for, until = "", id }) => [
				formatTime(time),
				workflow,
				waits_for ?? "",
				formatTime(until),
				id,
			]),
			empty: "no run waits for a time, an answer or an event",
		},
	};
}
