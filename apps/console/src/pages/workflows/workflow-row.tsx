import { memo } from "react";
import type { WorkflowItem } from "../../api/types.ts";
import { formatDuration } from "../../numbers.ts";
import { Link } from "../../router.tsx";
import { buildWorkflowPath } from "../../shell/places.ts";
import { useTexts } from "../../texts/texts.ts";
import { Badge } from "../../ui/badge.tsx";
import { Icon, type IconName } from "../../ui/icon.tsx";
import { Status } from "../../ui/status.tsx";
import { Time } from "../../ui/time.tsx";
import { EnabledSwitch } from "./enabled-switch.tsx";
import { WORKFLOWS } from "./texts.ts";
import { TriggerWords } from "./trigger-words.tsx";

interface Props {
	readonly of: WorkflowItem;
	onSwitched(name: string, enabled: boolean): void;
}

export const WorkflowRow = memo(function WorkflowRow({ of: item, onSwitched }: Props) {
	const text = useTexts(WORKFLOWS);
	const { last_execution: last } = item;
	const tags = item.tags.map((tag) => `#${tag}`).join(" ");
	return (
		<div className={item.enabled ? "workflow-row" : "workflow-row off"}>
			<div className="workflow-name">
				<p className="line">
					<Link to={buildWorkflowPath(item.name)} title={item.name}>
						{item.name}
					</Link>
					{item.expose && (
						<span title={text.exposedHint}>
							<Badge tone="accent">{text.exposed}</Badge>
						</span>
					)}
					{tags !== "" && (
						<span className="workflow-tags soft" title={tags}>
							{tags}
						</span>
					)}
				</p>
				<p className="soft" title={item.description}>
					{item.description}
				</p>
			</div>
			<p className="workflow-trigger">
				<Icon name={pickIcon(item)} size={14} />
				<span>
					<TriggerWords of={item.trigger} />
				</span>
			</p>
			<p className="workflow-next numbers">
				{item.next_run_at === null ? (
					<span className="soft">
						<span aria-hidden="true">–</span>
						<span className="hidden-text">{text.noSchedule}</span>
					</span>
				) : (
					<>
						<span className="workflow-label soft">{text.columns.next} </span>
						<Time at={item.next_run_at} />
					</>
				)}
			</p>
			<div className="workflow-last numbers">
				{last === null ? (
					<p className="soft">{text.noRuns}</p>
				) : (
					<>
						<p className="line">
							<Status of={last.verdict} />
							<Time at={last.time} />
							<span className="soft">{formatDuration(last.duration_ms)}</span>
						</p>
						{last.verdict === "failed" && last.error !== "" && (
							<p className="workflow-error" title={last.error}>
								{last.error}
							</p>
						)}
					</>
				)}
			</div>
			<div className="workflow-switch">
				<EnabledSwitch
					name={item.name}
					isEnabled={item.enabled}
					onSwitched={(enabled) => onSwitched(item.name, enabled)}
				/>
			</div>
		</div>
	);
});

function pickIcon({ trigger }: WorkflowItem): IconName {
	if (trigger?.type === "schedule") return "clock";
	if (trigger?.type === "event") return "overview";
	return trigger?.type === "webhook" ? "connect" : "run";
}
