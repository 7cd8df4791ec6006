import * as z from "zod";
import { LoggingMode } from "./execution-log.ts";

/** With less free space the disk is nearly full. */
export const LOW_DISK_BYTES = 1024 * 2 ** 20;
/** With less, a write may fail at any moment. */
export const MIN_DISK_BYTES = 256 * 2 ** 20;

const Time = z.string().meta({ description: "ISO 8601, UTC" });

/** Something that the operator should look at. */
export const Notice = z
	.object({
		code: z.enum(["disk", "database", "records", "restart", "trigger"]).meta({
			description:
				"`disk`: it is nearly full. `database`: it is damaged or unreliable. `records`: the daily limit drops execution records. `restart`: another version is installed than the one that runs. `trigger`: a workflow's mailbox or poll fails",
		}),
		level: z.enum(["warning", "problem"]),
		subject: z.string().nullable().meta({
			description: "Free space in bytes, the installed version, or the workflow; else null",
		}),
		message: z.string().meta({ description: "What is wrong and what to do" }),
	})
	.meta({ id: "Notice" });
export type Notice = z.infer<typeof Notice>;

/** What a platform knows of its deployment. */
export const DeploymentFacts = z.object({
	platform: z.string(),
	database: z.object({
		kind: z.enum(["sqlite", "postgres", "d1"]),
		size_bytes: z.int().nullable(),
		ok: z.boolean().meta({ description: "false: it is damaged or reports I/O errors" }),
	}),
	disk: z
		.object({ free_bytes: z.int(), total_bytes: z.int() })
		.nullable()
		.meta({ description: "Of the data folder; null if the platform has none" }),
});
export type DeploymentFacts = z.infer<typeof DeploymentFacts>;

const Count = z.object({
	count: z.int(),
	more: z.boolean().meta({ description: "Whether there are more than were counted" }),
});

export const ServiceStatus = z.object({
	version: z.string(),
	started_at: Time.nullable().meta({ description: "Null on Workers, which have no start" }),
	runs: z.object({
		waiting: Count.meta({ description: "Accepted, and waiting for their start" }),
		running: Count.meta({ description: "Accepted, and running" }),
		parked: Count.meta({ description: "Waiting for a time, an answer or an event" }),
		succeeded: z.int().meta({ description: "In the last 24 hours" }),
		failed: z.int().meta({ description: "In the last 24 hours" }),
	}),
	schedules: z.object({
		count: z.int().meta({ description: "Enabled workflows with a schedule" }),
		next_run_at: Time.nullable(),
	}),
	triggers: z.object({
		mailboxes: z.int(),
		polls: z.int(),
		failing: z
			.array(z.object({ workflow: z.string(), kind: z.enum(["mailbox", "poll"]), error: z.string() }))
			.meta({ description: "Those whose last attempt failed" }),
	}),
	records: LoggingMode.meta({ description: "Which runs are recorded" }),
	deployment: DeploymentFacts.nullable().meta({
		description: "For the operator; null for a partner key, and if the platform does not know it",
	}),
	attention: z.array(Notice).meta({ description: "Empty if all is well" }),
});
export type ServiceStatus = z.infer<typeof ServiceStatus>;

export const GuiStatus = z
	.object({
		attention: ServiceStatus.shape.attention,
		address: z
			.string()
			.nullable()
			.meta({ description: "The public address of the settings, for the owner; null if none is set" }),
	})
	.meta({ id: "GuiStatus" });
export type GuiStatus = z.infer<typeof GuiStatus>;
