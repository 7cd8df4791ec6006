import type { WorkflowItem } from "../../api/types.ts";
import { useLanguage, useTexts } from "../../texts/texts.ts";
import { describeSchedule } from "./cron-words.ts";
import { WORKFLOWS } from "./texts.ts";

/** Describes the trigger of a workflow in words. Complex schedules are shown as cron expressions. */
export function TriggerWords({ of: trigger }: { readonly of: WorkflowItem["trigger"] | undefined }) {
	const text = useTexts(WORKFLOWS);
	const language = useLanguage();
	// Every workflow has a webhook, also without a trigger.
	if (trigger === null || trigger === undefined || trigger.type === "webhook") return <>{text.webhook}</>;
	const { email } = trigger;
	if (email !== undefined) return <>{text.mail(email.mailbox ?? "INBOX", email.credential)}</>;
	if (trigger.type === "event") return <>{text.event(trigger.event ?? "")}</>;
	const cron = trigger.cron ?? "";
	const words = describeSchedule(cron, language);
	return <span title={cron}>{text.scheduleInZone(words ?? cron, trigger.timezone ?? "UTC")}</span>;
}
