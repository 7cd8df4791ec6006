import type { ExecutionDetail } from "../../../api/types.ts";
import type { Query } from "../../../api/use-query.ts";
import { formatDuration } from "../../../numbers.ts";
import { Link } from "../../../router.tsx";
import { buildExecutionPath } from "../../../shell/places.ts";
import { useTexts } from "../../../texts/texts.ts";
import { Button } from "../../../ui/button.tsx";
import { CopyButton } from "../../../ui/copy.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { Problem } from "../../../ui/problem.tsx";
import { WaitingUntil } from "../../../ui/time.tsx";
import { BrokenRun } from "./broken-run.tsx";
import { JsonTree } from "./json-tree.tsx";
import { describeRefusal } from "./refusal.ts";
import { findFailedNode } from "./run-states.ts";
import { RUNS } from "./texts.ts";
import type { Run } from "./use-run.ts";

interface Props {
	readonly run: Run;
	readonly looking: Query<ExecutionDetail>;
	readonly nodes: number;
	onShowNode(id: string): void;
}

interface Outcome {
	readonly isGood: boolean;
	readonly duration: number;
	readonly error: string;
}

/** Progress and result of a run. */
export function RunOutcome({ run, looking, nodes, onShowNode }: Props) {
	const text = useTexts(RUNS);
	const { phase, states, result, found, hasContinued, problem, executionId } = run;
	const outcome = getOutcome(run);
	const ended = [...states.values()].filter(
		({ status }) => status !== "running" && status !== "retrying",
	).length;
	return (
		<div className="run-outcome">
			<div aria-live="polite">
				{(phase === "none" || describeRefusal(problem) !== null) && (
					<p className="soft">{text.notStartedHint}</p>
				)}
				{phase === "running" && (
					<p className="run-status numbers">
						<span className="spinner" /> <strong>{text.running}</strong>
						<span className="soft">{text.progress(ended, Math.max(nodes, ended))}</span>
					</p>
				)}
				{phase === "broken" && (
					<BrokenRun
						ended={ended}
						nodes={Math.max(nodes, ended)}
						isKnown={executionId !== null}
						looking={looking}
					/>
				)}
				{phase === "continuing" && <ContinuingRun until={looking.data?.unfinished?.until} />}
				{problem !== null && describeRefusal(problem) === null && <Problem error={problem} />}
				{outcome !== null && (
					<p className={`run-status numbers ${outcome.isGood ? "good" : "bad"}`}>
						<Icon name={outcome.isGood ? "check" : "alert"} />
						<strong>
							{(outcome.isGood ? text.succeeded : text.failed)(formatDuration(outcome.duration))}
						</strong>
					</p>
				)}
			</div>
			{outcome?.isGood === false && (
				<Failure error={outcome.error} node={findFailedNode(states)} onShowNode={onShowNode} />
			)}
			{found?.status === "success" && (
				<p className="soft">{hasContinued ? text.resultNotKept : text.resultNotStored}</p>
			)}
			{result?.success === true && (
				<>
					<div className="run-result-head">
						<h2>{text.result}</h2>
						<CopyButton
							of={typeof result.data === "string" ? result.data : JSON.stringify(result.data, null, 2)}
						/>
					</div>
					<JsonTree key={result.execution_id} value={result.data} />
				</>
			)}
			{executionId !== null && (phase === "ended" || phase === "continuing") && (
				<p>
					<Link to={buildExecutionPath(executionId)}>{text.openRun}</Link>
				</p>
			)}
		</div>
	);
}

/** Shown while a run waits that was started here. */
function ContinuingRun({ until }: { readonly until: string | undefined }) {
	const text = useTexts(RUNS);
	return (
		<>
			{until !== undefined && (
				<p className="run-status numbers">
					<Icon name="clock" />
					<strong>
						<WaitingUntil at={until} />
					</strong>
				</p>
			)}
			<p className="soft">{text.goesOn}</p>
		</>
	);
}

/** Reads the status from the result, or from the record if the run went on without a connection. */
function getOutcome({ result, found, states }: Run): Outcome | null {
	if (result !== null)
		return { isGood: result.success, duration: result.duration_ms, error: result.error ?? "" };
	if (found === null) return null;
	const failed = [...states.values()].find(({ status }) => status === "failed");
	return {
		isGood: found.status === "success",
		duration: found.record?.duration_ms ?? 0,
		error: found.record?.error ?? failed?.error ?? "",
	};
}

function Failure({
	error,
	node,
	onShowNode,
}: {
	readonly error: string;
	readonly node: string | null;
	onShowNode(id: string): void;
}) {
	const text = useTexts(RUNS);
	return (
		<>
			<p className="node-panel-error">{error}</p>
			{node !== null && (
				<Button isSmall icon="search" onClick={() => onShowNode(node)}>
					{text.showNode(node)}
				</Button>
			)}
		</>
	);
}
