import * as z from "zod";
import { leaseFields } from "./run-leases.ts";
import { UnixSeconds } from "./schedules.ts";

const { holder } = leaseFields;

/** How long a process that says nothing counts as alive, in seconds. */
export const PROCESS_LIFETIME_SECONDS = 12;

export const ProcessBeat = z
	.strictObject({
		holder: holder.meta({ description: "The process" }),
		due_at: UnixSeconds.meta({
			description:
				"Until then, nobody else starts the accepted runs that the process has and that are due soon",
		}),
	})
	.meta({ id: "ProcessBeat" });
export type ProcessBeat = z.input<typeof ProcessBeat>;

export const HeardProcess = z.object({
	time: z.number().meta({ description: "The time of the database, in Unix milliseconds" }),
	alive: z.array(z.string()).meta({ description: "The other processes that are alive" }),
	lapsed: z.array(z.string()).meta({
		description: `Processes that have said nothing for ${PROCESS_LIFETIME_SECONDS} seconds`,
	}),
	left: z.array(z.string()).meta({ description: "Processes that have said that they end" }),
});
export type HeardProcess = z.output<typeof HeardProcess>;

export const LeaveProcess = z.strictObject({ holder }).meta({ id: "LeaveProcess" });

export const LeftProcess = z.object({ left: z.boolean() });

export const TakeOverProcess = z
	.strictObject({
		holder: holder.meta({ description: "The process that continues" }),
		from: holder.meta({ description: "The process that has ended" }),
	})
	.meta({ id: "TakeOverProcess" });
export type TakeOverProcess = z.input<typeof TakeOverProcess>;

export const TakenOverProcess = z.object({
	taken: z.boolean().meta({ description: "False if it is alive, or another process was first" }),
});
export type TakenOverProcess = z.output<typeof TakenOverProcess>;
