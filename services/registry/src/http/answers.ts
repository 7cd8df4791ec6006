import { NextCursor } from "@tripline/contract/paging";
import { Manifest, Sha256 } from "@tripline/contract/registry";
import * as z from "zod";
import { Check } from "../checks/check.ts";

const Time = z.string().meta({ description: "ISO 8601, UTC" });

export const Counted = z.object({ counted: z.literal(true) });

export const SubmissionAnswer = z
	.object({
		id: z.string(),
		status: z.enum(["pending", "approved", "rejected"]),
		component: z.string(),
		version: z.string(),
		publisher: z.string(),
		sha256: Sha256,
		checks: z.array(Check),
		created_at: Time,
		expires_at: Time,
		reviewed_at: Time.nullable(),
		reason: z.string().nullable(),
		manifest: Manifest,
	})
	.meta({ id: "Submission" });

export const NewSubmissionAnswer = SubmissionAnswer.omit({ manifest: true }).extend({
	publisher_token: z
		.string()
		.optional()
		.meta({ description: "Returned once, to a new publisher; later submissions need it" }),
});

export const RefusedSubmission = z.object({
	error: z.string(),
	issues: z.array(z.object({ path: z.string(), message: z.string() })),
	checks: z.array(Check).optional(),
});

export const WaitingPage = z.object({
	submissions: z.array(
		SubmissionAnswer.pick({
			id: true,
			component: true,
			version: true,
			publisher: true,
			sha256: true,
			created_at: true,
			expires_at: true,
		}).extend({
			title: z.string(),
			kind: z.enum(["recipe", "code"]),
			hosts: z.array(z.string()),
			credentials: z.array(z.string()),
		}),
	),
	next_cursor: NextCursor,
});

export const StatisticsAnswer = z.object({
	totals: z.object({ components: z.int(), versions: z.int(), installs: z.int() }),
	components: z
		.array(z.object({ id: z.string(), installs: z.int() }))
		.meta({ description: "Most installed first" }),
	days: z
		.array(
			z.object({
				date: z.string(),
				installs: z.int(),
				components: z.array(z.object({ id: z.string(), installs: z.int() })),
			}),
		)
		.meta({ description: "UTC days with installs among the last 90, newest first" }),
});
