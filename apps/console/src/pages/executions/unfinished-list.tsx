import { useId } from "react";
import type { UnfinishedExecution } from "../../api/types.ts";
import { formatElapsed, formatNumber } from "../../numbers.ts";
import { Link } from "../../router.tsx";
import { useTexts } from "../../texts/texts.ts";
import { Icon } from "../../ui/icon.tsx";
import { Status } from "../../ui/status.tsx";
import { Time, WaitingUntil } from "../../ui/time.tsx";
import { CancelRun } from "./cancel-run.tsx";
import { EXECUTIONS } from "./texts.ts";

interface Props {
	readonly runs: readonly UnfinishedExecution[];
	readonly hasMore: boolean;
	readonly chosen: string | undefined;
	buildPath(id: string): string;
	onCancelled(): void;
}

/** Runs in progress, above those that have ended. */
export function UnfinishedList({ runs, hasMore, chosen, buildPath, onCancelled }: Props) {
	const text = useTexts(EXECUTIONS);
	const id = useId();
	if (runs.length === 0) return null;
	return (
		<section className="unfinished" aria-labelledby={id}>
			<h2 id={id}>
				{text.inProgress}{" "}
				<span className="soft numbers">{`${formatNumber(runs.length)}${hasMore ? "+" : ""}`}</span>
			</h2>
			<ul>
				{runs.map((run) => (
					<li key={run.id}>
						<Row run={run} to={buildPath(run.id)} isChosen={run.id === chosen} />
						<CancelRun id={run.id} workflow={run.workflow} isInRow onCancelled={onCancelled} />
					</li>
				))}
			</ul>
		</section>
	);
}

interface RowProps {
	readonly run: UnfinishedExecution;
	readonly to: string;
	readonly isChosen: boolean;
}

function Row({ run, to, isChosen }: RowProps) {
	const { workflow, status, time, trigger, attempts, until, waits_for } = run;
	const text = useTexts(EXECUTIONS);
	const how = [text.triggers[trigger] ?? trigger, attempts > 1 && text.resumed(attempts - 1)];
	const elapsed = formatElapsed(Date.now() - Date.parse(time));
	return (
		<Link to={to} className="execution-row" aria-current={isChosen ? "true" : undefined}>
			<span className="execution-status">
				<Status of={status} />
			</span>
			<span className={`execution-mark ${status}`}>
				<Icon name={status === "running" ? "run" : "clock"} />
			</span>
			<span className="execution-name">{workflow}</span>
			<span className="execution-when soft numbers">
				<Time at={time} />
			</span>
			{until === undefined ? (
				<>
					<span className="execution-more">{how.filter(Boolean).join(" · ")}</span>
					<span className="execution-duration soft numbers">{elapsed}</span>
				</>
			) : (
				<span className="execution-more until numbers">
					<WaitingUntil at={until} on={waits_for} />
				</span>
			)}
		</Link>
	);
}
