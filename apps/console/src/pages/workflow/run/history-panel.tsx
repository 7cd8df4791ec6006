import type { ExecutionDetail, ExecutionRecord } from "../../../api/types.ts";
import type { Query } from "../../../api/use-query.ts";
import { formatDuration } from "../../../numbers.ts";
import { Link } from "../../../router.tsx";
import { buildExecutionPath } from "../../../shell/places.ts";
import { useTexts } from "../../../texts/texts.ts";
import { Button } from "../../../ui/button.tsx";
import { Empty } from "../../../ui/empty.tsx";
import { Icon } from "../../../ui/icon.tsx";
import { Loaded } from "../../../ui/loaded.tsx";
import { Status } from "../../../ui/status.tsx";
import { Time } from "../../../ui/time.tsx";
import { RUNS } from "./texts.ts";

interface Props {
	readonly executions: readonly ExecutionRecord[];
	readonly chosen: string | null;
	readonly detail: Query<ExecutionDetail>;
	/** Time of the last save. */
	readonly savedAt: string | null;
	onChoose(id: string | null): void;
	onShowNode(id: string): void;
}

/** The latest runs. The selected one is shown on the graph. */
export function HistoryPanel({ executions, chosen, detail, savedAt, onChoose, onShowNode }: Props) {
	const text = useTexts(RUNS);
	if (executions.length === 0 && chosen === null) return <Empty icon="clock" title={text.noRuns} />;
	return (
		<div className="stack">
			<ul className="history-strip" aria-label={text.latestRuns}>
				{executions.map((record) => (
					<li key={record.id}>
						<button
							type="button"
							aria-pressed={record.id === chosen}
							title={text.showOnGraph}
							onClick={() => onChoose(record.id === chosen ? null : record.id)}
						>
							<Status of={record.verdict} />
							<Time at={record.time} />
							<span className="soft numbers">{formatDuration(record.duration_ms)}</span>
						</button>
					</li>
				))}
			</ul>
			{chosen !== null && (
				<Loaded query={detail}>
					{(found) => (
						<ChosenRun
							of={found}
							record={found.record ?? executions.find(({ id }) => id === chosen) ?? null}
							savedAt={savedAt}
							onHide={() => onChoose(null)}
							onShowNode={onShowNode}
						/>
					)}
				</Loaded>
			)}
		</div>
	);
}

interface ChosenProps {
	readonly of: ExecutionDetail;
	readonly record: ExecutionRecord | null;
	readonly savedAt: string | null;
	onHide(): void;
	onShowNode(id: string): void;
}

function ChosenRun({ of, record, savedAt, onHide, onShowNode }: ChosenProps) {
	const text = useTexts(RUNS);
	const failed = of.nodes?.find(({ status }) => status === "failed")?.id ?? record?.failed_node ?? null;
	return (
		<section className="history-chosen">
			<div className="history-head">
				<Status of={of.status} />
				{record !== null && (
					<>
						<Time at={record.time} />
						<span className="soft numbers">{formatDuration(record.duration_ms)}</span>
						{record.trigger !== null && (
							<span className="soft">{text.triggers[record.trigger] ?? record.trigger}</span>
						)}
					</>
				)}
				<Link to={buildExecutionPath(of.execution_id)}>{text.openRun}</Link>
				<Button isSmall kind="quiet" icon="cross" onClick={onHide}>
					{text.clearFromGraph}
				</Button>
			</div>
			{of.status === "accepted" && <p className="soft">{text.stillRunning}</p>}
			{record !== null && record.error !== "" && <p className="node-panel-error">{record.error}</p>}
			{failed !== null && (
				<Button isSmall icon="search" onClick={() => onShowNode(failed)}>
					{text.showNode(failed)}
				</Button>
			)}
			{of.nodes === null && of.status !== "accepted" && (
				<div className="history-note">
					<Icon name="info" size={14} />
					<p>
						{text.traceUnavailable} {failed !== null && text.failedAtNode(failed)}
					</p>
				</div>
			)}
			{of.nodes === null && record?.nodes !== undefined && (
				<p className="soft">
					{text.nodes}: {record.nodes.map(({ id }) => id).join(", ")}
				</p>
			)}
			{record !== null && savedAt !== null && savedAt > record.time && (
				<div className="history-note">
					<Icon name="info" size={14} />
					<p>{text.savedSinceRun}</p>
				</div>
			)}
		</section>
	);
}
