import type { Graph } from "../../../api/types.ts";
import { formatDuration } from "../../../numbers.ts";
import { PINS } from "../../../pins/texts.ts";
import { Link } from "../../../router.tsx";
import { buildComponentPath, buildNodeDataPath } from "../../../shell/places.ts";
import { useTexts } from "../../../texts/texts.ts";
import { Button } from "../../../ui/button.tsx";
import { ButtonLink } from "../../../ui/button-link.tsx";
import { COMMON } from "../../../ui/common-texts.ts";
import { Icon } from "../../../ui/icon.tsx";
import { Status } from "../../../ui/status.tsx";
import { JsonTree } from "../run/json-tree.tsx";
import type { NodeState } from "../run/run-states.ts";
import { WORKFLOW } from "../texts.ts";
import { NodeCredential } from "./node-credential.tsx";

interface Props {
	readonly node: Graph["nodes"][number];
	readonly state: NodeState | undefined;
	readonly isInLoop: boolean;
	/** A run is shown, whether or not it reached this node. */
	readonly hasRun: boolean;
	/** Its output is pinned for test runs. */
	readonly isPinned: boolean;
	/** Whose data the node links to. */
	readonly endedRun: string | null;
	onShowPin(): void;
	/** Undefined if the shown version cannot be changed. */
	readonly onCredential: ((name: string) => void) | undefined;
	onShowText(): void;
	onClose(): void;
}

/** Details of a node: its settings, and its state in the shown run. */
export function NodePanel(props: Props) {
	const { node, state, isInLoop, hasRun, isPinned, endedRun, onShowPin, onCredential, onShowText, onClose } =
		props;
	const pins = useTexts(PINS);
	const text = useTexts(WORKFLOW);
	const common = useTexts(COMMON);
	const { id, component, params, ...settings } = node;
	const all = { ...params, ...settings };
	const mayHaveData = state === undefined ? !hasRun : state.status !== "skipped";
	return (
		<section className="node-panel" aria-label={id}>
			<header>
				<h2>{id}</h2>
				<Button isSmall kind="quiet" icon="cross" aria-label={common.close} onClick={onClose} />
			</header>
			<div className="node-panel-body">
				{state !== undefined ? (
					<InRun state={state} isInLoop={isInLoop} />
				) : (
					hasRun && <p className="soft">{text.notReached}</p>
				)}
				{endedRun !== null && mayHaveData && (
					<ButtonLink to={buildNodeDataPath(endedRun, id)} isSmall icon="eye">
						{text.showData}
					</ButtonLink>
				)}
				{isPinned && (
					<>
						<p className="run-note">
							<Icon name="pin" size={14} />
							{pins.markHint}
						</p>
						<Button isSmall icon="edit" aria-label={pins.showNode(id)} onClick={onShowPin}>
							{pins.show}
						</Button>
					</>
				)}
				<dl className="facts">
					<dt>{text.component}</dt>
					<dd>
						<Link to={buildComponentPath(component)}>
							<code>{component}</code>
						</Link>
					</dd>
				</dl>
				{onCredential !== undefined && <NodeCredential key={id} node={node} onChoose={onCredential} />}
				<h3>{text.settings}</h3>
				{Object.keys(all).length === 0 ? (
					<p className="soft">{text.noSettings}</p>
				) : (
					<JsonTree key={id} value={all as Parameters<typeof JsonTree>[0]["value"]} />
				)}
				<Button isSmall icon="edit" onClick={onShowText}>
					{text.showInText}
				</Button>
			</div>
		</section>
	);
}

function InRun({ state, isInLoop }: { readonly state: NodeState; readonly isInLoop: boolean }) {
	const [text, pins] = [useTexts(WORKFLOW), useTexts(PINS)];
	const { status, duration_ms: duration, attempts, elements, error, log } = state;
	return (
		<>
			<dl className="facts numbers">
				<dt>{text.stateInRun}</dt>
				<dd>
					<Status of={status} />
				</dd>
				{duration !== undefined && status !== "skipped" && (
					<>
						<dt>{isInLoop ? text.durationInLoop : text.duration}</dt>
						<dd>{formatDuration(duration)}</dd>
					</>
				)}
				{attempts > 0 && (
					<>
						<dt>{isInLoop ? text.attemptsInLoop : text.attempts}</dt>
						<dd>{attempts}</dd>
					</>
				)}
				{elements !== undefined && (
					<>
						<dt>{text.elements}</dt>
						<dd>{text.elementCounts(elements.ended, elements.total, elements.failed)}</dd>
					</>
				)}
			</dl>
			{state.pinned && <p className="soft">{pins.wasPinned}</p>}
			{error !== undefined && error !== "" && <p className="node-panel-error">{error}</p>}
			{log !== undefined && log.length > 0 && (
				<>
					<h3>{text.log}</h3>
					{/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard. */}
					<pre className="node-panel-log" tabIndex={0}>
						{log.join("\n")}
					</pre>
				</>
			)}
		</>
	);
}
