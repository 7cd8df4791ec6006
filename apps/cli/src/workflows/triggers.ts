import type { TriggerState } from "@tripline/executor/client";
import type { Invocation, Outcome } from "../command.ts";
import { formatTime } from "../format-time.ts";
import { createExecutor } from "../services.ts";
import { type Described, findWorkflow } from "../versions/find.ts";

type Shown = Pick<Described, "name" | "enabled" | "trigger" | "next_run_at"> & TriggerState;

export async function run({ positionals, io }: Invocation): Promise<Outcome> {
	const executor = createExecutor(io);
	const given = positionals.workflow as string | undefined;
	const found =
		given === undefined
			? (await executor.workflows.list()).workflows
			: [await findWorkflow(executor, "triggers", given)];
	const workflows: Shown[] = [];
	for (const { name, enabled, trigger, next_run_at } of found) {
		const state = await executor.workflows.triggerState(name, trigger);
		workflows.push({ name, enabled, trigger, next_run_at, ...state });
	}
	return {
		json: { workflows },
		text: {
			columns: ["workflow", "trigger", "next run", "state"],
			rows: workflows.map((workflow) => [
				workflow.name,
				describeTrigger(workflow.trigger),
				workflow.next_run_at === null ? "" : formatTime(workflow.next_run_at),
				describeState(workflow),
			]),
			empty: "no workflows yet",
		},
	};
}

function describeTrigger(trigger: Described["trigger"]): string {
	switch (trigger?.type) {
		case "schedule":
			return `${trigger.poll === undefined ? "schedule" : "poll"} ${trigger.cron} ${trigger.timezone ?? "UTC"}`;
		case "event":
			return trigger.email === undefined
				? `event ${trigger.event}`
				: `mail ${trigger.email.credential} ${trigger.email.mailbox ?? "INBOX"}`;
		default:
			return trigger?.chat === undefined ? "webhook" : "chat";
	}
}

function describeState({ enabled, mailbox, poll }: Shown): string {
	if (!enabled) return "disabled";
	const state = mailbox ?? poll;
	if (state === null) return "";
	const { error, retry_at, since } = state;
	if (error !== null)
		return `failed: ${error}${retry_at === null ? "" : `; again at ${formatTime(retry_at)}`}`;
	if (mailbox === null) return since === null ? "not polled yet" : `polled since ${formatTime(since)}`;
	const { connected_at, read_by, last_mail_at } = mailbox;
	if (connected_at === null) return read_by === null ? "not read" : "connecting";
	const last = last_mail_at === null ? "no mail yet" : `last mail ${formatTime(last_mail_at)}`;
	return `connected since ${formatTime(connected_at)}, ${last}`;
}
