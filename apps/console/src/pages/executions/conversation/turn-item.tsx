import type { KeptNode } from "../../../api/types.ts";
import { formatDuration, formatElapsed, formatNumber } from "../../../numbers.ts";
import { Link } from "../../../router.tsx";
import { buildExecutionPath } from "../../../shell/places.ts";
import { useTexts } from "../../../texts/texts.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Status } from "../../../ui/status.tsx";
import { KeptValueView } from "../../../values/kept-value.tsx";
import {
	isAnswered,
	isApproved,
	readComment,
	type ToolCall,
	type Turn,
	toText,
	type Usage,
} from "./build.ts";
import { Shown } from "./shown.tsx";
import { CONVERSATION } from "./texts.ts";

/** What a call without an answer does. */
export type Pending = "running" | "waiting";

const MAX_EXACT_MS = 60_000;

export const formatTook = (ms: number): string =>
	ms < MAX_EXACT_MS ? formatDuration(ms) : formatElapsed(ms);

interface Props {
	readonly of: Turn;
	readonly number: number;
	readonly agent: string;
	/** Steps that did not run, because their output was pinned. */
	readonly pinned: ReadonlySet<string>;
	readonly pending: Pending | null;
}

/** An answer of the model, with the calls that it made. */
export function TurnItem({
	of: { step, text: said, isCut, usage, calls },
	number,
	agent,
	pinned,
	pending,
}: Props) {
	const text = useTexts(CONVERSATION);
	return (
		<li className="message">
			<div className="trace-head">
				<strong>{text.turn(number)}</strong>
				{pinned.has(step.id) && <Badge>{text.wasPinned}</Badge>}
				{step.status !== "success" && <Status of={step.status} />}
			</div>
			<p className="soft numbers">
				<Figures usage={usage} ms={step.duration_ms} />
			</p>
			{said !== "" && <p className="message-text">{said}</p>}
			{said === "" && calls.length === 0 && step.status === "success" && (
				<p className="soft">{isCut ? text.isCut : text.saidNothing}</p>
			)}
			{step.error !== undefined && <p className="trace-error">{step.error}</p>}
			{calls.length > 0 && (
				<ul className="tool-calls" aria-label={text.calls}>
					{calls.map((call) => (
						<CallItem
							key={call.key}
							of={call}
							isPinned={pinned.has(`${agent}/${call.name}`)}
							pending={pending}
						/>
					))}
				</ul>
			)}
		</li>
	);
}

function Figures({ usage, ms }: { readonly usage: Usage | null; readonly ms: number | undefined }) {
	const text = useTexts(CONVERSATION);
	const { input = null, output = null, cost = null } = usage ?? {};
	const parts = [
		input !== null && output !== null && text.tokens(formatNumber(input), formatNumber(output)),
		cost !== null && text.cost(formatNumber(cost)),
		ms !== undefined && formatTook(ms),
	];
	return parts.filter((part) => part !== false).join(" · ");
}

interface CallProps {
	readonly of: ToolCall;
	readonly isPinned: boolean;
	readonly pending: Pending | null;
}

function CallItem({ of, isPinned, pending }: CallProps) {
	const text = useTexts(CONVERSATION);
	const { name, given, approval, step, refusal } = of;
	return (
		<li>
			<div className="trace-head">
				<code>{name}</code>
				{step?.duration_ms !== undefined && (
					<span className="soft numbers">{formatTook(step.duration_ms)}</span>
				)}
				<span className="trace-side">
					{isPinned && <Badge>{text.wasPinned}</Badge>}
					{approval !== null && isApproved(approval) && <Badge tone="good">{text.approved}</Badge>}
					<CallStatus of={of} pending={pending} />
				</span>
			</div>
			{given !== undefined && <Shown label={text.given}>{toText(given)}</Shown>}
			{approval !== null && <Approval of={approval} />}
			{step?.error !== undefined && <p className="trace-error">{step.error}</p>}
			{step === null && approval === null && refusal !== null && <p className="trace-error">{refusal}</p>}
			{step?.output !== undefined && <Result of={step.output} />}
			{step?.called !== undefined && (
				<p>
					<Link to={buildExecutionPath(step.called)}>{text.called}</Link>
				</p>
			)}
		</li>
	);
}

function CallStatus({ of, pending }: Omit<CallProps, "isPinned">) {
	const text = useTexts(CONVERSATION);
	const { step, approval } = of;
	if (step !== null) return <Status of={step.status} />;
	if (!isAnswered(of)) return pending === null ? null : <Badge tone="accent">{text.pending[pending]}</Badge>;
	if (approval === null) return <Badge tone="bad">{text.notMade}</Badge>;
	return <Badge tone="bad">{approval.status === "success" ? text.refused : text.expired}</Badge>;
}

function Approval({ of }: { readonly of: KeptNode }) {
	const text = useTexts(CONVERSATION);
	const comment = of.status === "success" ? readComment(of) : "";
	return (
		<p className="soft">
			{of.status === "success" && text.asked(formatTook(of.duration_ms ?? 0))}
			{comment !== "" && ` ${text.comment(comment)}`}
			{of.error}
		</p>
	);
}

function Result({ of }: { readonly of: NonNullable<KeptNode["output"]> }) {
	const text = useTexts(CONVERSATION);
	if (!("bytes" in of)) return <Shown label={text.result}>{toText(of.json)}</Shown>;
	return <KeptValueView of={of} label={text.result} root={null} view="raw" query="" />;
}
