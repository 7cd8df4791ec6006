import type { Invocation, Outcome } from "../command.ts";
import { formatTime } from "../format-time.ts";
import { createExecutor } from "../services.ts";
import { listUnfinished } from "./newest.ts";

export async function run({ io }: Invocation): Promise<Outcome> {
	const executions = await listUnfinished(createExecutor(io), ({ waits_for }) => waits_for === "time");
	return {
		json: { executions },
		text: {
			columns: ["time", "workflow", "until", "id"],
			rows: executions.map(({ time, workflow, until = "", id }) => [
				formatTime(time),
				workflow,
				formatTime(until),
				id,
			]),
			empty: "no run waits for a time",
		},
	};
}
