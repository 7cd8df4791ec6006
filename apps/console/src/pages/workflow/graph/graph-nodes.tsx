import type { LoopRelation } from "@tripline/contract/workflows";
import { Handle, type NodeProps, type NodeTypes, Position } from "@xyflow/react";
import { type KeyboardEvent, type MouseEvent, memo, useContext } from "react";
import { formatDuration } from "../../../numbers.ts";
import { PINS } from "../../../pins/texts.ts";
import { useTexts } from "../../../texts/texts.ts";
import { COMMON } from "../../../ui/common-texts.ts";
import { Icon, type IconName } from "../../../ui/icon.tsx";
import { TriggerWords } from "../../workflows/trigger-words.tsx";
import type { NodeState } from "../run/run-states.ts";
import { WORKFLOW } from "../texts.ts";
import { MARK_ICONS } from "../versions/mark-icons.ts";
import { VERSIONS } from "../versions/texts.ts";
import { type DrawnTrigger, INPUT } from "./drawn.ts";
import { GraphContext } from "./graph-state.ts";

const ICONS: Readonly<Record<NodeState["status"], IconName | null>> = {
	running: null,
	retrying: null,
	success: "check",
	failed: "cross",
	skipped: "minus",
	cancelled: "minus",
};

/** Element ID of a node's button, for moving the focus to it. */
export const buttonId = (node: string): string => `graph-node-${node}`;

function useNode(id: string) {
	const { states, hasRun, marks, pinned, selected, focusable, onSelect, onFocus, onKey } =
		useContext(GraphContext);
	const isSelected = selected === id;
	return {
		state: states.get(id),
		hasRun,
		mark: marks.get(id),
		isPinned: pinned.has(id),
		isSelected,
		control: {
			id: buttonId(id),
			type: "button" as const,
			tabIndex: focusable === id ? 0 : -1,
			"aria-pressed": isSelected,
			onClick: (event: MouseEvent) => onSelect(id, event.detail > 0),
			onFocus: () => onFocus(id),
			onKeyDown: (event: KeyboardEvent) => {
				if (onKey(id, event.key)) event.preventDefault();
			},
		},
	};
}

/** Handles that the library requires to connect nodes; lines use the layout's points. */
function Ends() {
	return (
		<>
			<Handle type="target" position={Position.Left} isConnectable={false} />
			<Handle type="source" position={Position.Right} isConnectable={false} />
		</>
	);
}

function Step({ id, data }: NodeProps) {
	const { state, hasRun, mark, isPinned, isSelected, control } = useNode(id);
	const { component } = data as { component: string };
	const text = useTexts(WORKFLOW);
	const { marks } = useTexts(VERSIONS);
	const pins = useTexts(PINS);
	const status = state?.status ?? (hasRun ? "none" : "idle");
	return (
		<>
			<button {...control} className={`graph-node ${status} ${mark ?? ""}${isSelected ? " selected" : ""}`}>
				<span className="graph-node-name" title={id}>
					<StateMark state={state} />
					{mark !== undefined && (
						<span className="graph-node-mark">
							<Icon name={MARK_ICONS[mark]} size={12} />
						</span>
					)}
					{isPinned && (
						<span className="pin-mark" title={pins.markHint}>
							<Icon name="pin" size={14} />
							<span className="hidden-text">{pins.mark}</span>
						</span>
					)}
					<span>{id}</span>
				</span>
				<span className="graph-node-more">
					<code title={component}>{component}</code>
					{state !== undefined && <Measures state={state} />}
					{mark !== undefined && <span className="graph-node-measure">{marks[mark]}</span>}
				</span>
				{status === "none" && <span className="hidden-text">{text.notReached}</span>}
			</button>
			<Ends />
		</>
	);
}

function StateMark({ state }: { readonly state: NodeState | undefined }) {
	const words = useTexts(COMMON);
	if (state === undefined) return null;
	const { status } = state;
	const icon = ICONS[status];
	const word = {
		success: words.succeeded,
		failed: words.failed,
		skipped: words.skipped,
		cancelled: words.cancelled,
	};
	return (
		<span className="graph-node-mark">
			{icon === null ? <span className="spinner" /> : <Icon name={icon} size={14} />}
			<span className="hidden-text">
				{status === "running" || status === "retrying" ? words.running : word[status]}
			</span>
		</span>
	);
}

function Measures({ state }: { readonly state: NodeState }) {
	const text = useTexts(WORKFLOW);
	const { attempts, elements, duration_ms: duration, status } = state;
	const parts = [
		elements !== undefined && `${elements.ended}${elements.total === null ? "" : `/${elements.total}`}`,
		attempts > 1 && text.attemptCount(attempts),
		duration !== undefined && status !== "skipped" && formatDuration(duration),
	];
	return <span className="graph-node-measure numbers">{parts.filter(Boolean).join(" · ")}</span>;
}

function Trigger({ data }: NodeProps) {
	const { control, isSelected } = useNode(INPUT);
	const text = useTexts(WORKFLOW);
	const { trigger } = data as { trigger: DrawnTrigger };
	return (
		<>
			<button
				{...control}
				className={`graph-trigger${isSelected ? " selected" : ""}`}
				title={text.triggerHint}
			>
				<strong>{text.trigger}</strong>
				{trigger !== undefined && (
					<span className="soft">
						<TriggerWords of={trigger} />
					</span>
				)}
			</button>
			<Ends />
		</>
	);
}

function LoopBox({ data }: NodeProps) {
	const text = useTexts(WORKFLOW);
	const { on, name, subject } = data as { on: LoopRelation; name: string; subject: string };
	const hint = on === "FOREACH" ? text.loopHint(name, subject) : text.repeatHint(subject);
	return (
		<div className="graph-loop" title={hint}>
			<span>
				<Icon name="reload" size={12} /> {text.loop}
			</span>
		</div>
	);
}

export const NODE_TYPES: NodeTypes = { step: memo(Step), trigger: memo(Trigger), loop: memo(LoopBox) };
