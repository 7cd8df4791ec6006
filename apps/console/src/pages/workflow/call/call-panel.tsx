import { buildQueryCurl, listCalls } from "@tripline/contract/calling/samples";
import type { WorkflowDetail } from "../../../api/types.ts";
import { parseInput } from "../../../inputs/json-text.ts";
import { useTexts } from "../../../texts/texts.ts";
import { Snippet } from "../../../ui/copy.tsx";
import { Empty } from "../../../ui/empty.tsx";
import { Time } from "../../../ui/time.tsx";
import { TriggerWords } from "../../workflows/trigger-words.tsx";
import { Calls } from "./calls.tsx";
import { ChatAddress } from "./chat-address.tsx";
import { FormAddress } from "./form-address.tsx";
import { Senders } from "./senders.tsx";
import { SignatureFacts } from "./signature-facts.tsx";
import { CALL } from "./texts.ts";
import { TriggerFacts } from "./trigger-facts.tsx";
import { MailboxState, PollState } from "./trigger-state.tsx";
import { TRIGGER } from "./trigger-texts.ts";

interface Props {
	readonly detail: WorkflowDetail | null;
	/** The input of the Run tab. */
	readonly input: string;
}

/** All ways to start the workflow from outside. */
export function CallPanel({ detail, input }: Props) {
	const text = useTexts(CALL);
	const facts = useTexts(TRIGGER);
	if (detail === null) return <Empty icon="connect" title={text.notSaved} />;
	const { workflow, call } = detail;
	const { trigger } = workflow;
	const { signature, auth } = call;
	const value = parseInput(input).value ?? {};
	const repeatable = listCalls(call, { input: value, idempotencyKey: "order-7" }).find(
		({ kind }) => kind !== "html" && kind !== "query",
	);
	return (
		<div className="call-panel">
			<section>
				<h2>{text.webhook}</h2>
				<p className="soft">{text.webhookText}</p>
				<Snippet of={call.webhook_url} label={text.url} />
				<TriggerFacts of={call} />
				{signature === null && auth === null && <p className="soft">{facts.open}</p>}
			</section>
			<section>
				<h2>{facts.calls}</h2>
				<Calls detail={detail} input={input} />
			</section>
			<FormAddress of={call} />
			{call.chat_url !== null && <ChatAddress name={workflow.name} />}
			{signature !== null && <SignatureFacts of={signature} />}
			{trigger?.type !== "schedule" &&
				trigger?.type !== "event" &&
				auth === null &&
				call.form_url === null && <Senders scheme={signature?.scheme ?? null} />}
			<section>
				<h2>{text.idempotency}</h2>
				<p className="soft">{text.idempotencyText}</p>
				{signature === null && repeatable !== undefined && (
					<Snippet of={repeatable.text} label={text.idempotency} />
				)}
				<h2>{text.async}</h2>
				<p className="soft">{text.asyncText}</p>
			</section>
			{trigger?.type === "schedule" && (
				<section>
					<h2>{text.schedule}</h2>
					<p>
						<TriggerWords of={trigger} />
					</p>
					<dl className="facts">
						<dt>cron</dt>
						<dd>
							<code>{trigger.cron}</code>
						</dd>
						<dt>{text.timeZone}</dt>
						<dd>{trigger.timezone ?? "UTC"}</dd>
						{workflow.next_run_at !== null && (
							<>
								<dt>{text.nextRun}</dt>
								<dd>
									<Time at={workflow.next_run_at} />
								</dd>
							</>
						)}
					</dl>
					{detail.poll !== null && <PollState of={detail.poll} />}
					<p className="soft">{text.scheduleText}</p>
				</section>
			)}
			{detail.mailbox !== null && (
				<section>
					<h2>{text.mail}</h2>
					<p>
						<TriggerWords of={trigger} />
					</p>
					<MailboxState of={detail.mailbox} />
					<p className="soft">{text.mailText}</p>
				</section>
			)}
			{trigger?.event !== undefined && (
				<section>
					<h2>{text.event}</h2>
					<Snippet of={trigger.event} label={text.event} />
					<p className="soft">{text.eventText}</p>
				</section>
			)}
			{call.query_url !== null && (
				<section>
					<h2>{text.query}</h2>
					<p className="soft">{text.queryText}</p>
					<Snippet of={buildQueryCurl(call.query_url, value)} label={text.query} />
				</section>
			)}
			<section>
				<h2>{text.tool}</h2>
				<p className="soft">{workflow.expose ? text.toolText : text.notToolText}</p>
			</section>
		</div>
	);
}
