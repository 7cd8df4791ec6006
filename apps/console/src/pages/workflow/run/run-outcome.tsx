import { durationOf } from "../../../numbers.ts";
import { Link } from "../../../router.tsx";
import { useTexts } from "../../../texts/texts.ts";
import { Button } from "../../../ui/button.tsx";
import { CopyButton } from "../../../ui/copy.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { Problem } from "../../../ui/problem.tsx";
import { JsonTree } from "./json-tree.tsx";
import { refusalOf } from "./refusal.ts";
import { failedIn } from "./run-states.ts";
import { RUNS } from "./texts.ts";
import type { Run } from "./use-run.ts";

interface Props {
	readonly run: Run;
	readonly nodes: number;
	onShowNode(id: string): void;
}

/** How far a run is, and what it gave. */
export function RunOutcome({ run, nodes, onShowNode }: Props) {
	const text = useTexts(RUNS);
	const { phase, states, result, problem, executionId } = run;
	const ended = [...states.values()].filter(
		({ status }) => status !== "running" && status !== "retrying",
	).length;
	return (
		<div className="run-outcome">
			<div aria-live="polite">
				{(phase === "none" || refusalOf(problem) !== null) && <p className="soft">{text.notStarted}</p>}
				{phase === "running" && (
					<p className="run-verdict numbers">
						<span className="spinner" /> <strong>{text.running}</strong>
						<span className="soft">{text.soFar(ended, Math.max(nodes, ended))}</span>
					</p>
				)}
				{phase === "broken" && <Problem error={new Error(text.broke)} />}
				{problem !== null && refusalOf(problem) === null && <Problem error={problem} />}
				{result !== null && (
					<p className={`run-verdict numbers ${result.success ? "good" : "bad"}`}>
						<Icon name={result.success ? "check" : "alert"} />
						<strong>
							{result.success
								? text.succeeded(durationOf(result.duration_ms))
								: text.failed(durationOf(result.duration_ms))}
						</strong>
					</p>
				)}
			</div>
			{result !== null && !result.success && (
				<Failure error={result.error ?? ""} node={failedIn(states)} onShowNode={onShowNode} />
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
			{executionId !== null && phase !== "running" && (
				<p>
					<Link to={`/executions/${executionId}`}>{text.toExecution}</Link>
				</p>
			)}
		</div>
	);
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
