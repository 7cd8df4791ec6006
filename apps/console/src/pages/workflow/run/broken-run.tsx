import { ApiProblem } from "../../../api/call.ts";
import type { ExecutionDetail } from "../../../api/types.ts";
import type { Query } from "../../../api/use-query.ts";
import { useTexts } from "../../../texts/texts.ts";
import { Icon } from "../../../ui/icon.tsx";
import { Problem } from "../../../ui/problem.tsx";
import { RUNS } from "./texts.ts";

interface Props {
	readonly ended: number;
	readonly nodes: number;
	/** False if the connection was lost before the run ID arrived. */
	readonly isKnown: boolean;
	readonly looking: Query<ExecutionDetail>;
}

/** Shown after a lost connection: the last known progress, while the run's record is looked up. */
export function BrokenRun({ ended, nodes, isKnown, looking }: Props) {
	const text = useTexts(RUNS);
	const { problem, reload } = looking;
	const hasNoRecord = problem instanceof ApiProblem && problem.status === 404;
	return (
		<div className="broken-run">
			<p className="run-status numbers">
				<Icon name="alert" />
				<strong>{isKnown ? text.connectionLost(ended, nodes) : text.connectionLostEarly}</strong>
			</p>
			{isKnown && (problem === null || hasNoRecord) && (
				<p className="run-status">
					<span className="spinner" /> <span className="soft">{text.checkingResult}</span>
				</p>
			)}
			{isKnown && hasNoRecord && <p className="soft">{text.noRecord}</p>}
			{isKnown && problem !== null && !hasNoRecord && <Problem error={problem} retry={reload} />}
		</div>
	);
}
