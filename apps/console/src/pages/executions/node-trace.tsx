import type { ExecutionRecord, NodeTrace } from "../../api/types.ts";
import { formatDuration } from "../../numbers.ts";
import { useTexts } from "../../texts/texts.ts";
import { Badge } from "../../ui/badge.tsx";
import { Status } from "../../ui/status.tsx";
import { NodeButton } from "./data/kept-nodes.tsx";
import { EXECUTIONS } from "./texts.ts";

interface Props {
	readonly nodes: readonly NodeTrace[];
	/** Shows what a node received and gave. */
	onShow(node: string): void;
}

/** The nodes of a run with their relative durations. */
export function Trace({ nodes, onShow }: Props) {
	const text = useTexts(EXECUTIONS);
	const longest = Math.max(1, ...nodes.map(({ duration_ms }) => duration_ms));
	return (
		<ol className="trace">
			{nodes.map((node) => (
				<li key={node.id} className={node.status}>
					<div className="trace-head">
						{node.status === "skipped" ? (
							<strong>{node.id}</strong>
						) : (
							<NodeButton node={node.id} onShow={onShow} />
						)}
						<code className="soft">{node.component}</code>
						<span className="trace-side">
							{node.attempts > 1 && <Badge tone="warn">{text.attempts(node.attempts)}</Badge>}
							<Status of={node.status} />
						</span>
					</div>
					{node.attempts > 0 && (
						<div className="trace-time">
							<span className="trace-bar" aria-hidden="true">
								<span style={{ width: `${(node.duration_ms / longest) * 100}%` }} />
							</span>
							<span className="soft numbers">{formatDuration(node.duration_ms)}</span>
						</div>
					)}
					{node.error !== undefined && <p className="trace-error">{node.error}</p>}
					{node.log !== undefined && node.log.length > 0 && (
						<details className="trace-log" open={node.status === "failed"}>
							<summary>{text.logLines(node.log.length)}</summary>
							{/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard. */}
							<pre tabIndex={0}>{node.log.join("\n")}</pre>
						</details>
					)}
				</li>
			))}
		</ol>
	);
}

/** The nodes of a failed run from its record, when the trace is no longer available. */
export function NodesOfRecord({ record }: { readonly record: ExecutionRecord | null }) {
	const text = useTexts(EXECUTIONS);
	const nodes = record?.nodes ?? [];
	return (
		<div className="execution-parts">
			<p className="soft">{text.traceUnavailable}</p>
			{nodes.length > 0 && (
				<>
					<p className="soft">{text.nodesAtThatTime}</p>
					<ul className="node-names">
						{nodes.map(({ id, component }) => (
							<li key={id}>
								<Badge tone={id === record?.failed_node ? "bad" : "neutral"}>
									{id}
									{component !== null && ` · ${component}`}
								</Badge>
							</li>
						))}
					</ul>
				</>
			)}
		</div>
	);
}
