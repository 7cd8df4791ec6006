import { useEffect, useRef } from "react";
import { api } from "../../api/api.ts";
import type { ExecutionDetail } from "../../api/types.ts";
import { useQuery } from "../../api/use-query.ts";
import { formatDuration } from "../../numbers.ts";
import { buildWorkflowPath } from "../../shell/places.ts";
import { useTexts } from "../../texts/texts.ts";
import { TIMES } from "../../times.ts";
import { ButtonLink } from "../../ui/button-link.tsx";
import { CopyButton } from "../../ui/copy.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Status } from "../../ui/status.tsx";
import { Time } from "../../ui/time.tsx";
import { NodesOfRecord, Trace } from "./node-trace.tsx";
import { RunAgain } from "./run-again.tsx";
import { EXECUTIONS } from "./texts.ts";

const POLL_MS = 2000;

interface Props {
	readonly id: string;
	/** Path of the list. */
	readonly back: string;
	buildPath(id: string): string;
}

/** Details of a run, next to the list or, on small screens, instead of it. */
export function ExecutionPane({ id, back, buildPath }: Props) {
	const text = useTexts(EXECUTIONS);
	const pane = useRef<HTMLElement>(null);
	const first = useQuery(`execution ${id}`, (signal) => api.executions.get(id, signal));
	const isRunning = first.data?.status === "accepted";
	const { reload } = first;
	useEffect(() => {
		if (!isRunning) return;
		const timer = setInterval(reload, POLL_MS);
		return () => clearInterval(timer);
	}, [isRunning, reload]);
	// biome-ignore lint/correctness/useExhaustiveDependencies: runs when another run is opened.
	useEffect(() => {
		const element = pane.current;
		element?.scrollTo({ top: 0 });
		// If the list is hidden, the focused element is hidden with it.
		if (element?.previousElementSibling?.checkVisibility() === false) element.focus();
	}, [id]);
	return (
		<section ref={pane} className="card execution-pane" aria-label={text.id} tabIndex={-1}>
			<div className="pane-bar">
				<ButtonLink to={back} kind="quiet" isSmall icon="left" className="pane-back">
					{text.backToList}
				</ButtonLink>
				<ButtonLink
					to={back}
					kind="quiet"
					isSmall
					icon="cross"
					className="pane-close"
					aria-label={text.closeDetail}
				/>
			</div>
			<Loaded query={first} lines={8} missing={<Missing />}>
				{(detail) => <Detail key={id} detail={detail} pathOf={buildPath} />}
			</Loaded>
		</section>
	);
}

function Missing() {
	const text = useTexts(EXECUTIONS);
	return (
		<Empty
			icon="executions"
			title={text.missingTitle}
			action={<ButtonLink to="/executions">{text.showAll}</ButtonLink>}
		>
			{text.missingText}
		</Empty>
	);
}

function Detail({
	detail,
	pathOf: buildPath,
}: {
	readonly detail: ExecutionDetail;
	pathOf(id: string): string;
}) {
	const text = useTexts(EXECUTIONS);
	const { status, workflow, record, nodes, execution_id } = detail;
	return (
		<>
			<header className="detail-head">
				<h2>{workflow ?? execution_id}</h2>
				<span aria-live="polite">
					<Status of={status} />
				</span>
			</header>
			{status === "accepted" && <p className="soft">{text.stillRunning}</p>}
			{status !== "accepted" && record === null && <p className="soft">{text.noRecord}</p>}
			<Facts detail={detail} />
			{record !== null && record.error !== "" && (
				<section className="detail-part">
					<div className="detail-line">
						<h3>{text.error}</h3>
						<CopyButton of={record.error} />
					</div>
					<pre className="detail-error">{record.error}</pre>
				</section>
			)}
			{workflow !== null && (
				<p>
					<ButtonLink to={`${buildWorkflowPath(workflow)}?run=${execution_id}`} icon="workflow">
						{text.showOnGraph}
					</ButtonLink>
				</p>
			)}
			{status !== "accepted" && (
				<section className="detail-part">
					<h3>{text.nodes}</h3>
					{nodes === null ? <NodesOfRecord record={record} /> : <Trace nodes={nodes} />}
				</section>
			)}
			{workflow !== null && <RunAgain workflow={workflow} buildPath={buildPath} />}
		</>
	);
}

function Facts({ detail: { record, execution_id } }: { readonly detail: ExecutionDetail }) {
	const text = useTexts(EXECUTIONS);
	const { formatTime } = useTexts(TIMES);
	return (
		<dl className="facts">
			{record !== null && (
				<>
					<dt>{text.time}</dt>
					<dd className="numbers">
						{formatTime(record.time, { withSeconds: true })}{" "}
						<span className="soft">
							· <Time at={record.time} />
						</span>
					</dd>
					<dt>{text.duration}</dt>
					<dd className="numbers">{formatDuration(record.duration_ms)}</dd>
					{record.trigger !== null && (
						<>
							<dt>{text.trigger}</dt>
							<dd>{text.triggers[record.trigger] ?? record.trigger}</dd>
						</>
					)}
					{record.target !== null && (
						<>
							<dt>{text.target}</dt>
							<dd>{record.target}</dd>
						</>
					)}
					{record.failed_node !== undefined && record.failed_node !== null && (
						<>
							<dt>{text.failedNode}</dt>
							<dd>
								<code>{record.failed_node}</code>
							</dd>
						</>
					)}
				</>
			)}
			<dt>{text.id}</dt>
			<dd>
				<code>{execution_id}</code>
			</dd>
		</dl>
	);
}
