import type { WorkflowDetail } from "../../../api/types.ts";
import { compactInput, parseInput } from "../../../inputs/json-text.ts";
import { useTexts } from "../../../texts/texts.ts";
import { Snippet } from "../../../ui/copy.tsx";
import { Empty } from "../../../ui/empty.tsx";
import { Time } from "../../../ui/time.tsx";
import { TriggerWords } from "../../workflows/trigger-words.tsx";
import { buildCurl, buildQueryCurl, buildSignedCurl } from "./curl.ts";
import { SignatureFacts } from "./signature-facts.tsx";
import { CALL } from "./texts.ts";

interface Props {
	readonly detail: WorkflowDetail | null;
	/** The input of the Run tab. */
	readonly input: string;
}

/** All ways to start the workflow from outside. */
export function CallPanel({ detail, input }: Props) {
	const text = useTexts(CALL);
	if (detail === null) return <Empty icon="connect" title={text.notSaved} />;
	const { workflow, call } = detail;
	const { trigger } = workflow;
	const body = input.trim() === "" ? "{}" : compactInput(input);
	return (
		<div className="call-panel">
			<section>
				<h2>{text.webhook}</h2>
				<p className="soft">{text.webhookText}</p>
				<Snippet of={call.webhook_url} label={text.url} />
				{call.signature === null && <p className="soft">{text.openWarning}</p>}
				<h2>{text.curl}</h2>
				<p className="soft">
					{text.curlText} {call.signature !== null && text.secretHint}
				</p>
				{call.signature === null ? (
					<Snippet of={buildCurl(call.webhook_url, body)} label={text.curl} />
				) : (
					<Snippet of={buildSignedCurl(call.webhook_url, body, call.signature.scheme)} label={text.curl} />
				)}
			</section>
			{call.signature !== null && <SignatureFacts of={call.signature} />}
			<section>
				<h2>{text.idempotency}</h2>
				<p className="soft">{text.idempotencyText}</p>
				{call.signature === null && (
					<Snippet of={buildCurl(call.webhook_url, body, "order-7")} label={text.idempotency} />
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
					<p className="soft">{text.scheduleText}</p>
				</section>
			)}
			{trigger?.type === "event" && (
				<section>
					<h2>{text.event}</h2>
					<Snippet of={trigger.event ?? ""} label={text.event} />
					<p className="soft">{text.eventText}</p>
				</section>
			)}
			{call.query_url !== null && (
				<section>
					<h2>{text.query}</h2>
					<p className="soft">{text.queryText}</p>
					<Snippet of={buildQueryCurl(call.query_url, parseInput(input).value ?? {})} label={text.query} />
				</section>
			)}
			<section>
				<h2>{text.tool}</h2>
				<p className="soft">{workflow.expose ? text.toolText : text.notToolText}</p>
			</section>
		</div>
	);
}
