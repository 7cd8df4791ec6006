import { useState } from "react";
import { isNotFound } from "../../../api/not-found.ts";
import type { KeptNode, NodeTrace } from "../../../api/types.ts";
import { formatDuration } from "../../../numbers.ts";
import { PinOutput } from "../../../pins/pin-output.tsx";
import { PINS } from "../../../pins/texts.ts";
import { Link } from "../../../router.tsx";
import { buildExecutionPath } from "../../../shell/places.ts";
import { useTexts } from "../../../texts/texts.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { Empty } from "../../../ui/empty.tsx";
import { Loaded } from "../../../ui/loaded.tsx";
import { Status } from "../../../ui/status.tsx";
import { useDebounced } from "../../../ui/use-debounced.ts";
import { KeptValueView, type View } from "../../../values/kept-value.tsx";
import { buildNodeRoot } from "../../../values/template-path.ts";
import { INPUT } from "./input.ts";
import { NothingKept } from "./nothing-kept.tsx";
import { StepChooser } from "./step-chooser.tsx";
import { findFirstStep, getStepKey } from "./steps.ts";
import { RUN_DATA } from "./texts.ts";
import { useRunData } from "./use-run-data.ts";
import { ViewBar } from "./view-bar.tsx";

const SEARCH_MS = 150;

interface Props {
	readonly id: string;
	/** A node, or `input`. */
	readonly node: string;
	readonly workflow: string | null;
	/** Whether anything is kept of the run. */
	readonly isKept: boolean;
	/** Null if it is no longer available. */
	readonly trace: NodeTrace | null;
	/** Whether it is a step of an agent. */
	readonly isStep: boolean;
	/** The workflow for which outputs can be pinned, if there is one. */
	readonly pinsFor: string | null;
	onClose(): void;
}

/** What a node of a run received and gave. */
export default function NodeData({ id, node, workflow, isKept, trace, isStep, pinsFor, onClose }: Props) {
	const text = useTexts(RUN_DATA);
	const [view, setView] = useState<View>("tree");
	const [query, setQuery] = useState("");
	const searched = useDebounced(query.trim(), SEARCH_MS);
	return (
		<Dialog title={node === INPUT ? text.runInput : node} className="node-data" onClose={onClose}>
			{isKept ? (
				<>
					<ViewBar view={view} onView={setView} query={query} onQuery={setQuery} />
					{node === INPUT ? (
						<RunInput id={id} view={view} query={searched} />
					) : (
						<Steps
							key={node}
							id={id}
							node={node}
							trace={trace}
							isStep={isStep}
							pinsFor={pinsFor}
							view={view}
							query={searched}
						/>
					)}
				</>
			) : (
				<NothingKept workflow={workflow} />
			)}
		</Dialog>
	);
}

interface Shown {
	readonly id: string;
	readonly view: View;
	readonly query: string;
}

function RunInput({ id, ...shown }: Shown) {
	const text = useTexts(RUN_DATA);
	const { query } = useRunData(id, { limit: 1 });
	return (
		<Loaded query={query} lines={6}>
			{({ input }) => <KeptValueView of={input} label={text.runInput} root={INPUT} {...shown} />}
		</Loaded>
	);
}

type OfNode = Shown & Pick<Props, "trace" | "isStep" | "pinsFor">;

function Steps({ id, node, ...shown }: OfNode & { readonly node: string }) {
	const text = useTexts(RUN_DATA);
	const { query, more } = useRunData(id, { node, order: "failed_first" });
	const [chosen, setChosen] = useState<string | null>(null);
	if (isNotFound(query.problem))
		return (
			<Empty icon="info" title={text.nodeMissing}>
				{text.nodeMissingText}
			</Empty>
		);
	return (
		<Loaded query={query} lines={6}>
			{({ nodes, next_cursor }) => {
				const step = nodes.find((each) => getStepKey(each) === chosen) ?? findFirstStep(nodes);
				return (
					<>
						{nodes.length > 1 && (
							<StepChooser
								steps={nodes}
								chosen={step}
								onChoose={setChosen}
								more={next_cursor === null ? null : more}
							/>
						)}
						{step !== undefined && <Step key={getStepKey(step)} step={step} {...shown} />}
					</>
				);
			}}
		</Loaded>
	);
}

function Step({ step, trace, isStep, pinsFor, ...shown }: Omit<OfNode, "id"> & { readonly step: KeptNode }) {
	const [text, pins] = [useTexts(RUN_DATA), useTexts(PINS)];
	const { id, status, duration_ms: duration, error, input, input_error: inputError, output, called } = step;
	return (
		<>
			<p className="line">
				<Status of={status} />
				{duration !== undefined && <span className="soft numbers">{formatDuration(duration)}</span>}
			</p>
			{trace?.pinned && <p className="soft">{pins.wasPinned}</p>}
			{error !== undefined && <pre className="detail-error">{error}</pre>}
			{called !== undefined && (
				<p>
					<Link to={buildExecutionPath(called)}>{text.calledRun}</Link>
				</p>
			)}
			<div className="node-values">
				<section>
					<h3>{text.received}</h3>
					{input !== undefined ? (
						<KeptValueView of={input} label={text.received} root={null} {...shown} />
					) : (
						<p className="soft">{inputError ?? text.noInput}</p>
					)}
				</section>
				<section>
					<h3>{text.gave}</h3>
					{output !== undefined ? (
						<>
							<KeptValueView
								of={output}
								label={text.gave}
								root={isStep ? null : buildNodeRoot(id)}
								{...shown}
							/>
							{pinsFor !== null && (
								<PinOutput
									workflow={pinsFor}
									step={step}
									component={trace?.component ?? null}
									isStep={isStep}
								/>
							)}
						</>
					) : (
						<p className="soft">{text.noOutput}</p>
					)}
				</section>
			</div>
		</>
	);
}
