import { lazy, Suspense, useEffect, useRef } from "react";
import type { ExecutionDetail, UnfinishedExecution } from "../../api/types.ts";
import { formatDuration } from "../../numbers.ts";
import { Link, navigate, useSearch } from "../../router.tsx";
import { buildExecutionPath, buildWorkflowPath } from "../../shell/places.ts";
import { useTexts } from "../../texts/texts.ts";
import { TIMES } from "../../times.ts";
import { ButtonLink } from "../../ui/button-link.tsx";
import { CopyButton } from "../../ui/copy.tsx";
import { Empty } from "../../ui/empty.tsx";
import { Loaded } from "../../ui/loaded.tsx";
import { Status } from "../../ui/status.tsx";
import { Time, WaitingUntil } from "../../ui/time.tsx";
import { RunQuestion } from "../inbox/run-question.tsx";
import { CancelRun } from "./cancel-run.tsx";
import { RunData } from "./data/run-data.tsx";
import { NodesOfRecord, Trace } from "./node-trace.tsx";
import { RunAgain } from "./run-again.tsx";
import { EXECUTIONS } from "./texts.ts";
import { useExecution } from "./use-execution.ts";

const Conversations = lazy(() => import("./conversation/conversations.tsx"));

interface Props {
	readonly id: string;
	/** The run in the list of those in progress. */
	readonly unfinished: UnfinishedExecution | null;
	/** Path of the list. */
	readonly back: string;
	buildPath(id: string): string;
	/** Called when a run was started or cancelled. */
	onChanged(): void;
}

/** Details of a run, next to the list or, on small screens, instead of it. */
export function ExecutionPane({ id, unfinished, back, buildPath, onChanged }: Props) {
	const text = useTexts(EXECUTIONS);
	const pane = useRef<HTMLElement>(null);
	const { query, awaitsRecord } = useExecution(id);
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
			<Loaded query={query} lines={8} missing={<Missing />}>
				{(detail) => (
					<Detail
						key={id}
						detail={detail}
						unfinished={detail.unfinished ?? unfinished}
						awaitsRecord={awaitsRecord}
						onStarted={showStarted}
						onCancelled={showCancelled}
					/>
				)}
			</Loaded>
		</section>
	);

	function showStarted(started: string): void {
		onChanged();
		navigate(buildPath(started), { isStaying: true });
	}

	function showCancelled(): void {
		onChanged();
		query.reload();
	}
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

interface DetailProps {
	readonly detail: ExecutionDetail;
	readonly unfinished: UnfinishedExecution | null;
	readonly awaitsRecord: boolean;
	onStarted(id: string): void;
	onCancelled(): void;
}

function Detail({ detail, unfinished, awaitsRecord, onStarted, onCancelled }: DetailProps) {
	const text = useTexts(EXECUTIONS);
	const [, changeSearch] = useSearch();
	const show = (node: string) => changeSearch({ node });
	const { status, record, nodes, execution_id } = detail;
	const isRunning = status === "accepted";
	const workflow = detail.workflow ?? unfinished?.workflow ?? null;
	const isWaiting = isRunning && unfinished?.status === "waiting";
	const until = isRunning ? unfinished?.until : undefined;
	return (
		<>
			<header className="detail-head">
				<h2>{workflow ?? execution_id}</h2>
				<span aria-live="polite">
					<Status of={isWaiting ? "waiting" : status} />
				</span>
			</header>
			{until !== undefined && (
				<p className="numbers">
					<WaitingUntil at={until} on={unfinished?.waits_for} />
				</p>
			)}
			{isRunning && <p className="soft">{describeNow()}</p>}
			{!isRunning && record === null && !awaitsRecord && <p className="soft">{text.noRecord}</p>}
			{isWaiting && <RunQuestion execution={execution_id} />}
			<Facts detail={detail} unfinished={isRunning ? unfinished : null} />
			{record !== null && record.error !== "" && (
				<section className="detail-part">
					<div className="detail-line">
						<h3>{text.error}</h3>
						<CopyButton of={record.error} />
					</div>
					<pre className="detail-error">{record.error}</pre>
				</section>
			)}
			<div className="detail-actions">
				{workflow !== null && (
					<ButtonLink to={`${buildWorkflowPath(workflow)}?run=${execution_id}`} icon="workflow">
						{text.showOnGraph}
					</ButtonLink>
				)}
				{record !== null && <RunAgain record={record} status={status} onStarted={onStarted} />}
				{isRunning && (
					<CancelRun id={execution_id} workflow={workflow ?? execution_id} onCancelled={onCancelled} />
				)}
			</div>
			{!isRunning && (
				<section className="detail-part">
					<h3>{text.nodes}</h3>
					{nodes === null ? <NodesOfRecord record={record} /> : <Trace nodes={nodes} onShow={show} />}
				</section>
			)}
			<Suspense fallback={null}>
				<Conversations detail={detail} workflow={workflow} isWaiting={isWaiting} />
			</Suspense>
			{!isRunning && <RunData detail={detail} />}
		</>
	);

	function describeNow(): string {
		if (until !== undefined) return text.goesOn;
		return isWaiting ? text.isWaiting : text.isRunning;
	}
}

interface FactsProps {
	readonly detail: ExecutionDetail;
	readonly unfinished: UnfinishedExecution | null;
}

function Facts({ detail: { record, execution_id }, unfinished }: FactsProps) {
	const text = useTexts(EXECUTIONS);
	const trigger = record?.trigger ?? unfinished?.trigger ?? null;
	const resumed = (unfinished?.attempts ?? 0) - 1;
	const failedNode = record?.failed_node ?? null;
	return (
		<dl className="facts">
			{record !== null && <Moment label={text.time} at={record.time} />}
			{unfinished !== null && <Moment label={text.started} at={unfinished.time} />}
			{record !== null && (
				<>
					<dt>{text.duration}</dt>
					<dd className="numbers">{formatDuration(record.duration_ms)}</dd>
				</>
			)}
			{trigger !== null && (
				<>
					<dt>{text.trigger}</dt>
					<dd>
						{text.triggers[trigger] ?? trigger}
						{resumed > 0 && ` · ${text.resumed(resumed)}`}
					</dd>
				</>
			)}
			{record?.called_by !== undefined && <OtherRun label={text.calledBy} id={record.called_by} />}
			{record?.replay_of !== undefined && <OtherRun label={text.repeats} id={record.replay_of} />}
			{record !== null && record.target !== null && (
				<>
					<dt>{text.target}</dt>
					<dd>{record.target}</dd>
				</>
			)}
			{failedNode !== null && (
				<>
					<dt>{text.failedNode}</dt>
					<dd>
						<code>{failedNode}</code>
					</dd>
				</>
			)}
			<dt>{text.id}</dt>
			<dd>
				<code>{execution_id}</code>
			</dd>
		</dl>
	);
}

function OtherRun({ label, id }: { readonly label: string; readonly id: string }) {
	return (
		<>
			<dt>{label}</dt>
			<dd>
				<Link to={buildExecutionPath(id)}>
					<code>{id}</code>
				</Link>
			</dd>
		</>
	);
}

function Moment({ label, at }: { readonly label: string; readonly at: string }) {
	const { formatTime } = useTexts(TIMES);
	return (
		<>
			<dt>{label}</dt>
			<dd className="numbers">
				{formatTime(at, { withSeconds: true })}{" "}
				<span className="soft">
					· <Time at={at} />
				</span>
			</dd>
		</>
	);
}
