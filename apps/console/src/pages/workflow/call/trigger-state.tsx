import type { WorkflowDetail } from "../../../api/types.ts";
import { useTexts } from "../../../texts/texts.ts";
import { Time } from "../../../ui/time.tsx";
import { STATE } from "./state-texts.ts";

type Mailbox = NonNullable<WorkflowDetail["mailbox"]>;

/** Whether the mailbox is read whose mails start the workflow. */
export function MailboxState({ of: mailbox }: { readonly of: Mailbox }) {
	const text = useTexts(STATE);
	const { connected_at, read_by, last_mail_at } = mailbox;
	return (
		<dl className="facts">
			<dt>{text.connection}</dt>
			<dd>
				{connected_at === null ? (
					text.unconnected[read_by ?? "nobody"]
				) : (
					<>
						{text.connected} <Time at={connected_at} />
						{read_by === "another_process" && ` · ${text.anotherProcess}`}
					</>
				)}
			</dd>
			<dt>{text.lastMail}</dt>
			<dd>{last_mail_at === null ? text.noMail : <Time at={last_mail_at} />}</dd>
			<Failures of={mailbox} />
		</dl>
	);
}

/** Whether the polls of a schedule succeed. */
export function PollState({ of: poll }: { readonly of: NonNullable<WorkflowDetail["poll"]> }) {
	const text = useTexts(STATE);
	return (
		<dl className="facts">
			<dt>{text.polls}</dt>
			<dd>
				{poll.since === null ? (
					text.notPolled
				) : (
					<>
						{text.polledSince} <Time at={poll.since} />
					</>
				)}
			</dd>
			<Failures of={poll} />
		</dl>
	);
}

function Failures({
	of: { error, failures, retry_at },
}: {
	readonly of: Pick<Mailbox, "error" | "failures" | "retry_at">;
}) {
	const text = useTexts(STATE);
	if (error === null) return null;
	return (
		<>
			<dt>{text.error}</dt>
			<dd>
				{error} · {text.failures(failures)}
			</dd>
			{retry_at !== null && (
				<>
					<dt>{text.retry}</dt>
					<dd>
						<Time at={retry_at} />
					</dd>
				</>
			)}
		</>
	);
}
