import { memo } from "react";
import type { ExecutionRecord } from "../../api/types.ts";
import { formatDuration } from "../../numbers.ts";
import { Link } from "../../router.tsx";
import { useTexts } from "../../texts/texts.ts";
import { Icon } from "../../ui/icon.tsx";
import { Status } from "../../ui/status.tsx";
import { Time } from "../../ui/time.tsx";
import { EXECUTIONS } from "./texts.ts";

export const ROW_HEIGHT = 60;

interface Props {
	readonly record: ExecutionRecord;
	readonly to: string;
	readonly isChosen: boolean;
}

export const ExecutionRow = memo(function ExecutionRow({ record, to, isChosen }: Props) {
	const text = useTexts(EXECUTIONS);
	const { workflow, verdict, error, target, trigger, duration_ms, time } = record;
	const how = [trigger !== null && (text.triggers[trigger] ?? trigger), target].filter(Boolean).join(" · ");
	return (
		<Link to={to} className="execution-row" aria-current={isChosen ? "true" : undefined}>
			<span className="execution-status">
				<Status of={verdict} />
			</span>
			<span className={`execution-mark ${verdict}`}>
				<Icon name={verdict === "failed" ? "alert" : "check"} />
			</span>
			<span className="execution-name">{workflow}</span>
			<span className="execution-when soft numbers">
				<Time at={time} />
			</span>
			<span className={verdict === "failed" ? "execution-more failed" : "execution-more"}>
				{verdict === "failed" ? error : how}
			</span>
			<span className="execution-duration soft numbers">{formatDuration(duration_ms)}</span>
		</Link>
	);
});
