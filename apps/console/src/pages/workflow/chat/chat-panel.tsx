import { Fragment, type KeyboardEvent, useEffect, useRef, useState } from "react";
import { Link } from "../../../router.tsx";
import { useTexts } from "../../../texts/texts.ts";
import { Button } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { Prose } from "../../../ui/prose.tsx";
import { describeRefusal } from "../run/refusal.ts";
import { RunOutcome } from "../run/run-outcome.tsx";
import { WORKFLOW } from "../texts.ts";
import type { Running } from "../use-running.ts";
import type { Turn } from "./stored-talk.ts";
import type { Talk } from "./use-talk.ts";

interface Props {
	readonly talk: Talk;
	readonly running: Running;
	/** Number of nodes. */
	readonly nodes: number;
	onShowNode(id: string): void;
}

/** A conversation with the workflow beside its graph. */
export function ChatPanel({ talk, running, nodes, onShowNode }: Props) {
	const text = useTexts(WORKFLOW);
	const { turns, asked, send, clear } = talk;
	const { run, isReady } = running;
	const [message, setMessage] = useState("");
	const log = useRef<HTMLDivElement>(null);
	const isBusy = asked !== null && run.phase !== "broken";
	const written = isBusy ? (run.written?.text ?? "") : "";
	const refusal = describeRefusal(run.problem);
	// biome-ignore lint/correctness/useExhaustiveDependencies: what is new is shown.
	useEffect(() => {
		log.current?.scrollTo(0, log.current.scrollHeight);
	}, [turns, asked, written]);
	return (
		<div className="run-panel">
			<div className="run-input">
				<p className="run-note">
					<Icon name="info" size={14} />
					{text.chatHint}
				</p>
				{/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls. */}
				<div ref={log} className="talk" role="log" aria-label={text.chatTab} tabIndex={0}>
					{turns.map((turn) => (
						<Fragment key={turn.number}>
							<p className="asked">{turn.message}</p>
							{turn.waitsIn === null ? <Reply of={turn.reply} /> : <Waiting of={turn} />}
						</Fragment>
					))}
					{asked !== null && <p className="asked">{asked}</p>}
					{written !== "" && <Reply of={written} />}
				</div>
				{refusal !== null && (
					<p role="alert" className="field-problem">
						{refusal}
					</p>
				)}
				<textarea
					className="talk-message"
					rows={Math.min(6, Math.max(2, message.split("\n").length))}
					aria-label={text.message}
					placeholder={text.message}
					value={message}
					onChange={({ target }) => setMessage(target.value)}
					onKeyDown={handleKey}
				/>
				<div className="actions">
					<Button
						kind="primary"
						isBusy={isBusy}
						disabled={message.trim() === "" || !isReady}
						onClick={sendMessage}
					>
						{text.send}
					</Button>
					<Button kind="quiet" disabled={isBusy || turns.length === 0} onClick={clear}>
						{text.newConversation}
					</Button>
				</div>
			</div>
			<RunOutcome run={run} looking={running.looking} nodes={nodes} onShowNode={onShowNode} />
		</div>
	);

	function handleKey(event: KeyboardEvent): void {
		if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
		event.preventDefault();
		sendMessage();
	}

	function sendMessage(): void {
		if (isBusy || !isReady || message.trim() === "") return;
		setMessage("");
		send(message);
	}
}

/** Who talks here is the owner, and may answer. */
function Waiting({ of: { waitsIn, waitsFor = null } }: { readonly of: Turn }) {
	const text = useTexts(WORKFLOW);
	return (
		<p className="soft">
			{text.replyWaits[waitsFor ?? "none"]}{" "}
			{waitsFor === "answer" && (
				<Link to={`/inbox?${new URLSearchParams({ run: waitsIn ?? "" })}`}>{text.answerInInbox}</Link>
			)}
		</p>
	);
}

function Reply({ of: reply }: { readonly of: string | null }) {
	const text = useTexts(WORKFLOW);
	if (reply === null || reply === "") return <p className="soft">{text.noReply}</p>;
	return (
		<div>
			<Prose of={reply} />
		</div>
	);
}
